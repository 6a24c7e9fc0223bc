"""What is near what: the paper's clusters beside scikit-learn's."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from sklearn.cluster import DBSCAN
from wiki import hit

from core.embeddings import Vectors
from worker.attribution.clustering.cluster import paper_clusters

HALF_A_STEP = 0.5


class OnACircle:
    """An embedder to which the n-th text lies at the n-th of some degrees."""

    name = "circle"

    def __init__(self, degrees: Sequence[int]) -> None:
        self.degrees = degrees

    def embed(self, texts: Sequence[str]) -> Vectors:
        angles = np.radians([self.degrees[int(text)] for text in texts])
        return np.column_stack([np.cos(angles), np.sin(angles)]).astype(np.float32)


angles = st.lists(st.integers(0, 359), min_size=1, max_size=12)


@given(angles, st.integers(1, 4), st.integers(1, 30))
def test_they_are_those_of_scikit_learn(degrees: list[int], cores: int, reach: int) -> None:
    embedder = OnACircle(degrees)
    hits = [hit(str(number)) for number in range(len(degrees))]
    eps = float(1 - np.cos(np.radians(reach + HALF_A_STEP)))
    vectors = embedder.embed([str(number) for number in range(len(degrees))])
    distances = np.clip(1.0 - vectors @ vectors.T, 0.0, None)
    theirs: dict[object, list[int]] = {}
    found = DBSCAN(eps=eps, min_samples=cores, metric="precomputed").fit_predict(distances)
    for position, label in enumerate(found):
        theirs.setdefault(int(label) if label >= 0 else f"outlier {position}", []).append(position)
    assert paper_clusters(hits, embedder, eps=eps, min_samples=cores) == [
        tuple(group) for group in theirs.values()
    ]
