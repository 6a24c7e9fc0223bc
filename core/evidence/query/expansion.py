"""A question as the lexical index takes it: its words, what stands for those that no page has, and the words of its conversation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.evidence.lexical.analyzer import LONGEST, SHORTEST, QueryWord, asked, words
from core.evidence.lexical.bm25f import Alternatives
from core.evidence.lexical.index import Snapshot
from core.evidence.query.spelling import nearly
from core.evidence.query.word_neighbours import WordNeighbours
from core.evidence.ranking.weights import Ranking

SURELY = (
    0.65  # cosine similarity from which a word stands for another one when an answer is looked for
)


@dataclass(frozen=True)
class QueryExpansion:
    """What the words of a question are looked up in."""

    snapshot: Snapshot
    bridge: WordNeighbours | None
    ranking: Ranking

    def of(self, question: str, context: Sequence[str] = ()) -> list[Alternatives]:
        """Each index term once, with the weight of where it stands first: the question, then the parts of its context in order."""
        said = [(word, 1.0) for word in asked(question)]
        for text, weight in zip(context, self.ranking.context, strict=False):
            said += [(word, weight) for word in asked(text)]
        wholes: dict[str, tuple[QueryWord, float]] = {}
        found: dict[str, Alternatives] = {}
        for word, weight in said:
            wholes.setdefault(word.terms[0], (word, weight))
            for part in word.terms[1:]:
                found.setdefault(part, Alternatives(weight, ((part, 1.0),)))
        whole = self._wholes(wholes)
        if not any(
            context
        ):  # a follow-up has the words of its conversation, and loses by more of them
            whole = self._with_synonyms(whole, wholes)
        return list(
            ({term: word for term, word in whole.items() if term not in found} | found).values()
        )

    def terms(self, text: str) -> list[str]:
        """Of every word what surely means it: where nothing does, the word itself, which then stands in no page."""
        said = asked(text)
        strange = [
            word
            for word in said
            if _could_be_in_a_dictionary(word) and not self._is_known(word.terms[0])
        ]
        unknown = {word.terms[0]: word.written for word in strange}
        near = (
            self.bridge.near(list(unknown.values()), self.snapshot, self.ranking.bridges, SURELY)
            if self.bridge
            else {}
        )
        translated = {term: near[word] for term, word in unknown.items() if near.get(word)}
        return list(
            dict.fromkeys(
                other
                for word in said
                for term in word.terms
                for other in translated.get(term, (term,))
            )
        )

    def _wholes(self, said: dict[str, tuple[QueryWord, float]]) -> dict[str, Alternatives]:
        """What each word stands for, by the word's own term."""
        found: dict[str, Alternatives] = {}
        strange: dict[str, tuple[str, float]] = {}
        for term, (word, weight) in said.items():
            if self._is_known(term) or not _could_be_in_a_dictionary(word):
                found[term] = Alternatives(weight, ((term, 1.0), *self._mistyped_titles(word)))
            elif spelled := self._spelled(word):
                found[term] = Alternatives(weight * self.ranking.mistyped, spelled)
            else:
                strange[term] = (word.written, weight * self.ranking.bridged)
        return found | self._bridged(strange)

    def _with_synonyms(
        self, found: dict[str, Alternatives], said: dict[str, tuple[QueryWord, float]]
    ) -> dict[str, Alternatives]:
        """What was asked is found in other words too, and where a wiki has two languages, in the other one."""
        if self.bridge is None or not self.ranking.synonyms:
            return found
        alone = {
            term: word
            for term, (word, _) in said.items()
            if term in found and found[term].terms == ((term, 1.0),)
        }
        plain = {
            term: word.written for term, word in alone.items() if _could_be_in_a_dictionary(word)
        }
        near = self.bridge.near(
            list(plain.values()), self.snapshot, self.ranking.bridges + 1, self.ranking.synonymous
        )
        wider = {}
        for term, written in plain.items():
            others = [other for other in near.get(written, ()) if other != term][
                : self.ranking.bridges
            ]
            wider[term] = found[term]._replace(
                terms=((term, 1.0), *((other, self.ranking.synonyms) for other in others))
            )
        return found | wider

    def _is_known(self, term: str) -> bool:
        return self.snapshot.pieces.frequency(term) > 0

    def _bridged(self, strange: dict[str, tuple[str, float]]) -> dict[str, Alternatives]:
        if self.bridge is None or not self.ranking.bridged:
            return {}
        near = self.bridge.near(
            [word for word, _ in strange.values()], self.snapshot, self.ranking.bridges
        )
        return {
            term: Alternatives(weight, tuple((other, 1.0) for other in near[word]))
            for term, (word, weight) in strange.items()
            if near.get(word)
        }

    def _spelled(self, word: QueryWord) -> tuple[tuple[str, float], ...]:
        if not self.ranking.mistyped:
            return ()
        terms = dict.fromkeys(
            words(other)[0] for other in nearly(word.written, self.snapshot.title_words)
        )
        return tuple((term, 1.0) for term in terms if self._is_known(term))

    def _mistyped_titles(self, word: QueryWord) -> tuple[tuple[str, float], ...]:
        """Words that one page alone has, in its title, spelled nearly like a word that is right: "Instalation" is installation."""
        if not self.ranking.mistyped or not _could_be_in_a_dictionary(word):
            return ()
        others = {words(other)[0] for other in nearly(word.written, self.snapshot.title_words)} - {
            word.terms[0]
        }
        return tuple(
            (other, self.ranking.mistyped)
            for other in sorted(others)
            if self.snapshot.pages.frequency(other) == 1
        )


def _could_be_in_a_dictionary(word: QueryWord) -> bool:
    return word.written.isalpha() and SHORTEST <= len(word.written) <= LONGEST
