"""Maximal marginal relevance (MMR): the next piece is good, and not like those before it.

Carbonell and Goldstein 1998. It takes the place of a reranker, so it sees what one sees: hits that
are deduplicated already.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.embeddings import Vectors
from core.models import Hit
from core.pages import PageKey

# The vectors of pieces by their ids; each has shape (dimensions,).
VectorsOf = Callable[[Sequence[str]], Mapping[str, Vectors]]


@dataclass(frozen=True)
class Diverse:
    """A reranker; `strength` 0 keeps the order, 1 looks at likeness alone."""

    vectors_of: VectorsOf
    strength: float

    def rerank(
        self,
        question: str,
        hits: Sequence[Hit],
        *,
        pages: Collection[PageKey] = (),
    ) -> tuple[Hit, ...]:
        """Scores keep their order: each hit takes the score of the place it comes to.

        So the best is still first for whoever compares scores.
        """
        ids = [hit.evidence.id for hit in hits]
        order = _order(hits, _matrix(self.vectors_of(ids), ids), self.strength)
        moved: list[Hit] = []
        for place, before in zip(order, hits, strict=True):
            score = {"score": before.score}
            moved.append(hits[place].model_copy(update=score))
        return tuple(moved)


def _matrix(vectors: Mapping[str, Vectors], ids: Sequence[str]) -> Vectors:
    """Shape (pieces, dimensions); zeros for a piece without a vector, which is like no other."""
    unknown = np.zeros_like(next(iter(vectors.values()), np.zeros(0, np.float32)))
    rows = [vectors.get(each, unknown) for each in ids]
    return np.array(rows, np.float32)


def _order(
    hits: Sequence[Hit],
    matrix: Vectors,
    strength: float,
) -> list[int]:
    scores = np.array([hit.score for hit in hits], np.float32)
    relevance = _from_0_to_1(scores)
    order: list[int] = []
    likeness = np.zeros(len(hits), np.float32)
    for _ in hits:
        worth = (1 - strength) * relevance - strength * likeness
        worth[order] = -np.inf
        order.append(int(np.argmax(worth)))
        likeness = np.maximum(likeness, matrix @ matrix[order[-1]])
    return order


def _from_0_to_1(scores: Vectors) -> Vectors:
    spread = np.ptp(scores) if scores.size else 0.0
    if spread <= 0:
        return np.zeros_like(scores)
    scaled: Vectors = (scores - scores.min()) / spread
    return scaled
