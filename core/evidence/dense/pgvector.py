"""Vectors in the database itself, by the extension pgvector: searched where readers are known.

In half precision, since they only choose candidates: these are compared exactly afterwards.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager

import numpy as np
from sqlalchemy import (
    Connection,
    Float,
    Select,
    String,
    bindparam,
    cast,
    column,
    delete,
    func,
    select,
    table,
    text,
)
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import DBAPIError
from sqlalchemy.types import UserDefinedType

from core.embeddings import Vectors
from core.errors import StoreUnavailable
from core.storage.database import Database

LEAST = (0, 8)  # version of pgvector: an older one finds too few for readers of few pages
# Vectors from which on a graph is searched (HNSW): comparing so many one by one takes 20 ms.
GRAPH_FROM = 20_000
LOOKED_AT = 400  # vectors that a search of the graph keeps in mind at least: more find more


class PgVectors:
    """A vector store (core.evidence.dense.vector_stores): a table of its own in Postgres."""

    def __init__(self, database: Database, collection: str) -> None:
        self._database = database
        self._name = collection
        texts = (column("id", String), column("page_id", String))
        self._vectors = table(collection, *texts, column("vector"))

    def create(self) -> None:
        made = (
            f'CREATE TABLE IF NOT EXISTS "{self._name}" '
            "(id text PRIMARY KEY, page_id text NOT NULL, vector halfvec NOT NULL)"
        )
        by_page = f'CREATE INDEX IF NOT EXISTS "{self._name}-page" ON "{self._name}" (page_id)'
        with self._reachable() as connection:
            _require_extension(connection)
            connection.execute(text(made))
            connection.execute(text(by_page))
            self._make_graph(connection)

    def drop(self) -> None:
        with self._reachable() as connection:
            connection.execute(text(f'DROP TABLE IF EXISTS "{self._name}"'))

    def count(self) -> int:
        with self._reachable() as connection:
            query = select(func.count()).select_from(self._vectors)
            return int(connection.execute(query).scalar_one())

    def of_page(self, page_id: str) -> set[str]:
        with self._reachable() as connection:
            query = select(self._vectors.c.id).where(self._vectors.c.page_id == page_id)
            return set(connection.execute(query).scalars())

    def replace(
        self,
        page_id: str,
        ids: Sequence[str],
        vectors: Vectors,
        *,
        there: Collection[str],
    ) -> None:
        rows = [
            {"piece": piece, "page": page_id, "vector_of": _written(vector)}
            for piece, vector in zip(ids, vectors, strict=True)
        ]
        if not rows:
            return
        vector = cast(bindparam("vector_of"), _HalfVector(vectors.shape[1]))
        new = {"id": bindparam("piece"), "page_id": bindparam("page"), "vector": vector}
        put = insert(self._vectors).values(new)
        again = {"page_id": put.excluded.page_id, "vector": put.excluded.vector}
        put = put.on_conflict_do_update(index_elements=["id"], set_=again)
        with self._reachable() as connection:
            connection.execute(put, rows)

    def delete(self, ids: Sequence[str]) -> None:
        with self._reachable() as connection:
            gone = delete(self._vectors).where(self._vectors.c.id.in_(ids))
            connection.execute(gone)

    def search(self, vector: Vectors, limit: int) -> dict[str, float]:
        return self.among(None, vector, limit)

    def among(
        self,
        pieces: Select[tuple[str]] | None,
        vector: Vectors,
        limit: int,
        *,
        exact: bool = False,
    ) -> dict[str, float]:
        """As `search`, of these pieces (None: of all).

        `exact`: compared one by one, which is faster where they are few.
        """
        vectors = self._vectors
        kind = _HalfVector(vector.shape[1])
        asked = cast(_written(vector[0]), kind)
        distance = cast(vectors.c.vector, kind).op("<=>", return_type=Float)(asked)
        nearest = select(vectors.c.id, distance.label("distance")).limit(limit)
        if pieces is not None:
            nearest = nearest.where(vectors.c.id.in_(pieces))
        # The graph knows the distance itself, and nothing that is made of it.
        nearest = nearest.order_by(distance + 0.0 if exact else distance)
        looked_at = min(1000, max(LOOKED_AT, limit))
        with self._reachable() as connection:
            connection.execute(text(f"SET LOCAL hnsw.ef_search = {looked_at}"))
            # With what readers may not see left out, it looks on until it has found enough.
            connection.execute(text("SET LOCAL hnsw.iterative_scan = strict_order"))
            found = connection.execute(nearest).all()
        return {piece: 1 - float(far) for piece, far in found}

    def _make_graph(self, connection: Connection) -> None:
        """If there are so many vectors that it is worth while: of all at once it is made faster."""
        size = select(func.vector_dims(self._vectors.c.vector)).offset(GRAPH_FROM).limit(1)
        dimensions = connection.execute(size).scalar()
        if dimensions is None:
            return
        connection.execute(text("SET LOCAL maintenance_work_mem = '512MB'"))
        graph = (
            f'CREATE INDEX IF NOT EXISTS "{self._name}-graph" ON "{self._name}" '
            f"USING hnsw ((vector::halfvec({dimensions})) halfvec_cosine_ops)"
        )
        connection.execute(text(graph))

    @contextmanager
    def _reachable(self) -> Iterator[Connection]:
        try:
            with self._database.session() as session:
                yield session.connection()
        except DBAPIError as error:
            raise StoreUnavailable(
                f"the vectors {self._name} in Postgres cannot be had; where they are lost, "
                f"`python -m indexer rebuild` makes them anew ({error.orig})"
            ) from error


class _HalfVector(UserDefinedType[str]):
    """The type of pgvector, of so many dimensions."""

    cache_ok = True

    def __init__(self, size: int) -> None:
        self.size = size

    def get_col_spec(self, **_: object) -> str:
        return f"halfvec({self.size})"


def _require_extension(connection: Connection) -> None:
    """Have pgvector in this database, new enough.

    Raises:
        StoreUnavailable: it cannot be had.
    """
    version = text("SELECT extversion FROM pg_extension WHERE extname = 'vector'")
    if connection.execute(version).scalar() is None:
        offered = text("SELECT 1 FROM pg_available_extensions WHERE name = 'vector'")
        if connection.execute(offered).scalar() is None:
            raise StoreUnavailable(
                "EVIDENCE_ENGINE=postgres needs the extension pgvector, which this Postgres does "
                "not have: install it on the database's host (Debian's package from 13 on, and "
                "that of apt.postgresql.org: postgresql-VERSION-pgvector)"
            )
        connection.execute(text("CREATE EXTENSION IF NOT EXISTS vector"))
    found = str(connection.execute(version).scalar())
    if tuple(map(int, found.split(".")[:2])) < LEAST:
        raise StoreUnavailable(
            f"pgvector {found} is too old: install 0.8 or newer, then ALTER EXTENSION vector UPDATE"
        )


def _written(vector: Vectors) -> str:
    """As pgvector reads it."""
    return "[" + ",".join(map(str, np.asarray(vector, np.float32).tolist())) + "]"
