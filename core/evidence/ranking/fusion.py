"""One order from several scores.

By default a weighted sum of z-scores. Each score is normalized by its mean and spread over **all** pieces, not over the candidates:
measured, that lies within .002 of exact scores everywhere, while normalizing over the best 200 of either search lost up to .04 in
conversations (docs/benchmarks.md). Reciprocal rank fusion throws the margins away, and stays for comparison.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


class Signal(NamedTuple):
    """One kind of score of every candidate, shape (candidates,), with its mean and spread over all pieces, and its weight."""

    scores: Floats
    mean: float
    spread: float
    weight: float


def leg(scores: Floats, of_all: Floats, weight: float) -> Signal:
    """The scores of the candidates, and those of all pieces, or of a fair sample of them."""
    return Signal(
        scores,
        float(of_all.mean()) if of_all.size else 0.0,
        float(of_all.std()) if of_all.size else 0.0,
        weight,
    )


def zscore(legs: Sequence[Signal]) -> Floats:
    """Shape (candidates,); a leg in which all pieces are alike says nothing."""
    parts = [
        each.weight * (each.scores - each.mean) / each.spread for each in legs if each.spread > 0
    ]
    return np.sum(parts, axis=0) if parts else np.zeros_like(legs[0].scores)


def rrf(legs: Sequence[Signal], k: int) -> Floats:
    """Reciprocal rank fusion (Cormack, Clarke and Büttcher 2009): 1 / (k + rank), ranks from 1; candidates without a score have no rank."""
    fused = np.zeros(len(legs[0].scores), np.float32)
    for each in legs:
        order = np.argsort(-each.scores, kind="stable")
        ranks = np.empty(len(order), np.float32)
        ranks[order] = np.arange(1, len(order) + 1)
        fused += np.where(each.scores > 0, each.weight / (k + ranks), 0)
    return fused
