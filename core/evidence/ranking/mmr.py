"""Maximal marginal relevance: the next piece is good, and not like those before it (Carbonell and Goldstein 1998).

An option. On ConfQuestions it moves the figures by half a point in either direction; what says the same is merged anyway.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from core.embeddings import Vectors
from core.evidence.ranking.signals import CandidateScores

LOOKED_AT = 50  # of the best candidates


def diverse(
    scored: Sequence[CandidateScores], vectors: Mapping[str, Vectors], strength: float
) -> list[CandidateScores]:
    """The candidates in a new order; `strength` 0 keeps it, 1 looks at likeness alone. Those behind the first 50 stay behind them.

    Scores keep their order: each piece takes the score of the place it comes to, so that best is still first for whoever compares them.
    """
    best = list(scored[:LOOKED_AT])
    matrix = np.array(
        [vectors.get(each.piece, np.zeros(_size(vectors), np.float32)) for each in best], np.float32
    )
    relevance = _from_0_to_1(np.array([each.fused for each in best], np.float32))
    order: list[int] = []
    likeness = np.zeros(len(best), np.float32)
    for _ in best:
        worth = (1 - strength) * relevance - strength * likeness
        worth[order] = -np.inf
        order.append(int(np.argmax(worth)))
        likeness = np.maximum(likeness, matrix @ matrix[order[-1]])
    moved = [
        replace(best[place], fused=before.fused) for place, before in zip(order, best, strict=True)
    ]
    return [*moved, *scored[LOOKED_AT:]]


def _size(vectors: Mapping[str, Vectors]) -> int:
    return next((len(vector) for vector in vectors.values()), 0)


def _from_0_to_1(scores: Vectors) -> Vectors:
    spread = np.ptp(scores) if scores.size else 0.0
    return (scores - scores.min()) / spread if spread > 0 else np.zeros_like(scores)
