"""Maximal marginal relevance (MMR): the next piece is good, and not like those before it.

Carbonell and Goldstein 1998. An option: on ConfQuestions it moves the figures by half a point in
either direction; duplicates are merged anyway.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from core.embeddings import Vectors
from core.evidence.ranking.signals import CandidateScores

LOOKED_AT = 50  # of the best candidates


def diverse(
    scored: Sequence[CandidateScores],
    vectors: Mapping[str, Vectors],
    strength: float,
) -> list[CandidateScores]:
    """The first 50 candidates in a new order; `strength` 0 keeps it, 1 looks at likeness alone.

    Scores keep their order: each piece takes the score of the place it comes to, so that the best
    is still first for whoever compares scores.
    """
    best = list(scored[:LOOKED_AT])
    unknown = np.zeros(_size(vectors), np.float32)
    rows = [vectors.get(each.piece, unknown) for each in best]
    matrix = np.array(rows, np.float32)
    scores = [each.fused for each in best]
    relevance = _from_0_to_1(np.array(scores, np.float32))
    order: list[int] = []
    likeness = np.zeros(len(best), np.float32)
    for _ in best:
        worth = (1 - strength) * relevance - strength * likeness
        worth[order] = -np.inf
        order.append(int(np.argmax(worth)))
        likeness = np.maximum(likeness, matrix @ matrix[order[-1]])
    pairs = zip(order, best, strict=True)
    moved = [replace(best[place], fused=before.fused) for place, before in pairs]
    return [*moved, *scored[LOOKED_AT:]]


def _size(vectors: Mapping[str, Vectors]) -> int:
    for vector in vectors.values():
        return len(vector)
    return 0


def _from_0_to_1(scores: Vectors) -> Vectors:
    spread = np.ptp(scores) if scores.size else 0.0
    if spread <= 0:
        return np.zeros_like(scores)
    scaled: Vectors = (scores - scores.min()) / spread
    return scaled
