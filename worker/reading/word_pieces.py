"""Texts as pieces of words, by the likeliest split of each word (unigram model, Kudo 2018).

A word is split for itself, so words that come again cost nothing. The library that could do it
takes 260 MB for the quarter of a million pieces of this vocabulary; a dictionary takes 40.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

UNKNOWN = 3
BEGINS_WORD = "▁"
LONGEST_PIECE = 16  # letters, with the mark; as the vocabulary was made
LONGEST_WORD = 200  # letters: what is longer is no word, and is read as far as this
NEVER = float("-inf")
REMEMBERED = 16_384  # words
_WORD = re.compile(r"\S+")


class SplitText(NamedTuple):
    """A text as tokens, with the places in the text that each stands for."""

    ids: list[int]
    offsets: list[tuple[int, int]]


class WordPieces:
    """Splits texts by a vocabulary of pieces."""

    def __init__(self, numbers: Mapping[str, int], scores: Sequence[float]) -> None:
        """`numbers` are the pieces with their numbers, `scores` their log-probabilities."""
        self._numbers = numbers
        self._scores = scores
        # Worse than any piece, as sentencepiece has it.
        self._unknown = float(min(scores)) - 10
        self._split = lru_cache(REMEMBERED)(self._likeliest)

    def encode(self, text: str) -> SplitText:
        """The whole text. A word that Unicode writes otherwise (NFKC) is one place."""
        ids: list[int] = []
        offsets: list[tuple[int, int]] = []
        for word in _WORD.finditer(text):
            start, written = word.start(), word[0][:LONGEST_WORD]
            plain = unicodedata.normalize("NFKC", written)
            is_same = len(plain) == len(written)
            for number, begin, end in self._split(plain):
                ids.append(number)
                place = (begin, end) if is_same else (0, len(written))
                offsets.append((start + place[0], start + place[1]))
        return SplitText(ids, offsets)

    def _likeliest(self, word: str) -> list[tuple[int, int, int]]:
        """Number, start and end of each piece: the best path from the first letter to the last."""
        marked = BEGINS_WORD + word
        best = [0.0] + [NEVER] * len(marked)
        last = [(0, UNKNOWN)] * (len(marked) + 1)
        for start in range(len(marked)):
            for end in range(start + 1, min(start + LONGEST_PIECE, len(marked)) + 1):
                number = self._numbers.get(marked[start:end], UNKNOWN)
                if number == UNKNOWN and end > start + 1:
                    continue
                score = self._unknown if number == UNKNOWN else self._scores[number]
                if best[start] + score > best[end]:
                    best[end], last[end] = best[start] + score, (start, number)
        found = []
        end = len(marked)
        while end:
            start, number = last[end]
            found.append((number, max(start - 1, 0), end - 1))
            end = start
        return found[::-1]
