"""Spelling correction: words of titles that are spelled nearly like a word of the question.

Somebody mistyped one of the two, or wrote it in another language.

>>> Spellings(["installation", "insurance"]).nearly("instalation")
['installation']
>>> Spellings(["configuration", "figures"]).nearly("Konfiguration")
['configuration']
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import process
from rapidfuzz.distance import DamerauLevenshtein

SHORTEST = 5  # letters: of shorter words too many are alike
ALIKE = 0.8  # 1 - distance / length: one letter in five, two in ten

_LETTERS = 32  # kinds of letters that are told apart
_TWICE = 2  # a letter that stands in a word more often counts as often as this


class SpelledWords(Protocol):
    """Words by their places."""

    def __iter__(self) -> Iterator[str]: ...
    def at(self, places: NDArray[np.int64]) -> Sequence[str]: ...


class Spellings:
    """Words that others are compared with, most of them by their letters alone.

    A mistake changes at most two of the letters that a word has, whatever their order: most words
    differ in more. The words that are left are compared exactly.
    """

    def __init__(
        self,
        known: SpelledWords | Sequence[str],
        letters: NDArray[np.uint64] | None = None,
        lengths: NDArray[np.int32] | None = None,
    ) -> None:
        """`letters` and `lengths` are what `letters_of` says of the words, where that is known."""
        self._known = known
        if letters is None or lengths is None:
            letters, lengths = letters_of(list(known))
        self._letters = letters
        self._lengths = lengths

    def nearly(self, word: str, most: int = 2) -> list[str]:
        """The words spelled most like this one, itself left out."""
        return list(islice(alike(word, self.perhaps(word)), most))

    def perhaps(self, word: str) -> list[str]:
        """All words that may be near enough, in order, and some others."""
        asked = word.lower()
        if len(asked) < SHORTEST:
            return []
        longer = np.maximum(self._lengths, len(asked))
        mistakes = np.floor((1 - ALIKE) * longer + 1e-6)
        differing = np.bitwise_count(self._letters ^ np.uint64(_letters(asked)))
        too_long = abs(self._lengths - len(asked)) > mistakes
        is_near = (differing <= 2 * mistakes) & ~too_long
        places = np.flatnonzero(is_near)
        if isinstance(self._known, Sequence):
            return [self._known[place] for place in places.tolist()]
        return list(self._known.at(places))


def alike(word: str, others: Sequence[str]) -> Iterator[str]:
    """Those of these words that are spelled nearly so, the nearest first; not the word itself."""
    asked = word.lower()
    found = process.extract(
        asked,
        others,
        scorer=DamerauLevenshtein.normalized_similarity,
        score_cutoff=ALIKE,
        limit=None,
    )
    return (other for other, _, _ in found if other != asked)


def letters_of(words: Sequence[str]) -> tuple[NDArray[np.uint64], NDArray[np.int32]]:
    """Of each word its letters as bits, and how many letters it has."""
    letters = np.array([_letters(word) for word in words], np.uint64)
    return letters, np.array([len(word) for word in words], np.int32)


def _letters(word: str) -> int:
    """A bit for each letter that stands in the word, and another one where it does so twice."""
    counts: dict[int, int] = {}
    for letter in word:
        kind = ord(letter) % _LETTERS
        counts[kind] = min(counts.get(kind, 0) + 1, _TWICE)
    bits = 0
    for kind, count in counts.items():
        bits |= 1 << kind
        if count == _TWICE:
            bits |= 1 << (kind + _LETTERS)
    return bits
