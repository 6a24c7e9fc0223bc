"""Vectors in NumPy arrays of this process: a second adapter, which shows how little one takes."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from core.embeddings import Vectors
from core.errors import StoreUnavailable

Stored = dict[str, tuple[str, Vectors]]  # by evidence id: its page and its vector


class InMemoryStores:
    """All collections; opens one by its name."""

    def __init__(self) -> None:
        self._collections: dict[str, Stored] = {}

    def __call__(self, name: str) -> InMemory:
        return InMemory(self._collections, name)


@dataclass(frozen=True)
class InMemory:
    """One collection."""

    collections: dict[str, Stored]
    name: str

    def create(self) -> None:
        self.collections.setdefault(self.name, {})

    def drop(self) -> None:
        self.collections.pop(self.name, None)

    def count(self) -> int:
        return len(self._stored)

    def of_page(self, page_id: str) -> set[str]:
        return {piece for piece, (page, _) in self._stored.items() if page == page_id}

    def replace(
        self,
        page_id: str,
        ids: Sequence[str],
        vectors: Vectors,
        *,
        there: Collection[str],
    ) -> None:
        for piece, vector in zip(ids, vectors, strict=True):
            self._stored[piece] = (page_id, vector)

    def delete(self, ids: Sequence[str]) -> None:
        for piece in ids:
            self._stored.pop(piece, None)

    def search(self, vector: Vectors, limit: int) -> dict[str, float]:
        stored = self._stored
        if not stored:
            return {}
        cosines = np.array([each for _, each in stored.values()]) @ vector[0]
        pairs = zip(stored, cosines.tolist(), strict=True)
        best_first = sorted(pairs, key=lambda pair: -pair[1])
        return dict(best_first[:limit])

    @property
    def _stored(self) -> Stored:
        if self.name not in self.collections:
            raise StoreUnavailable("no such collection; `python -m indexer rebuild` makes it")
        return self.collections[self.name]
