"""Texts as pieces of words, by the likeliest split of each word (unigram model, Kudo 2018).

A word is split for itself, so words that come again cost nothing. The library that could do it
takes 260 MB for the quarter of a million pieces of this vocabulary; a dictionary takes 40.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

UNKNOWN = 3
BEGINS_WORD = "▁"
LONGEST_PIECE = 16  # letters, with the mark; as the vocabulary was made
LONGEST_WORD = 64  # letters: what is longer, as a sentence in Japanese, is split into such parts
NEVER = float("-inf")
REMEMBERED = 8192  # words
_WORD = re.compile(r"\S+")
_ACUTE = "\u00b4"  # which people type for an apostrophe; NFKC makes a blank of it


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

    def encode(self, text: str, most: int | None = None) -> SplitText:
        """Its first tokens, as many as are wanted. What Unicode writes otherwise is one place."""
        ids: list[int] = []
        offsets: list[tuple[int, int]] = []
        for start, end, mark in _parts(text):
            written = text[start:end]
            plain = _plain(written)
            for number, first, last in self._split(mark + plain) if plain else ():
                ids.append(number)
                if plain == written:
                    begin = start - len(mark)
                    offsets.append((max(begin + first, start), begin + last))
                else:
                    offsets.append((start, end))
            if most is not None and len(ids) >= most:
                break
        return SplitText(ids[:most], offsets[:most])

    def _likeliest(self, marked: str) -> list[tuple[int, int, int]]:
        """Number, start and end of each piece: the best path from the first letter to the last."""
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
            found.append((number, start, end))
            end = start
        return found[::-1]


def _parts(text: str) -> Iterator[tuple[int, int, str]]:
    """Where each word, or part of a long one, starts and ends, and the mark of a word's begin."""
    for word in _WORD.finditer(text):
        for start in range(word.start(), word.end(), LONGEST_WORD):
            end = min(start + LONGEST_WORD, word.end())
            yield start, end, BEGINS_WORD if start == word.start() else ""


def _plain(written: str) -> str:
    """As the vocabulary has it: without what only formats, such as a soft hyphen."""
    if written.isascii():
        return written
    shown = (each for each in written.replace(_ACUTE, "'") if unicodedata.category(each) != "Cf")
    return unicodedata.normalize("NFKC", "".join(shown)).replace(" ", "")
