"""Fusion: one order from several scores, by a weighted sum of z-scores.

Each score is normalized by its mean and standard deviation over **all** pieces, not over the
candidates: measured, that lies within .002 of exact scores everywhere, while normalizing over the
best 200 of either search lost up to .04 in conversations (docs/benchmarks.md).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


class Signal(NamedTuple):
    """One kind of score of every candidate, shape (candidates,), with statistics and weight."""

    scores: Floats
    mean: float  # over all pieces
    spread: float  # standard deviation over all pieces
    weight: float

    def weighted_zscores(self) -> Floats:
        return self.weight * (self.scores - self.mean) / self.spread


# From the signals of all candidates one score each, shape (candidates,).
Fusion = Callable[[Sequence[Signal]], Floats]


def make_signal(scores: Floats, of_all: Floats, weight: float) -> Signal:
    """From the scores of the candidates, and those of all pieces or of a fair sample of them."""
    if not of_all.size:
        return Signal(scores, 0.0, 0.0, weight)
    mean = float(of_all.mean())
    spread = float(of_all.std())
    return Signal(scores, mean, spread, weight)


def zscore(signals: Sequence[Signal]) -> Floats:
    """Shape (candidates,); a signal in which all pieces are alike says nothing."""
    parts = [each.weighted_zscores() for each in signals if each.spread > 0]
    if not parts:
        return np.zeros_like(signals[0].scores)
    fused: Floats = np.sum(parts, axis=0)
    return fused
