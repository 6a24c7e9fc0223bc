"""Maximal marginal relevance: what is like the pieces before it comes later."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest
from wiki import page, piece

from core.embeddings import Vectors
from core.models import Hit
from evaluation.retrieval.mmr import Diverse

ONE, OTHER = np.array([1, 0], np.float32), np.array([0, 1], np.float32)
HITS = [
    Hit(evidence=piece(text), page=page("1", "Quay"), score=score)
    for text, score in (("a", 3.0), ("b", 2.0), ("c", 1.0))
]
VECTORS: dict[str, Vectors] = {
    hit.evidence.id: vector for hit, vector in zip(HITS, (ONE, ONE, OTHER), strict=True)
}


def reranked(strength: float, vectors: Mapping[str, Vectors] = VECTORS) -> tuple[Hit, ...]:
    return Diverse(lambda _ids: vectors, strength).rerank("", HITS)


def order(hits: tuple[Hit, ...]) -> str:
    return "".join(hit.evidence.text for hit in hits)


@pytest.mark.parametrize(
    ("strength", "expected"), [(0.0, "abc"), (0.2, "abc"), (0.6, "acb"), (1.0, "acb")]
)
def test_the_stronger_the_more_likeness_counts(strength: float, expected: str) -> None:
    assert order(reranked(strength)) == expected


def test_the_best_piece_stays_first_and_scores_stay_in_order() -> None:
    assert [hit.score for hit in reranked(0.6)] == [3.0, 2.0, 1.0]


def test_a_piece_without_a_vector_is_like_no_other() -> None:
    known = {hit.evidence.id: ONE for hit in HITS[:2]}
    assert order(reranked(0.6, known)) == "acb"
    assert order(reranked(0.6, {})) == "abc"
    assert Diverse(lambda _ids: {}, 0.5).rerank("", []) == ()
