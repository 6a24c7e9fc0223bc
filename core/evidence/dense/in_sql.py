"""No vector store: the vectors are in SQL, and the index of this host finds them by their codes."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from core.embeddings import Vectors
from core.errors import StoreUnavailable

IN_SQL = "-in-sql"  # ends the name of a collection that no vector store has


class InSql:
    """A vector store (core.evidence.dense.vector_stores) that has nothing to do."""

    def create(self) -> None:
        pass

    def drop(self) -> None:
        pass

    def count(self) -> int:
        return 0

    def of_page(self, page_id: str) -> set[str]:
        return set()

    def replace(
        self, page_id: str, ids: Sequence[str], vectors: Vectors, *, there: Collection[str]
    ) -> None:
        pass

    def delete(self, ids: Sequence[str]) -> None:
        pass

    def search(self, vector: Vectors, limit: int) -> dict[str, float]:
        raise StoreUnavailable("the codes of the vectors are being made: found by words until then")


def in_sql(_collection: str) -> InSql:
    """Whatever the collection is called."""
    return InSql()
