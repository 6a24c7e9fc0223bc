"""Inverted index in memory with BM25F scores; immutable, so searches need no lock.

Postings are three arrays sorted by term and piece. A change makes new arrays by leaving out and
inserting, without sorting anew: one page more costs a third of a second in a hundred thousand
pieces.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Fields(NamedTuple):
    """One number for each field of what is indexed."""

    title: float
    path: float  # the headings above the piece; of a page: all its headings
    body: float


@dataclass(frozen=True)
class BM25F:
    """Robertson and Zaragoza, The Probabilistic Relevance Framework (2009), section 3.6."""

    weights: Fields
    b: Fields  # how much a long field is punished
    k1: float = 0.9  # how soon more occurrences of a word stop counting


FIELDS = 3  # title, path, body
# Pieces that hold a term from which on its frequencies are kept: 3.8 ms for one that 100,000 hold.
COMMON = 500
_SHIFT = np.int64(32)  # a key is a term's number, then the piece's place
_PLACE = 0xFFFFFFFF

Floats = NDArray[np.float32]


class Arrays(NamedTuple):
    """What `Postings` keeps, of pieces that are not in an index yet."""

    keys: NDArray[np.int64]
    counts: NDArray[np.uint16]
    lengths: Floats


class Alternatives(NamedTuple):
    """The terms that stand for one word of a question, each with how well it does."""

    weight: float  # the word's own
    terms: tuple[tuple[str, float], ...]


class Holding(NamedTuple):
    """The pieces that hold a term, and how often they do, as a ranking counts it."""

    places: NDArray[np.int64]
    frequencies: Floats


@dataclass(frozen=True)
class Postings:
    """Which pieces hold a term, and how often in each field.

    `keys`, shape (postings,), ascending; `counts`, shape (postings, FIELDS); `lengths`, in terms,
    shape (pieces, FIELDS).
    """

    # Shared by all versions: numbers are only ever added.
    terms: dict[str, int] = field(default_factory=dict)
    keys: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    counts: NDArray[np.uint16] = field(default_factory=lambda: np.zeros((0, FIELDS), np.uint16))
    lengths: Floats = field(default_factory=lambda: np.zeros((0, FIELDS), np.float32))

    @property
    def size(self) -> int:
        """How many pieces there are."""
        return len(self.lengths)

    def changed(self, kept: NDArray[np.bool_], new: Arrays) -> Postings:
        """The kept pieces of this index in their order, then the new ones.

        The places of the new ones are counted from 0.
        """
        if not kept.any():
            # Without the copies that insertion makes: a whole wiki comes in here.
            return Postings(self.terms, *new)
        new_places = np.cumsum(kept) - 1
        stays = kept[self.keys & _PLACE]
        old_keys = self.keys[stays]
        keys = (old_keys >> _SHIFT << _SHIFT) | new_places[old_keys & _PLACE]
        new_keys = new.keys + kept.sum()
        at = np.searchsorted(keys, new_keys)
        return Postings(
            terms=self.terms,
            keys=np.insert(keys, at, new_keys),
            counts=np.insert(self.counts[stays], at, new.counts, axis=0),
            lengths=np.concatenate([self.lengths[kept], new.lengths]),
        )

    def holding(self, term: str) -> NDArray[np.int64]:
        """The places of the pieces in which a term occurs."""
        return self.keys[self._slice(term)] & _PLACE

    def frequency(self, term: str) -> int:
        """In how many pieces a term occurs."""
        found = self._slice(term)
        return int(found.stop) - int(found.start)

    def scores(self, query: Iterable[Alternatives], ranking: BM25F) -> Floats:
        """BM25F of every piece, shape (pieces,); 0 where no word matches."""
        scores = np.zeros(self.size, np.float32)
        for word in query:
            self._add(scores, word, ranking)
        return scores

    def _add(
        self,
        scores: Floats,
        word: Alternatives,
        ranking: BM25F,
    ) -> None:
        """A word counts once, however many terms stand for it.

        Their frequencies are added up before they are saturated.
        """
        found = [(self._slice(term), share) for term, share in word.terms]
        postings = sum(where.stop - where.start for where, _ in found)
        df = min(self.size, postings)
        if not df:
            return
        idf = np.log(1 + (self.size - df + 0.5) / (df + 0.5))
        weight = word.weight * idf
        if len(found) == 1:
            where, share = found[0]
            holding = self._holding(where, ranking)
            tf = share * holding.frequencies
            scores[holding.places] += weight * tf / (ranking.k1 + tf)
            return
        tf = np.zeros(self.size, np.float32)
        for where, share in found:
            holding = self._holding(where, ranking)
            tf[holding.places] += share * holding.frequencies
        scores += weight * tf / (ranking.k1 + tf)

    def _holding(self, where: slice, ranking: BM25F) -> Holding:
        """Kept for common terms, which take nearly all the time of a search."""
        if where.stop - where.start < COMMON:
            return Holding(self._places(where), self._frequencies(where, ranking))
        if ranking not in self._common:
            self._common.clear()  # the product has one; an experiment goes through many
        known = self._common.setdefault(ranking, {})
        if where.start not in known:
            known[where.start] = Holding(self._places(where), self._frequencies(where, ranking))
        return known[where.start]

    @cached_property
    def _common(self) -> dict[BM25F, dict[int, Holding]]:
        """By ranking, and by where a term's postings begin; at most 12 bytes for each posting."""
        return {}

    def _frequencies(self, where: slice, ranking: BM25F) -> Floats:
        """How often the term occurs in each piece: weighted by field, normalized by its length."""
        b = np.array(ranking.b, np.float32)
        weights = np.array(ranking.weights, np.float32)
        lengths = self.lengths[self._places(where)]
        norms = 1 - b + b * lengths / self._means
        weighted = self.counts[where] * weights
        found: Floats = (weighted / norms).sum(axis=1)
        return found

    def _places(self, where: slice) -> NDArray[np.int64]:
        found: NDArray[np.int64] = self.keys[where] & _PLACE
        return found

    def _slice(self, term: str) -> slice:
        number = self.terms.get(term)
        starts = self._starts
        if number is None or number + 1 >= len(starts):
            return slice(0, 0)
        return slice(int(starts[number]), int(starts[number + 1]))

    @cached_property
    def _starts(self) -> NDArray[np.int64]:
        """Where each term's postings begin, and the last one's end; shape (terms + 1,)."""
        if not len(self.keys):
            return np.zeros(1, np.int64)
        numbers = np.arange((self.keys[-1] >> _SHIFT) + 2)
        return np.searchsorted(self.keys, numbers << _SHIFT)

    @cached_property
    def _means(self) -> Floats:
        if not self.size:
            return np.ones(FIELDS, np.float32)
        means: Floats = self.lengths.mean(axis=0)
        return np.where(means > 0, means, 1).astype(np.float32)


def without(size: int, places: Collection[int]) -> NDArray[np.bool_]:
    """What is kept when the pieces at these places go; shape (size,)."""
    kept = np.ones(size, np.bool_)
    kept[list(places)] = False
    return kept
