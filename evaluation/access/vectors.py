"""Vectors in memory, as a vector store: a history begins with a copy of an index."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

import numpy as np

from core.embeddings import Vectors


@dataclass
class MemoryVectors:
    """One collection, see core.evidence.dense.vector_stores.VectorStore."""

    rows: dict[str, tuple[str, Vectors]] = field(default_factory=dict)  # (page, vector) by id

    def create(self) -> None:
        """Nothing is needed."""

    def drop(self) -> None:
        self.rows.clear()

    def count(self) -> int:
        return len(self.rows)

    def of_page(self, page_id: str) -> set[str]:
        return {each for each, (page, _) in self.rows.items() if page == page_id}

    def replace(
        self,
        page_id: str,
        ids: Sequence[str],
        vectors: Vectors,
        *,
        there: Collection[str],
    ) -> None:
        del there
        for each, vector in zip(ids, vectors, strict=True):
            self.rows[each] = (page_id, vector)

    def delete(self, ids: Sequence[str]) -> None:
        for each in ids:
            self.rows.pop(each, None)

    def search(self, vector: Vectors, limit: int) -> dict[str, float]:
        rows = dict(self.rows)
        scores = {each: float(np.dot(vector[0], found)) for each, (_, found) in rows.items()}
        best = sorted(scores, key=lambda each: -scores[each])[:limit]
        return {each: scores[each] for each in best}


@dataclass
class MemoryStores:
    """The collections by name."""

    collections: dict[str, MemoryVectors] = field(default_factory=dict)

    def __call__(self, name: str) -> MemoryVectors:
        return self.collections.setdefault(name, MemoryVectors())

    def copy(self) -> MemoryStores:
        copies = {name: MemoryVectors(dict(each.rows)) for name, each in self.collections.items()}
        return MemoryStores(copies)
