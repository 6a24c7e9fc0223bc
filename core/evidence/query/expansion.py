"""Query expansion: the index terms of a question, with corrections, neighbours and context.

Its words, what stands for those that no page has, synonyms, what else they are called at work, and
the words of its conversation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from core.evidence.lexical.analyzer import QueryWord, asked, is_plain, words
from core.evidence.lexical.bm25f import Alternatives
from core.evidence.query.thesaurus import said_otherwise
from core.evidence.query.word_neighbours import ENOUGH, WordNeighbours
from core.evidence.ranking.weights import Ranking
from core.evidence.readable import Readable

# Words that were asked, by their whole term, each with its weight.
Asked = dict[str, tuple[QueryWord, float]]
Unknown = dict[str, tuple[str, float]]  # words that no page has, in the same way
WeightedTerms = tuple[tuple[str, float], ...]

# Cosine similarity from which a word stands for another one when an answer is looked for.
SURELY = 0.65


@dataclass(frozen=True)
class QueryExpansion:
    """Expands questions against what their reader may see of the index."""

    readable: Readable
    neighbours: WordNeighbours | None
    ranking: Ranking

    def of(self, question: str, context: Sequence[str] = ()) -> list[Alternatives]:
        """Each index term once, with the weight of where it stands first.

        The question comes first, then the parts of its context in order.
        """
        wholes: Asked = {}
        parts: dict[str, Alternatives] = {}
        for word, weight in self._weighted(question, context):
            whole, *others = word.terms
            wholes.setdefault(whole, (word, weight))
            for part in others:
                alone = _alone(part)
                parts.setdefault(part, Alternatives(weight, alone))
        expanded = self._wholes(wholes)
        # Follow-ups carry words of their conversation already; synonyms made them worse.
        if not any(context):
            expanded = self._with_synonyms(expanded, wholes)
        expanded = self._with_thesaurus(expanded, question)
        for part in parts:
            expanded.pop(part, None)
        return list((expanded | parts).values())

    def terms(self, text: str) -> list[str]:
        """For each word, the index terms that surely mean the same; otherwise the word itself.

        That one then stands in no page.
        """
        said = asked(text)
        unknown: dict[str, str] = {}
        for word in said:
            whole = word.terms[0]
            is_known = self.readable.knows(whole)
            if is_plain(word.written) and not is_known:
                unknown[whole] = word.written
        written = list(unknown.values())
        most = self.ranking.neighbours
        near = self._near(written, most, SURELY)
        found: dict[str, None] = {}  # in order, each once
        for word in said:
            for term in word.terms:
                others = near.get(unknown.get(term, ""))
                found |= dict.fromkeys(others or (term,))
        return list(found)

    def _weighted(self, question: str, context: Sequence[str]) -> Iterator[tuple[QueryWord, float]]:
        for word in asked(question):
            yield word, 1.0
        weights = self.ranking.context
        parts = zip(context, weights, strict=False)
        for text, weight in parts:
            for word in asked(text):
                yield word, weight

    def _wholes(self, said: Asked) -> dict[str, Alternatives]:
        """What each word stands for, by the word's own term."""
        found: dict[str, Alternatives] = {}
        unknown: Unknown = {}
        ranking = self.ranking
        for term, (word, weight) in said.items():
            is_known = self.readable.knows(term)
            if is_known or not is_plain(word.written):
                terms = _alone(term) + self._mistyped_titles(word)
                found[term] = Alternatives(weight, terms)
            elif corrected := self._corrected(word):
                found[term] = Alternatives(weight * ranking.mistyped, corrected)
            else:
                less = weight * ranking.neighbour
                unknown[term] = (word.written, less)
        return found | self._replaced(unknown)

    def _with_synonyms(
        self,
        found: dict[str, Alternatives],
        said: Asked,
    ) -> dict[str, Alternatives]:
        """The words nearest in meaning beside those asked, also in a wiki's other language."""
        weight = self.ranking.synonyms
        if not weight:
            return found
        plain: dict[str, str] = {}
        for term, (word, _) in said.items():
            if term not in found or not is_plain(word.written):
                continue
            if found[term].terms == _alone(term):
                plain[term] = word.written
        most = self.ranking.neighbours
        enough = self.ranking.synonymous
        written = list(plain.values())
        near = self._near(written, most + 1, enough)
        wider = dict(found)
        for term, word_written in plain.items():
            nearest = near.get(word_written, ())
            others = [other for other in nearest if other != term]
            synonyms = _weighing(weight, others[:most])
            terms = _alone(term) + synonyms
            alternatives = found[term]
            wider[term] = alternatives._replace(terms=terms)
        return wider

    def _with_thesaurus(
        self, found: dict[str, Alternatives], question: str
    ) -> dict[str, Alternatives]:
        """What people at work call the same, where one word says it.

        Of several words each would count alone, and most of them stand everywhere.
        """
        share = self.ranking.thesaurus
        if not share:
            return found
        wider = dict(found)
        for term, phrases in said_otherwise(question).items():
            if alternatives := found.get(term):
                others = chain.from_iterable(phrase for phrase in phrases if len(phrase) == 1)
                more = dict(_weighing(share, others)) | dict(alternatives.terms)
                wider[term] = alternatives._replace(terms=tuple(more.items()))
        return wider

    def _near(
        self,
        written: Sequence[str],
        most: int,
        enough: float = ENOUGH,
    ) -> Mapping[str, tuple[str, ...]]:
        """The nearest index terms by word."""
        neighbours = self.neighbours
        if neighbours is None:
            return {}
        return neighbours.near(written, self.readable, most, enough)

    def _replaced(self, unknown: Unknown) -> dict[str, Alternatives]:
        """Words that no page has, with the words nearest in meaning.

        They stay themselves too: a page may be called so by its space or its owner.
        """
        if not self.ranking.neighbour:
            return {}
        written = [word for word, _ in unknown.values()]
        near = self._near(written, self.ranking.neighbours)
        found: dict[str, Alternatives] = {}
        for term, (word, weight) in unknown.items():
            terms = _weighing(1.0, near.get(word, ()))
            found[term] = Alternatives(weight, _alone(term) + terms)
        return found

    def _corrected(self, word: QueryWord) -> WeightedTerms:
        """Words of titles that are spelled nearly like this one, which no page has."""
        if not self.ranking.mistyped:
            return ()
        terms = dict.fromkeys(self._spelled_alike(word))
        return _weighing(1.0, filter(self.readable.knows, terms))

    def _mistyped_titles(self, word: QueryWord) -> WeightedTerms:
        """Words that only one page has, in its title, spelled nearly like a word that is right.

        So a page titled "Instalation" is found by installation.
        """
        weight = self.ranking.mistyped
        if not weight or not is_plain(word.written):
            return ()
        alike = set(self._spelled_alike(word))
        others = sorted(alike - {word.terms[0]})
        rare = [other for other in others if self.readable.pages_with(other) == 1]
        return _weighing(weight, rare)

    def _spelled_alike(self, word: QueryWord) -> list[str]:
        alike = self.readable.title_words_like(word.written)
        return [words(other)[0] for other in alike]


def _alone(term: str) -> WeightedTerms:
    """A term that stands for nothing but itself."""
    return ((term, 1.0),)


def _weighing(weight: float, terms: Iterable[str]) -> WeightedTerms:
    return tuple((term, weight) for term in terms)
