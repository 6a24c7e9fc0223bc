"""Postings of a segment: which of its pieces, or pages, hold a term, and how often in each field.

Seven bytes each: a place, and three counts of one byte. A term is known by its hash alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.evidence.lexical.segments.packed import Hashes, hash_of

FIELDS = 3  # title, path, body
MOST = 255  # of a byte; what is counted more often stands in `more`

Floats = NDArray[np.float32]
Counts = NDArray[np.uint16]


@dataclass(frozen=True)
class Postings:
    """By term, ascending; those of a term by place, ascending.

    `terms`, shape (terms,); `starts`, shape (terms + 1,), where each one's postings begin;
    `places`, shape (postings,); `counts`, shape (postings, FIELDS); `lengths`, in terms, shape
    (pieces, FIELDS). `more` are the postings with a count that no byte holds, `more_counts` theirs.
    """

    terms: Hashes = field(default_factory=lambda: np.zeros(0, np.uint64))
    starts: NDArray[np.int64] = field(default_factory=lambda: np.zeros(1, np.int64))
    places: NDArray[np.int32] = field(default_factory=lambda: np.zeros(0, np.int32))
    counts: NDArray[np.uint8] = field(default_factory=lambda: np.zeros((0, FIELDS), np.uint8))
    more: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    more_counts: Counts = field(default_factory=lambda: np.zeros((0, FIELDS), np.uint16))
    lengths: Floats = field(default_factory=lambda: np.zeros((0, FIELDS), np.float32))

    @property
    def size(self) -> int:
        """How many pieces there are."""
        return len(self.lengths)

    def where(self, term: str) -> slice:
        """Where a term's postings stand; empty for one that nothing holds."""
        wanted = np.uint64(hash_of(term))
        at = int(np.searchsorted(self.terms, wanted))
        if at == len(self.terms) or self.terms[at] != wanted:
            return slice(0, 0)
        return slice(int(self.starts[at]), int(self.starts[at + 1]))

    def counted(self, where: slice) -> Counts:
        """How often in each field, shape (postings, FIELDS)."""
        counts = self.counts[where].astype(np.uint16)
        first, last = np.searchsorted(self.more, [where.start, where.stop])
        if first < last:
            counts[self.more[first:last] - where.start] = self.more_counts[first:last]
        return counts

    @cached_property
    def summed(self) -> NDArray[np.float64]:
        """All lengths of a field together, shape (FIELDS,)."""
        total: NDArray[np.float64] = self.lengths.sum(axis=0, dtype=np.float64)
        return total


def narrowed(counts: Counts) -> tuple[NDArray[np.uint8], NDArray[np.int64], Counts]:
    """Counts as bytes, which of them a byte does not hold, and those as they are."""
    more = np.flatnonzero((counts > MOST).any(axis=1))
    return np.minimum(counts, MOST).astype(np.uint8), more, counts[more]
