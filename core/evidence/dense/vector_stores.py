"""Vector stores: what search and indexer ask of one, and which one an address stands for.

One more is a module beside `chroma.py` and a line in `ADAPTERS`.
tests/core/evidence/dense/test_vector_stores.py says what it has to do.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Protocol
from urllib.parse import urlsplit

from core.embeddings import Vectors
from core.errors import SettingsError
from core.evidence.dense.chroma import ChromaVectors
from core.evidence.dense.in_sql import IN_SQL, InSql, in_sql
from core.evidence.dense.pgvector import PgVectors
from core.storage.database import Database


class VectorStore(Protocol):
    """One collection of unit vectors by evidence id: a cache that can be rebuilt from SQL.

    Every verb raises StoreUnavailable where the store does not answer, and all but `create` and
    `drop` where the collection is not there: what was lost must not look like an empty answer.
    """

    def create(self) -> None:
        """Make the collection, empty; one that is there already keeps what it has.

        It may be made faster to search, now that it holds so much.
        """

    def drop(self) -> None:
        """Delete the collection, if it is there."""

    def count(self) -> int: ...

    def of_page(self, page_id: str) -> set[str]:
        """Ids of the vectors of a page, also of those that an interrupted run has left."""

    def replace(
        self,
        page_id: str,
        ids: Sequence[str],
        vectors: Vectors,
        *,
        there: Collection[str],
    ) -> None:
        """Put these in, one row of `vectors` for each id, instead of those `there` already."""

    def delete(self, ids: Sequence[str]) -> None: ...

    def search(self, vector: Vectors, limit: int) -> dict[str, float]:
        """Cosine similarity of the nearest `limit` by evidence id; `vector`: (1, dimensions)."""


# Opens the collection of a name.
VectorStores = Callable[[str], VectorStore]

# By the scheme of the address.
ADAPTERS: dict[str, Callable[[str, str], VectorStore]] = {
    "http": ChromaVectors,
    "https": ChromaVectors,
}


def vector_stores(url: str) -> VectorStores:
    """The collections at an address; nothing is asked of it before one is used.

    Without an address they are nowhere: see core.evidence.dense.in_sql.

    Raises:
        SettingsError: no adapter knows such an address.
    """
    if not url:
        return in_sql
    scheme = urlsplit(url).scheme
    if scheme not in ADAPTERS:
        known = ", ".join(ADAPTERS)
        raise SettingsError(f"CHROMA_URL={url}: an address begins with one of {known}, or is empty")
    return partial(ADAPTERS[scheme], url)


IN_POSTGRES = "-postgres"  # ends the name of a collection that the database itself holds


def with_postgres(elsewhere: VectorStores, database: Callable[[], Database]) -> VectorStores:
    """Collections in the database too: their names say which these are."""

    def opened(collection: str) -> VectorStore:
        if collection.endswith(IN_POSTGRES):
            return PgVectors(database(), collection)
        if collection.endswith(IN_SQL):
            return InSql()
        return elsewhere(collection)

    return opened


def server_look(url: str) -> Callable[[], None]:
    """Raises StoreUnavailable while the server at this address is away, whatever it holds."""
    return ChromaVectors(url, "").look
