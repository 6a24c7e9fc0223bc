"""Spelling correction: words of titles that are spelled nearly like a word of the question.

Somebody mistyped one of the two, or wrote it in another language.

>>> Spellings(["installation", "insurance"]).nearly("instalation")
['installation']
>>> Spellings(["configuration", "figures"]).nearly("Konfiguration")
['configuration']
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import DamerauLevenshtein

SHORTEST = 5  # letters: of shorter words too many are alike
ALIKE = 0.8  # 1 - distance / length: one letter in five, two in ten

_LETTERS = 32  # kinds of letters that are told apart
_TWICE = 2  # a letter that stands in a word more often counts as often as this


class Spellings:
    """Words that others are compared with, most of them by their letters alone.

    A mistake changes at most two of the letters that a word has, whatever their order: most words
    differ in more. The words that are left are compared exactly.
    """

    def __init__(self, known: Sequence[str]) -> None:
        self._known = known
        self._letters = np.array([_letters(word) for word in known], np.uint64)
        self._lengths = np.array([len(word) for word in known], np.int64)

    def nearly(
        self,
        word: str,
        is_there: Callable[[str], bool] = bool,
        most: int = 2,
    ) -> list[str]:
        """The words spelled most like this one, itself left out; those for which `is_there`."""
        if len(word) < SHORTEST:
            return []
        asked = word.lower()
        found = process.extract(
            asked,
            [self._known[place] for place in self._perhaps(asked)],
            scorer=DamerauLevenshtein.normalized_similarity,
            score_cutoff=ALIKE,
            limit=None,
        )
        others = (other for other, _, _ in found if other != asked and is_there(other))
        return list(islice(others, most))

    def _perhaps(self, word: str) -> list[int]:
        """The places of all words that may be near enough, in order, and of some others."""
        longer = np.maximum(self._lengths, len(word))
        mistakes = np.floor((1 - ALIKE) * longer + 1e-6)
        differing = np.bitwise_count(self._letters ^ np.uint64(_letters(word)))
        is_near = (differing <= 2 * mistakes) & (abs(self._lengths - len(word)) <= mistakes)
        places: list[int] = np.flatnonzero(is_near).tolist()
        return places


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
