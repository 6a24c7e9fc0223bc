"""Trials, or test answers: without some clusters of evidence, and what of the answer they lost."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.attribution import Tries
from worker.attribution.statistics.losses import FIRST_SENTENCE, LOST, MEAN, Losses

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Trial:
    """An answer without these clusters."""

    away: frozenset[int]
    text: str


@dataclass(frozen=True)
class Trials:
    """Several of them; `losses` has a row for each."""

    clusters: int
    of: tuple[Trial, ...]
    losses: Losses

    @cached_property
    def away(self) -> Bools:
        """Shape (trials, clusters): whether a cluster was away."""
        found = np.zeros((len(self.of), self.clusters), dtype=bool)
        for place, trial in enumerate(self.of):
            found[place, list(trial.away)] = True
        return found

    @cached_property
    def lost(self) -> Bools:
        """Shape (trials, sentences)."""
        return np.asarray(self.losses[:, FIRST_SENTENCE:] >= LOST)

    @property
    def mean_loss(self) -> Floats:
        return np.asarray(self.losses[:, MEAN])

    def tries(self, sentence: int, rows: Bools) -> Tries:
        """In how many of these rows the sentence was lost."""
        return Tries(lost=int(self.lost[rows, sentence].sum()), of=int(rows.sum()))

    def where(self, rows: Bools | Sequence[int]) -> Trials:
        chosen = np.arange(len(self.of))[rows]
        kept = tuple(self.of[place] for place in chosen)
        return Trials(self.clusters, kept, self.losses[chosen])

    def __add__(self, other: Trials) -> Trials:
        losses = np.vstack([self.losses, other.losses])
        return Trials(self.clusters, self.of + other.of, losses)


def all_there(trials: Trials, clusters: Collection[int]) -> Bools:
    """The rows with all of these clusters."""
    return ~np.asarray(trials.away[:, sorted(clusters)].any(axis=1))
