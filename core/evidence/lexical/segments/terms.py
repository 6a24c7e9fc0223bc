"""Terms of pieces, numbered and counted, before they are postings of the lexical index.

They are kept as small as they are in the index: a wiki's words as objects of Python take ten times
as much. A word is analyzed once, wherever it stands, and pieces are counted together.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.evidence.lexical.analyzer import STOP, is_plain, terms_of, written
from core.evidence.lexical.dates import dates
from core.evidence.lexical.segments.packed import Hashes, hashes_of
from core.evidence.lexical.segments.postings import FIELDS, Counts, Floats, Postings, narrowed


class FieldNumbers(NamedTuple):
    """The numbers of the terms of something that can be found, by field, each as often as said."""

    title: Sequence[int]
    path: Sequence[int]
    body: Sequence[int]


class WrittenWords(dict[str, tuple[int, ...]]):
    """The numbers of the terms of each word, as it is written; a date is a word of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.numbers: dict[str, int] = {}  # of all terms, in the order in which they came
        self.plain: set[str] = set()

    def __missing__(self, word: str) -> tuple[int, ...]:
        if is_plain(word):
            self.plain |= {word.lower()} - STOP
        self[word] = self._numbered(terms_of(word))
        return self[word]

    def of(self, text: str) -> list[int]:
        """The terms of a text, as core.evidence.lexical.analyzer.words has them."""
        found = list(chain.from_iterable(map(self.__getitem__, written(text))))
        return found + list(self._numbered(dates(text)))

    def _numbered(self, terms: Iterable[str]) -> tuple[int, ...]:
        numbers = self.numbers
        return tuple(numbers.setdefault(term, len(numbers)) for term in terms)

    def hashes(self) -> Hashes:
        """Of each term, by its number."""
        return hashes_of(self.numbers)


_SHIFT = np.int64(32)  # a key is a term's number, then the piece's place
_PLACE = 0xFFFFFFFF
AT_ONCE = 200  # pieces that are counted together: one by one takes three times as long


class Arrays(NamedTuple):
    """Terms of pieces: a key is a term's number, then the piece's place in 32 bits."""

    keys: NDArray[np.int64]
    counts: Counts  # in each field, shape (keys, FIELDS)
    lengths: Floats  # of each piece, shape (pieces, FIELDS)


class Terms:
    """The terms of pieces, or of pages, as postings of their own; places are counted from 0."""

    def __init__(self) -> None:
        self._keys: list[NDArray[np.int64]] = [np.zeros(0, np.int64)]
        self._counts: list[NDArray[np.uint16]] = [np.zeros((0, FIELDS), np.uint16)]
        self._lengths: list[Floats] = [np.zeros((0, FIELDS), np.float32)]
        self._size = 0  # of those that are counted
        self._waiting: list[FieldNumbers] = []

    def add(self, piece: FieldNumbers) -> None:
        self._waiting.append(piece)
        if len(self._waiting) == AT_ONCE:
            self._count()

    def all(self) -> Arrays:
        """In no order."""
        self._count()
        keys = np.concatenate(self._keys)
        return Arrays(keys, np.concatenate(self._counts), np.concatenate(self._lengths))

    def postings(self, hashes: Hashes) -> Postings:
        """All of them; `hashes` are those of the terms by their numbers."""
        keys, all_counts, lengths = self.all()
        terms = hashes[keys >> _SHIFT]
        order = np.lexsort((keys & _PLACE, terms))
        counts, more, more_counts = narrowed(all_counts[order])
        found, starts = np.unique(terms[order], return_index=True)
        return Postings(
            terms=found,
            starts=np.append(starts, len(keys)).astype(np.int64),
            places=(keys[order] & _PLACE).astype(np.int32),
            counts=counts,
            more=more,
            more_counts=more_counts,
            lengths=lengths,
        )

    def _count(self) -> None:
        """Each occurrence is one number: of the term, of the piece, and of the field in two bits.

        Sorted, equal ones stand together, and so do the fields of a posting.
        """
        pieces, self._waiting = self._waiting, []
        fields = list(chain.from_iterable(pieces))
        lengths = np.array([len(numbers) for numbers in fields], np.int64)
        places = np.repeat(np.arange(self._size, self._size + len(pieces)), FIELDS)
        where = places << 2 | np.tile(np.arange(FIELDS), len(pieces))
        numbers = np.fromiter(chain.from_iterable(fields), np.int64, int(lengths.sum()))
        found, times = np.unique(numbers << 34 | np.repeat(where, lengths), return_counts=True)
        held = found >> 2
        is_next = np.diff(held, prepend=-1) > 0
        keys = held[is_next]
        counts = np.zeros((len(keys), FIELDS), np.uint16)
        counts[np.cumsum(is_next) - 1, found & 3] = np.minimum(times, 65535)
        self._keys.append(keys)
        self._counts.append(counts)
        self._lengths.append(lengths.reshape(-1, FIELDS).astype(np.float32))
        self._size += len(pieces)
