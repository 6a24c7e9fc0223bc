"""Rules: suggests which clusters a sentence hangs on, and how, from the answers there are.

ANY: lost if any of them is away. SUM: a part with each. ALL: lost only if all of them are away.
SOME: lost if some are away without the others. A suggestion is no verdict: `confirm` tests it with
fresh answers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import combinations
from math import comb, log

import numpy as np
from numpy.typing import NDArray

from worker.attribution.experiment.trials import Bools, Floats

SMALL = 3  # members up to which every set of clusters is tried
LARGE = 5  # members of the largest set, of the likeliest clusters
LIKELIEST = 8
LEAST_ERROR = 0.1  # of the variation: a better fit may be chance, and is no better reason
LEAST_SCORE = 3.0


class RuleKind(Enum):
    """How the members of a rule act together."""

    ANY = "any"
    SUM = "sum"
    ALL = "all"
    SOME = "some"


@dataclass(frozen=True)
class Rule:
    """Clusters, and how the sentence hangs on them."""

    kind: RuleKind
    members: tuple[int, ...]
    score: float = 0.0

    def predicted(self, away: Bools) -> Floats:
        """The loss in each row of `away`, 0 to 1."""
        counts = away[:, list(self.members)].sum(axis=1)
        return _predicted(self.kind, counts, len(self.members))


class Suggestions:
    """The fits of every small set of clusters to the rows that there are."""

    def __init__(self, away: Bools, prior: Floats) -> None:
        """`away` has a row for each answer, `prior` the chances of each cluster, 0 to 1."""
        self._away = away
        self._prior = prior
        self._members = list(_sets(prior))
        self._reasons = np.array([_reason(prior, members) for members in self._members])
        counts = np.array([away[:, list(members)].sum(axis=1) for members in self._members])
        sizes = np.array([len(members) for members in self._members])[:, None]
        self._predicted = {kind: _predicted(kind, counts, sizes) for kind in RuleKind}

    def score(self, rule: Rule, losses: Floats) -> float:
        """Of a rule for other losses, or of one with more members."""
        variation = losses - losses.mean()
        total = float(variation @ variation)
        predicted = rule.predicted(self._away)[None, :]
        error = 1.0 - float(_explained(predicted, variation)[0]) / total if total > 0 else 1.0
        gain = -len(losses) / 2 * log(max(error, LEAST_ERROR))
        return gain + _reason(self._prior, rule.members)

    def best(
        self,
        losses: Floats,
        *,
        kinds: Collection[RuleKind] = tuple(RuleKind),
        without: Collection[int] = (),
    ) -> Rule | None:
        """The best rule for the losses of one sentence; None where nothing says enough.

        By BIC, n / 2 times the logarithm of the error, and the prior; `without` are no members.
        """
        variation = losses - losses.mean()
        total = float(variation @ variation)
        best: Rule | None = None
        for kind in kinds if total > 0 else ():
            errors = 1.0 - _explained(self._predicted[kind], variation) / total
            gain = -len(losses) / 2 * np.log(np.maximum(errors, LEAST_ERROR))
            for place in np.argsort(-(gain + self._reasons), kind="stable"):
                members = self._members[place]
                score = float(gain[place] + self._reasons[place])
                if score < LEAST_SCORE or (best and score <= best.score):
                    break
                is_twice = len(members) == 1 and kind is not RuleKind.ANY
                if not is_twice and not set(members).intersection(without):
                    best = Rule(kind, members, score)
                    break
        return best


def _predicted(kind: RuleKind, away: NDArray[np.int_], members: NDArray[np.int_] | int) -> Floats:
    """The loss where so many of the members are away."""
    by_kind = {
        RuleKind.ANY: away > 0,
        RuleKind.SUM: away / members,
        RuleKind.ALL: away == members,
        RuleKind.SOME: (away > 0) & (away < members),
    }
    return np.asarray(by_kind[kind], dtype=float)


def _sets(prior: Floats) -> Iterator[tuple[int, ...]]:
    everything = range(len(prior))
    for size in range(1, SMALL + 1):
        yield from combinations(everything, size)
    likeliest = sorted(everything, key=lambda each: -prior[each])[:LIKELIEST]
    for size in range(SMALL + 1, LARGE + 1):
        yield from combinations(sorted(likeliest), size)


def _reason(prior: Floats, members: Sequence[int]) -> float:
    """The logarithm of how likely these are together, before anything was asked."""
    chances = prior[list(members)]
    own = float(np.log(chances / (1 - chances)).sum())
    return own - log(comb(len(prior), len(members))) + log(len(prior))


def _explained(predicted: Floats, variation: Floats) -> Floats:
    """The squared variation that the best line that does not fall explains, for each row."""
    centred = predicted - predicted.mean(axis=1, keepdims=True)
    square = (centred**2).sum(axis=1)
    rise = np.maximum(centred @ variation, 0.0)
    return np.asarray(np.where(square > 0, rise**2 / np.where(square > 0, square, 1.0), 0.0))
