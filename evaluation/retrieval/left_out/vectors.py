"""Vectors of an index in memory, compared exactly."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import numpy as np

from core.embeddings import Vectors
from evaluation.access.vectors import MemoryVectors


class ExactVectors(MemoryVectors):
    """A collection that stays as it is, so that all similarities are one product of a matrix."""

    def __init__(self, vectors: Mapping[str, Vectors]) -> None:
        super().__init__({piece: ("", vector) for piece, vector in vectors.items()})

    def search(self, vector: Vectors, limit: int) -> dict[str, float]:
        scores = self._matrix @ vector[0]
        best = np.argsort(-scores, kind="stable")[:limit]
        return {self._ids[place]: float(scores[place]) for place in best}

    @cached_property
    def _ids(self) -> list[str]:
        return list(self.rows)

    @cached_property
    def _matrix(self) -> Vectors:
        return np.array([vector for _, vector in self.rows.values()], np.float32)
