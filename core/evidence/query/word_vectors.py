"""Word vectors of the pages, in which the words nearest to one are found without comparing all.

Most of a vector's length lies along few directions of all words. A vector along these alone, and
how long the rest of it is, bound how similar two words can be (Cauchy and Schwarz); only words
whose bound is high enough are compared in full, so the result is that of comparing with all.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from core.embeddings import Vectors
from core.evidence.lexical.segments.packed import Texts
from core.one_thread import one_thread

DIRECTIONS = 128  # hold .89 of the squared length of German and English words, 64 hold .76
AT_ONCE = 64  # words of a question: 10 MB of bounds with 40,000 words of pages
_SEEDS = 4  # times as many words as are wanted are compared first: the worst of them excludes more
_ROUNDING = 1e-5


def _nothing() -> Vectors:
    return np.zeros((0, 0), np.float32)


class NearWord(NamedTuple):
    """A word of the pages, and how similar it is to one that was asked."""

    similar: float
    word: str


@dataclass(frozen=True)
class WordVectors:
    """Words, `vectors` of shape (words, dimensions) and length 1, and what bounds a comparison."""

    written: Texts = field(default_factory=Texts)
    vectors: Vectors = field(default_factory=_nothing)
    directions: Vectors = field(default_factory=_nothing)  # shape (dimensions, directions)
    heads: Vectors = field(default_factory=_nothing)  # along the directions
    rests: Vectors = field(default_factory=lambda: np.zeros(0, np.float32))  # length of the rest

    @cached_property
    def places(self) -> dict[str, int]:
        return {word: place for place, word in enumerate(self.written)}

    def with_more(self, found: Mapping[str, Vectors]) -> WordVectors:
        """With these words too; the directions are those of the first words."""
        if not found:
            return self
        new = np.array(list(found.values()), np.float32)
        directions = self.directions if len(self.written) else _main_directions(new)
        heads, rests = _along(directions, new)
        return self.joined(WordVectors(Texts.of(found), new, directions, heads, rests))

    def joined(self, other: WordVectors) -> WordVectors:
        """Both, with the directions of the first one."""
        if not len(self.written):
            return other
        if not len(other.written):
            return self
        heads, rests = other.heads, other.rests
        if other.directions is not self.directions:
            heads, rests = _along(self.directions, other.vectors)
        return WordVectors(
            Texts.of([*self.written, *other.written]),
            np.concatenate([self.vectors, other.vectors]),
            self.directions,
            np.concatenate([self.heads, heads]),
            np.concatenate([self.rests, rests]),
        )

    def only(self, words: Collection[str]) -> WordVectors:
        """Those of these words."""
        kept = np.array([word in words for word in self.written], np.bool_)
        if kept.all():
            return self
        return WordVectors(
            Texts.chosen([(self.written, kept)]),
            self.vectors[kept],
            self.directions,
            self.heads[kept],
            self.rests[kept],
        )

    def vector(self, word: str) -> Vectors | None:
        """Shape (dimensions,)."""
        place = self.places.get(word)
        return None if place is None else self.vectors[place]

    def nearest(self, asked: Vectors, most: int, enough: float) -> Iterator[list[NearWord]]:
        """For each row of `asked`: the `most` words nearest to it, nearest first.

        None whose cosine similarity is below `enough`.
        """
        if not len(self.written):
            yield from ([] for _ in asked)
            return
        for start in range(0, len(asked), AT_ONCE):
            batch = asked[start : start + AT_ONCE]
            with one_thread():
                bounds = self._bounds(batch)
                found = [
                    self._best(vector, bound, most, enough)
                    for vector, bound in zip(batch, bounds, strict=True)
                ]
            yield from found

    def _bounds(self, asked: Vectors) -> Vectors:
        """The highest similarity that each pair can have, shape (asked, words)."""
        heads, rests = _along(self.directions, asked)
        bounds: Vectors = heads @ self.heads.T
        bounds += np.outer(rests, self.rests)
        return bounds

    def _best(self, vector: Vectors, bound: Vectors, most: int, enough: float) -> list[NearWord]:
        seeds = min(_SEEDS * most, len(bound))
        likely = np.argpartition(bound, -seeds)[-seeds:]
        known = np.sort(self.vectors[likely] @ vector)[-most:]
        least = max(enough, float(known[0])) if len(known) == most else enough
        places = np.flatnonzero(bound >= least - _ROUNDING)
        similar = self.vectors[places] @ vector
        order = np.argsort(-similar, kind="stable")[:most]
        best = order[similar[order] >= enough]
        return [NearWord(float(similar[at]), self.written[places[at]]) for at in best.tolist()]


def _main_directions(vectors: Vectors) -> Vectors:
    """The directions along which most of the vectors' length lies, shape (dimensions, directions).

    Eigenvectors of their second moment, those of the greatest eigenvalues.
    """
    with one_thread():
        _, found = np.linalg.eigh(vectors.T @ vectors)
    return np.ascontiguousarray(found[:, ::-1][:, :DIRECTIONS], np.float32)


def _along(directions: Vectors, vectors: Vectors) -> tuple[Vectors, Vectors]:
    """Vectors along the directions, and the length of what is left of each."""
    with one_thread():
        heads: Vectors = vectors @ directions
    whole = np.einsum("ij,ij->i", vectors, vectors)
    left = whole - np.einsum("ij,ij->i", heads, heads)
    return heads, np.sqrt(np.maximum(left, 0)).astype(np.float32)
