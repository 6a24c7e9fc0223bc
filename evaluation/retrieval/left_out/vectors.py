"""Vectors of an index in memory, compared exactly; questions are embedded once in a process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np

from core.embeddings import Embedder, Vectors
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


class Remembering:
    """An embedder that embeds each text once."""

    def __init__(self, embedder: Embedder) -> None:
        self.name = embedder.name
        self._embedder = embedder
        self._known: dict[str, Vectors] = {}

    def embed(self, texts: Sequence[str]) -> Vectors:
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if new:
            vectors = self._embedder.embed(new)
            self._known |= zip(new, vectors, strict=True)
        return np.array([self._known[text] for text in texts], np.float32)
