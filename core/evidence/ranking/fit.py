"""Fit ranking weights to questions whose pages are known, without fitting their noise.

Coordinate descent over a declared grid. It knows nothing of corpora: a group is whatever shares
its peculiarities, a corpus in the benchmark, a fold of an operator's pages in
`python -m indexer tune`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.evidence.ranking.grid import GRID, moved, weight
from core.evidence.ranking.weights import PRODUCT, Ranking

# How well each question of a group went, shape (questions,), from 0 (wrong) to 1 (right), in the
# same order for every ranking. Wordings of one question are one entry, their mean: they are right
# or wrong together, and count as one.
Outcomes = NDArray[np.float64]
Measure = Callable[[Ranking], Outcomes]

# Weights move for gains of more than one standard error. That is the rule of Breiman, Friedman,
# Olshen and Stone, Classification and Regression Trees (1984), section 3.4.3: of what cannot be
# told apart, the simplest is taken, here the weights that are there already. Two standard errors
# (a test at 95 %) would need 4 points of some hundred questions, which no single weight brings.
NOISE = 1.0
FEWEST = 3.0  # questions that must have been gained in all: below that, one typo decides
ROUNDS = 3  # through all weights at most


@dataclass(frozen=True)
class Gain:
    """What another ranking brings: the mean of the groups' differences, and its uncertainty.

    The macro-average, so that a large corpus does not outweigh a small one. Differences are paired
    by question: the standard error of McNemar's test where outcomes are 0 and 1.
    """

    mean: float
    error: float  # standard error of the mean
    questions: float  # gained in all groups together
    groups: int  # that gained
    of: int  # groups

    @classmethod
    def between(cls, before: Mapping[str, Outcomes], after: Mapping[str, Outcomes]) -> Gain:
        """Of two rankings, from the outcomes of each group in each of them."""
        pairs = [after[name] - before[name] for name in before if len(before[name])]
        if not pairs:
            return cls(0.0, 0.0, 0.0, 0, 0)
        means = [float(pair.mean()) for pair in pairs]
        variances = [float(pair.var()) / len(pair) for pair in pairs]
        return cls(
            mean=float(np.mean(means)),
            error=math.sqrt(sum(variances)) / len(pairs),
            questions=sum(float(pair.sum()) for pair in pairs),
            groups=sum(mean > 0 for mean in means),
            of=len(pairs),
        )

    def counts(self, noise: float) -> bool:
        """Whether it is more than noise, and no peculiarity of a single group."""
        if self.mean <= noise * self.error or self.mean <= 0:
            return False
        if noise and self.questions < FEWEST:
            return False
        return self.groups > 1 or self.of == 1 or not noise


@dataclass(frozen=True)
class Move:
    """A weight that moved, and what that brought."""

    weight: str
    before: float
    after: float
    gain: Gain


@dataclass(frozen=True)
class Fitted:
    """The weights that were chosen, and the way there."""

    ranking: Ranking
    moves: tuple[Move, ...]
    tried: int  # rankings that were compared


class Groups:
    """Measures every group with a ranking, each ranking once, however often it is asked for."""

    def __init__(self, measures: Mapping[str, Measure]) -> None:
        self._measures = measures
        self._known: dict[Ranking, dict[str, Outcomes]] = {}

    def __call__(self, ranking: Ranking) -> Mapping[str, Outcomes]:
        if ranking not in self._known:
            measured = {name: measure(ranking) for name, measure in self._measures.items()}
            self._known[ranking] = measured
        return self._known[ranking]

    @property
    def measured(self) -> int:
        """How many rankings were measured."""
        return len(self._known)


def fit(
    measures: Mapping[str, Measure],
    *,
    start: Ranking = PRODUCT,
    grid: Mapping[str, tuple[float, ...]] = GRID,
    noise: float = NOISE,
) -> Fitted:
    """The weights that find most, on average over the groups; those of `start` where in doubt.

    `noise` is in standard errors; with 0 every gain counts, which shows how much can be had by
    fitting to the questions themselves.
    """
    groups = Groups(measures)
    ranking, moves = start, list[Move]()
    for _ in range(ROUNDS):
        before = len(moves)
        for name in grid:
            if move := _best_move(groups, ranking, name, grid[name], noise=noise):
                ranking = moved(ranking, name, move.after)
                moves.append(move)
        if len(moves) == before:
            break
    names = dict.fromkeys(move.weight for move in moves)
    if noise:
        ranking = _taken_back(groups, ranking, start, names, noise=noise)
    kept = [move for move in moves if weight(ranking, move.weight) == move.after]
    return Fitted(ranking, tuple(kept), groups.measured)


def _best_move(
    groups: Groups,
    ranking: Ranking,
    name: str,
    values: Iterable[float],
    *,
    noise: float,
) -> Move | None:
    """The value of one weight that brings most, if that counts."""
    here = weight(ranking, name)
    best: Move | None = None
    for value in values:
        if value == here:
            continue
        gain = Gain.between(groups(ranking), groups(moved(ranking, name, value)))
        if gain.counts(noise) and (best is None or gain.mean > best.gain.mean):
            best = Move(name, here, value, gain)
    return best


def _taken_back(
    groups: Groups,
    ranking: Ranking,
    start: Ranking,
    names: Iterable[str],
    *,
    noise: float,
) -> Ranking:
    """Without the moves that later ones have made needless: in doubt, the weights of `start`."""
    for name in names:
        back = moved(ranking, name, weight(start, name))
        if not Gain.between(groups(back), groups(ranking)).counts(noise):
            ranking = back
    return ranking
