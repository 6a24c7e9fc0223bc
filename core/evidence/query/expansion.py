"""Query expansion: the index terms of a question, with corrections, neighbours and context.

Its words, what stands for those that no page has, synonyms, and the words of its conversation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from core.evidence.lexical.analyzer import QueryWord, asked, is_plain, words
from core.evidence.lexical.bm25f import Alternatives
from core.evidence.lexical.snapshot import Snapshot
from core.evidence.query.spelling import nearly
from core.evidence.query.word_neighbours import ENOUGH, WordNeighbours
from core.evidence.ranking.weights import Ranking

# Cosine similarity from which a word stands for another one when an answer is looked for.
SURELY = 0.65


@dataclass(frozen=True)
class QueryExpansion:
    """What the words of a question are looked up in."""

    snapshot: Snapshot
    neighbours: WordNeighbours | None
    ranking: Ranking

    def of(self, question: str, context: Sequence[str] = ()) -> list[Alternatives]:
        """Each index term once, with the weight of where it stands first.

        The question comes first, then the parts of its context in order.
        """
        wholes: dict[str, tuple[QueryWord, float]] = {}
        parts: dict[str, Alternatives] = {}
        for word, weight in self._weighted(question, context):
            whole, *others = word.terms
            wholes.setdefault(whole, (word, weight))
            for part in others:
                parts.setdefault(part, Alternatives(weight, ((part, 1.0),)))
        expanded = self._wholes(wholes)
        # A follow-up has the words of its conversation, and loses by more of them.
        if not any(context):
            expanded = self._with_synonyms(expanded, wholes)
        for part in parts:
            expanded.pop(part, None)
        return [*expanded.values(), *parts.values()]

    def terms(self, text: str) -> list[str]:
        """Of every word what surely means it: where nothing does, the word itself.

        That one then stands in no page.
        """
        said = asked(text)
        unknown: dict[str, str] = {}
        for word in said:
            if is_plain(word.written) and not self._is_known(word.terms[0]):
                unknown[word.terms[0]] = word.written
        near = self._near(unknown.values(), self.ranking.neighbours, SURELY)
        found: dict[str, None] = {}  # in order, each once
        for word in said:
            for term in word.terms:
                others = near.get(unknown.get(term, ""))
                found |= dict.fromkeys(others or (term,))
        return list(found)

    def _weighted(self, question: str, context: Sequence[str]) -> Iterator[tuple[QueryWord, float]]:
        for word in asked(question):
            yield word, 1.0
        for text, weight in zip(context, self.ranking.context, strict=False):
            for word in asked(text):
                yield word, weight

    def _wholes(self, said: dict[str, tuple[QueryWord, float]]) -> dict[str, Alternatives]:
        """What each word stands for, by the word's own term."""
        found: dict[str, Alternatives] = {}
        unknown: dict[str, tuple[str, float]] = {}
        for term, (word, weight) in said.items():
            if self._is_known(term) or not is_plain(word.written):
                found[term] = Alternatives(weight, ((term, 1.0), *self._mistyped_titles(word)))
            elif corrected := self._corrected(word):
                found[term] = Alternatives(weight * self.ranking.mistyped, corrected)
            else:
                unknown[term] = (word.written, weight * self.ranking.neighbour)
        return found | self._replaced(unknown)

    def _with_synonyms(
        self,
        found: dict[str, Alternatives],
        said: dict[str, tuple[QueryWord, float]],
    ) -> dict[str, Alternatives]:
        """The words nearest in meaning beside those asked, also in a wiki's other language."""
        weight = self.ranking.synonyms
        if not weight:
            return found
        plain: dict[str, str] = {}
        for term, (word, _) in said.items():
            stands_alone = term in found and found[term].terms == ((term, 1.0),)
            if stands_alone and is_plain(word.written):
                plain[term] = word.written
        most = self.ranking.neighbours
        near = self._near(plain.values(), most + 1, self.ranking.synonymous)
        wider = dict(found)
        for term, written in plain.items():
            others = [other for other in near.get(written, ()) if other != term]
            synonyms = _weighing(weight, others[:most])
            wider[term] = found[term]._replace(terms=((term, 1.0), *synonyms))
        return wider

    def _is_known(self, term: str) -> bool:
        return self.snapshot.pieces.frequency(term) > 0

    def _near(
        self,
        written: Iterable[str],
        most: int,
        enough: float = ENOUGH,
    ) -> Mapping[str, tuple[str, ...]]:
        """The nearest index terms by word."""
        if self.neighbours is None:
            return {}
        return self.neighbours.near(list(written), self.snapshot, most, enough)

    def _replaced(self, unknown: dict[str, tuple[str, float]]) -> dict[str, Alternatives]:
        """Words that no page has, replaced by the words nearest in meaning."""
        if not self.ranking.neighbour:
            return {}
        written = [word for word, _ in unknown.values()]
        near = self._near(written, self.ranking.neighbours)
        found: dict[str, Alternatives] = {}
        for term, (word, weight) in unknown.items():
            if others := near.get(word):
                found[term] = Alternatives(weight, _weighing(1.0, others))
        return found

    def _corrected(self, word: QueryWord) -> tuple[tuple[str, float], ...]:
        """Words of titles that are spelled nearly like this one, which no page has."""
        if not self.ranking.mistyped:
            return ()
        terms = dict.fromkeys(self._spelled_alike(word))
        return _weighing(1.0, filter(self._is_known, terms))

    def _mistyped_titles(self, word: QueryWord) -> tuple[tuple[str, float], ...]:
        """Words that only one page has, in its title, spelled nearly like a word that is right.

        So a page titled "Instalation" is found by installation.
        """
        if not self.ranking.mistyped or not is_plain(word.written):
            return ()
        others = set(self._spelled_alike(word)) - {word.terms[0]}
        rare = [other for other in sorted(others) if self.snapshot.pages.frequency(other) == 1]
        return _weighing(self.ranking.mistyped, rare)

    def _spelled_alike(self, word: QueryWord) -> list[str]:
        alike = nearly(word.written, self.snapshot.title_words)
        return [words(other)[0] for other in alike]


def _weighing(weight: float, terms: Iterable[str]) -> tuple[tuple[str, float], ...]:
    return tuple((term, weight) for term in terms)
