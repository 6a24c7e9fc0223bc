"""How far a text covers the words of a question: by the words themselves, or by ones near them.

A word weighs as much as it is rare (inverse document frequency), one that no page has the most. It
is covered by its own term, by a title's word spelled nearly like it, or, partly, by the word of the
text that is nearest in meaning, in whatever language: so a German question covers an English page.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.evidence import WordNeighbours
from core.evidence.lexical.analyzer import asked, is_plain, plain_words, words
from core.evidence.lexical.index import LexicalIndex
from core.question import Completed

CONTEXT_WEIGHT = 0.4  # of a word that the conversation added, against one that was asked
PARTS = 2  # of the conversation that count: its page and the question before
# Cosine similarity from which a word covers another a little, and from which it does wholly.
# Single words of the bundled encoder: strangers have .1 to .3, translations .8 and more.
STRANGE, SAME = 0.3, 0.8


@dataclass(frozen=True)
class AskedWord:
    """A word of a question, or of its conversation, with its weight."""

    written: str
    terms: frozenset[str]  # that stand for it: its own, and those of titles spelled like it
    weight: float

    @property
    def has_digit(self) -> bool:
        return any(map(str.isdigit, self.written))


class Covering:
    """Compares questions with texts of one index."""

    def __init__(self, lexical: LexicalIndex, neighbours: WordNeighbours) -> None:
        self._lexical = lexical
        self._neighbours = neighbours

    @property
    def pieces(self) -> int:
        """How many pieces the index has."""
        return self._lexical.size()

    def asked(self, completed: Completed) -> list[AskedWord]:
        """The words of the question, each once, then those that its conversation adds."""
        found: dict[str, AskedWord] = {}
        for word in self._weighed(completed.question, 1.0):
            found.setdefault(word.written.lower(), word)
        for part in completed.context[:PARTS]:
            for word in self._weighed(part, CONTEXT_WEIGHT):
                found.setdefault(word.written.lower(), word)
        return list(found.values())

    def share(self, said: Sequence[AskedWord], text: str) -> float:
        """Of the weight of these words that the text covers, 0 to 1."""
        total = sum(word.weight for word in said)
        if not total:
            return 0.0
        terms = frozenset(words(text))
        open_words = [word for word in said if not word.terms & terms]
        covered = total - sum(word.weight for word in open_words)
        plain = [word for word in open_words if is_plain(word.written)]
        near = self._neighbours.likeness(
            [word.written for word in plain], sorted(plain_words(text)), self._lexical.snapshot
        )
        for word in plain:
            covered += word.weight * _part(near[word.written])
        return covered / total

    def _weighed(self, text: str, weight: float) -> Iterator[AskedWord]:
        for word in asked(text):
            whole = word.terms[0]
            terms = {whole}
            rarity = self._rarity(whole)
            # Whatever pages have the word: else closed ones would tell that they have it.
            if is_plain(word.written):
                alike = self._lexical.snapshot.title_words.nearly(word.written)
                terms.update(words(" ".join(alike)))
            yield AskedWord(word.written, frozenset(terms), weight * rarity)

    def _rarity(self, term: str) -> float:
        pieces, with_term = self._lexical.size(), self._lexical.document_frequency(term)
        return math.log((pieces + 1) / (with_term + 1))


def _part(similarity: float) -> float:
    """How far a word so near stands for the one that was asked.

    >>> _part(0.3), _part(0.55), _part(1.0)
    (0.0, 0.5, 1.0)
    """
    return round(min(max((similarity - STRANGE) / (SAME - STRANGE), 0.0), 1.0), 6)
