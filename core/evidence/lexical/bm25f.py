"""BM25F scores over the postings of several segments, as if they were one.

What is gone stays in its segment until that is merged. It keeps its place and counts for nothing:
neither in how many pieces have a term, nor in how long they are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from math import log1p
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.evidence.lexical.segments.postings import FIELDS, Floats, Postings


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


class Alternatives(NamedTuple):
    """The terms that stand for one word of a question, each with how well it does."""

    weight: float  # the word's own
    terms: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class LivePart:
    """Postings of a segment in a larger whole."""

    postings: Postings
    first: int  # the place of its first piece in the whole
    gone: NDArray[np.bool_] | None  # which of its pieces, shape (pieces,); None: none of them

    @cached_property
    def size(self) -> int:
        """How many pieces are there."""
        return self.postings.size if self.gone is None else int((~self.gone).sum())

    @cached_property
    def summed(self) -> NDArray[np.float64]:
        """All their lengths, by field."""
        if self.gone is None:
            return self.postings.summed
        lost = self.postings.lengths[self.gone].sum(axis=0, dtype=np.float64)
        found: NDArray[np.float64] = self.postings.summed - lost
        return found

    def frequency(self, where: slice) -> int:
        """How many of these postings are of pieces that are there."""
        there = int(where.stop) - int(where.start)
        if self.gone is None:
            return there
        return there - int(np.count_nonzero(self.gone[self.postings.places[where]]))


class _HeldTerm(NamedTuple):
    """Where a part holds a term, and how well that stands for the word."""

    term: str
    number: int  # of the part
    where: slice
    share: float


@dataclass(frozen=True)
class LivePostings:
    """What all parts hold; pieces have the places of the first part, then those of the next."""

    parts: tuple[LivePart, ...] = ()

    @property
    def total(self) -> int:
        """How many places there are."""
        return sum(part.postings.size for part in self.parts)

    @cached_property
    def size(self) -> int:
        """How many pieces are there."""
        return sum(part.size for part in self.parts)

    def holding(self, term: str) -> NDArray[np.int64]:
        """The places of the pieces in which a term occurs."""
        return np.concatenate([np.zeros(0, np.int64), *self.places(term)])

    def places(self, term: str) -> Iterator[NDArray[np.int64]]:
        """The same by part, those that are looked at first in small numbers."""
        for part in self.parts:
            where = part.postings.where(term)
            for start in range(where.start, where.stop, _LOOKED_AT):
                found = part.postings.places[start : min(start + _LOOKED_AT, where.stop)]
                if part.gone is not None:
                    found = found[~part.gone[found]]
                yield found.astype(np.int64) + part.first

    def frequency(self, term: str) -> int:
        """In how many pieces a term occurs."""
        return sum(part.frequency(part.postings.where(term)) for part in self.parts)

    def scores(self, query: Iterable[Alternatives], ranking: BM25F) -> Floats:
        """BM25F by place, shape (total,); 0 where no word matches, of no meaning where one went."""
        scores = np.zeros(self.total, np.float32)
        norms = self._norms(ranking)
        for word in query:
            self._add(scores, word, ranking, norms)
        return scores

    def _add(
        self, scores: Floats, word: Alternatives, ranking: BM25F, norms: tuple[Floats, ...]
    ) -> None:
        """A word counts once, however many terms stand for it.

        Their frequencies are added up before they are saturated. It is as rare as the commonest of
        them: added up, many would make every word a common one.
        """
        found = list(self._held(word))
        pieces: dict[str, int] = defaultdict(int)
        for each in found:
            pieces[each.term] += self.parts[each.number].frequency(each.where)
        df = max(pieces.values(), default=0)
        if not df:
            return
        weight = word.weight * log1p((self.size - df + 0.5) / (df + 0.5))
        told = [(self._places(each), self._frequencies(each, norms)) for each in found]
        if len(word.terms) == 1:
            for places, tf in told:
                scores[places] += weight * tf / (ranking.k1 + tf)
            return
        together = np.zeros(len(scores), np.float32)
        for places, tf in told:
            together[places] += tf
        for places, _ in told:
            tf = together[places]
            scores[places] += weight * tf / (ranking.k1 + tf)
            together[places] = 0  # whoever holds another of the terms too has been counted

    def _held(self, word: Alternatives) -> Iterator[_HeldTerm]:
        for term, share in word.terms:
            for number, part in enumerate(self.parts):
                where = part.postings.where(term)
                if where.start < where.stop:
                    yield _HeldTerm(term, number, where, share)

    def _places(self, held: _HeldTerm) -> NDArray[np.int64]:
        part = self.parts[held.number]
        return part.postings.places[held.where].astype(np.int64) + part.first

    def _frequencies(self, held: _HeldTerm, norms: tuple[Floats, ...]) -> Floats:
        """How often the term occurs in each piece: weighted by field, normalized by its length."""
        postings = self.parts[held.number].postings
        of_places = norms[held.number][postings.places[held.where]]
        counts = postings.counted(held.where).astype(np.float32)
        found: Floats = np.einsum("ij,ij->i", counts, of_places)
        return held.share * found if held.share != 1.0 else found

    def _norms(self, ranking: BM25F) -> tuple[Floats, ...]:
        """What one occurrence counts in each field of each piece; by part, (pieces, FIELDS)."""
        known = self._known_norms.get(ranking)
        if known is None:
            self._known_norms.clear()  # the product has one; an experiment goes through many
            b = np.array(ranking.b, np.float32)
            weights = np.array(ranking.weights, np.float32)
            known = tuple(
                np.asarray(weights / (1 - b + b / self._means * part.postings.lengths), np.float32)
                for part in self.parts
            )
            self._known_norms[ranking] = known
        return known

    @cached_property
    def _known_norms(self) -> dict[BM25F, tuple[Floats, ...]]:
        return {}

    @cached_property
    def _means(self) -> Floats:
        summed = sum((part.summed for part in self.parts), np.zeros(FIELDS))
        means = summed / max(self.size, 1)
        return np.where(means > 0, means, 1).astype(np.float32)


_LOOKED_AT = 4096  # postings
