"""Designs: which clusters are away in which test answer, at random, each equally often."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

ROWS = 16
FEW = 6  # clusters up to which fewer are away at once, so that most rows have something to say
AWAY, AWAY_OF_FEW = 8, 6  # of 16 rows, how often a cluster is away
FACTORIAL = 4  # clusters up to which there are not more subsets than rows: all are asked
TRIES = 2_000  # designs that are drawn before rows may repeat

Row = frozenset[int]  # the clusters that are away
Generator = np.random.Generator


def first_rows(clusters: int, random: Generator) -> list[Row]:
    """16 rows; each cluster is away in 8 of them, in 6 where there are few clusters."""
    if clusters <= FACTORIAL:
        every = subsets_of(range(clusters))
        return every * (ROWS // len(every))
    away = AWAY_OF_FEW if clusters <= FEW else AWAY
    return drawn(clusters, rows=ROWS, away=away, random=random)


def subsets_of(pieces: Collection[int]) -> list[Row]:
    """All of them, the empty one first."""
    sizes = range(len(pieces) + 1)
    return [frozenset(each) for size in sizes for each in combinations(sorted(pieces), size)]


def drawn(
    clusters: int,
    *,
    rows: int,
    away: int,
    random: Generator,
    known: Collection[Row] = (),
) -> list[Row]:
    """Rows in which each cluster is away so often, columns drawn independently.

    Rejection sampling: no row is full, empty, known or there twice, as far as that is possible.
    """
    best: list[Row] = []
    most = -1
    for _ in range(TRIES):
        order = random.random((clusters, rows)).argsort(axis=1)
        found = _rows(away > order.T)
        fresh = {row for row in found if 0 < len(row) < clusters}.difference(known)
        if len(fresh) > most:
            best, most = found, len(fresh)
        if most == rows:
            break
    return best


def subset(
    pieces: Iterable[int],
    size: int,
    random: Generator,
) -> frozenset[int]:
    """So many of these, at random."""
    chosen = random.permutation(np.array(sorted(pieces), dtype=int))[: max(size, 0)]
    return frozenset(map(int, chosen))


def subsets(pieces: int, size: int) -> int:
    """How many different ones there are."""
    return comb(pieces, size) if 0 <= size <= pieces else 0


def _rows(away: NDArray[np.bool_]) -> list[Row]:
    return [frozenset(map(int, np.flatnonzero(row))) for row in away]
