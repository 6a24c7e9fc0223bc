"""An inverted index in memory: which pieces hold a term, and how much of it. Immutable, so searches need no lock.

Postings are three arrays sorted by term and piece. A change makes new arrays by leaving out and inserting, without sorting anew: one
page more costs a third of a second in a hundred thousand pieces.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.evidence.lexical.analyzer import words


class Fields(NamedTuple):
    """One number for each field of what is indexed."""

    title: float
    path: float  # the headings above the piece; of a page: all its headings
    body: float


@dataclass(frozen=True)
class BM25F:
    """Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond (2009), section 3.6."""

    weights: Fields
    b: Fields  # how much a long field is punished
    k1: float = 0.9  # how soon more occurrences of a word stop counting


FIELDS = 3  # title, path, body
_SHIFT = np.int64(32)  # a key is a term's number, then the piece's place

Floats = NDArray[np.float32]


class FieldTerms(NamedTuple):
    """The terms of something that can be found, by field."""

    title: Mapping[str, int]
    path: Mapping[str, int]
    body: Mapping[str, int]


class Arrays(NamedTuple):
    """What `Postings` keeps, of pieces that are not in an index yet."""

    keys: NDArray[np.int64]
    counts: NDArray[np.uint16]
    lengths: Floats


class Alternatives(NamedTuple):
    """What stands for one word of a question: terms and how well each stands for it; `weight` is the word's own."""

    weight: float
    terms: tuple[tuple[str, float], ...]


def counted(title: str, path: str, body: str) -> FieldTerms:
    return FieldTerms(Counter(words(title)), Counter(words(path)), Counter(words(body)))


@dataclass(frozen=True)
class Postings:
    """`keys`, shape (postings,), ascending; `counts`, shape (postings, FIELDS); `lengths`, in terms, shape (pieces, FIELDS)."""

    terms: dict[str, int] = field(
        default_factory=dict
    )  # shared by all versions: numbers are only ever added
    keys: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    counts: NDArray[np.uint16] = field(default_factory=lambda: np.zeros((0, FIELDS), np.uint16))
    lengths: Floats = field(default_factory=lambda: np.zeros((0, FIELDS), np.float32))

    @property
    def size(self) -> int:
        """How many pieces there are."""
        return len(self.lengths)

    def changed(self, kept: NDArray[np.bool_], new: Arrays) -> Postings:
        """The pieces of this index that are kept, in their order, and behind them the new ones, whose places are counted from 0."""
        if not kept.any():
            return Postings(
                self.terms, *new
            )  # without the copies that insertion makes: a whole wiki comes in here
        places = np.cumsum(kept) - 1
        stays = kept[self.keys & 0xFFFFFFFF]
        keys = (self.keys[stays] >> _SHIFT << _SHIFT) | places[self.keys[stays] & 0xFFFFFFFF]
        new_keys = new.keys + kept.sum()
        at = np.searchsorted(keys, new_keys)
        return Postings(
            terms=self.terms,
            keys=np.insert(keys, at, new_keys),
            counts=np.insert(self.counts[stays], at, new.counts, axis=0),
            lengths=np.concatenate([self.lengths[kept], new.lengths]),
        )

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

    def _add(self, scores: Floats, word: Alternatives, ranking: BM25F) -> None:
        """A word counts once, however many terms stand for it: their frequencies are added up before they are saturated."""
        found = [(self._slice(term), weight) for term, weight in word.terms]
        df = min(self.size, sum(where.stop - where.start for where, _ in found))
        if not df:
            return
        weight = word.weight * np.log(1 + (self.size - df + 0.5) / (df + 0.5))
        if len(found) == 1:
            where, share = found[0]
            tf = share * self._frequencies(where, ranking)
            scores[self._places(where)] += weight * tf / (ranking.k1 + tf)
            return
        tf = np.zeros(self.size, np.float32)
        for where, share in found:
            tf[self._places(where)] += share * self._frequencies(where, ranking)
        scores += weight * tf / (ranking.k1 + tf)

    def _frequencies(self, where: slice, ranking: BM25F) -> Floats:
        """How often the term occurs in each of its pieces: weighted by field, and normalized by the field's length."""
        b, weights = np.array(ranking.b, np.float32), np.array(ranking.weights, np.float32)
        norms = 1 - b + b * self.lengths[self._places(where)] / self._means
        found: Floats = (self.counts[where] * weights / norms).sum(axis=1)
        return found

    def _places(self, where: slice) -> NDArray[np.int64]:
        found: NDArray[np.int64] = self.keys[where] & 0xFFFFFFFF
        return found

    def _slice(self, term: str) -> slice:
        number = self.terms.get(term)
        if number is None:
            return slice(0, 0)
        start, stop = np.searchsorted(self.keys, np.array([number, number + 1], np.int64) << _SHIFT)
        return slice(int(start), int(stop))

    @cached_property
    def _means(self) -> Floats:
        means: Floats = self.lengths.mean(axis=0) if self.size else np.ones(FIELDS, np.float32)
        return np.where(means > 0, means, 1).astype(np.float32)


def without(size: int, places: Collection[int]) -> NDArray[np.bool_]:
    """What is kept when the pieces at these places go; shape (size,)."""
    kept = np.ones(size, np.bool_)
    kept[list(places)] = False
    return kept
