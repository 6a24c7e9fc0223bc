"""Stores on either engine, for claims that hold for both."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from postgres import PostgresServer

from core.embeddings.bundled import Bundled
from core.evidence import Dense, EvidenceStore
from core.evidence.dense.vector_stores import vector_stores, with_postgres
from core.evidence.lexical.index import LexicalIndex
from core.settings.values import EvidenceEngine
from core.storage.database import Database

# A store that wants this engine, on one database; the first page that it gets is for that engine.
Wanting = Callable[[EvidenceEngine], EvidenceStore]


@pytest.fixture
def with_vectors(vector_server: PostgresServer) -> Iterator[Database]:
    """An empty, migrated database in a Postgres that has pgvector."""
    url = vector_server.create()
    with closing(Database(url)) as database:
        yield database
    vector_server.drop(url)


@pytest.fixture
def wanting(with_vectors: Database, chroma_url: str, embedder: Bundled, tmp_path: Path) -> Wanting:
    def made(engine: EvidenceEngine) -> EvidenceStore:
        stores = with_postgres(vector_stores(chroma_url), lambda: with_vectors)
        dense = Dense(stores, lambda _name: embedder, wanted="bundled", engine=engine)
        return EvidenceStore(with_vectors, LexicalIndex(tmp_path / engine), dense)

    return made
