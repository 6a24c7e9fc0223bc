"""Maximal marginal relevance: what is like the pieces before it comes later."""

from __future__ import annotations

import numpy as np
import pytest

from core.embeddings import Vectors
from core.evidence.ranking.mmr import LOOKED_AT, diverse
from core.evidence.ranking.signals import CandidateScores

ONE, OTHER = np.array([1, 0], np.float32), np.array([0, 1], np.float32)
VECTORS: dict[str, Vectors] = {"a": ONE, "b": ONE, "c": OTHER}
SCORED = [
    CandidateScores(piece, fused, 0.0, 0.0, 0.0)
    for piece, fused in (("a", 3.0), ("b", 2.0), ("c", 1.0))
]


@pytest.mark.parametrize(
    ("strength", "order"), [(0.0, "abc"), (0.2, "abc"), (0.6, "acb"), (1.0, "acb")]
)
def test_the_stronger_the_more_likeness_counts(strength: float, order: str) -> None:
    assert "".join(each.piece for each in diverse(SCORED, VECTORS, strength)) == order


def test_the_best_piece_stays_first_and_scores_stay_in_order() -> None:
    assert [each.fused for each in diverse(SCORED, VECTORS, 0.6)] == [3.0, 2.0, 1.0]


def test_a_piece_without_a_vector_is_like_no_other() -> None:
    assert [each.piece for each in diverse(SCORED, {"a": ONE, "b": ONE}, 0.6)] == ["a", "c", "b"]
    assert diverse([], {}, 0.5) == []


def test_what_stands_behind_the_best_stays_there() -> None:
    many = [CandidateScores(str(n), -float(n), 0.0, 0.0, 0.0) for n in range(LOOKED_AT + 3)]
    assert [each.piece for each in diverse(many, {}, 0.5)][LOOKED_AT:] == [
        str(n) for n in range(LOOKED_AT, LOOKED_AT + 3)
    ]
