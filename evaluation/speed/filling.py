"""Fills SQL with a wiki of word salad: what a sync leaves there, many rows in a statement."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np
from sqlalchemy import Connection, insert
from sqlmodel import SQLModel

from core.embeddings import Vectors
from core.evidence.dense.collections import embedded_text
from core.evidence.dense.embedding_cache import text_hash
from core.evidence.dense.in_sql import IN_SQL
from core.models import Evidence, Page
from core.pages import CONFLUENCE
from core.policy.acl import OPEN_ID
from core.storage.database import Database
from core.storage.index_epoch import next_revision
from core.storage.index_tables import EmbeddingRow, EvidenceRow, PageRow
from evaluation.harness.progress import counter
from evaluation.speed.salad import PER_PAGE, Scattered, pages, vocabulary

PAGES_AT_ONCE = 500
WORDS_AT_ONCE = 10_000

Row = dict[str, Any]


def fill(database: Database, size: int) -> None:
    """So many pieces, their vectors, and those of all words, as of one revision."""
    encoder = Scattered()
    with database.session() as session:
        state = next_revision(session)
        state.embedder = Scattered.name
        state.collection = f"evidence-{state.identity[:12]}-1{IN_SQL}"
        connection, revision = session.connection(), state.revision
        with counter(f"filling {size:,}", size) as advance:
            for made in _batches(pages(size), PAGES_AT_ONCE):
                _put(connection, made, revision, encoder)
                advance(PER_PAGE * len(made))
        words, _ = vocabulary(size)
        for some in _batches(iter(words), WORDS_AT_ONCE):
            _insert(connection, EmbeddingRow, _vectors(some, encoder.embed(some)))
    database.refresh_statistics()


def _put(
    connection: Connection,
    made: list[tuple[Page, list[Evidence]]],
    revision: int,
    encoder: Scattered,
) -> None:
    _insert(connection, PageRow, [_page(page, revision) for page, _ in made])
    texts = [embedded_text(page, piece) for page, pieces in made for piece in pieces]
    pieces = [piece for _, pieces in made for piece in pieces]
    rows = [_piece(piece, text) for piece, text in zip(pieces, texts, strict=True)]
    _insert(connection, EvidenceRow, rows)
    _insert(connection, EmbeddingRow, _vectors(texts, encoder.embed(texts)))


def _page(page: Page, revision: int) -> Row:
    record = page.model_dump(mode="json")
    empty = PageRow(id=page.id, space=page.space, record=record)
    known = {name: getattr(empty, name) for name in _names(PageRow)}
    return known | {"title": page.title, "acl_id": OPEN_ID, "revision": revision}


def _piece(piece: Evidence, text: str) -> Row:
    return {
        "id": piece.id,
        "source": CONFLUENCE,
        "page_id": piece.page_id,
        "acl_id": OPEN_ID,
        "record": piece.model_dump(mode="json"),
        "text_hash": text_hash(text),
    }


def _vectors(texts: list[str], vectors: Vectors) -> list[Row]:
    raw = vectors.astype("<f4")
    return [
        {"text_hash": text_hash(text), "embedder": Scattered.name, "vector": vector.tobytes()}
        for text, vector in zip(texts, np.ascontiguousarray(raw), strict=True)
    ]


def _insert(connection: Connection, table: type[SQLModel], rows: list[Row]) -> None:
    connection.execute(insert(SQLModel.metadata.tables[str(table.__tablename__)]), rows)


def _names(table: type[SQLModel]) -> list[str]:
    return [column.name for column in SQLModel.metadata.tables[str(table.__tablename__)].columns]


def _batches(items: Iterator[Any], size: int) -> Iterator[list[Any]]:
    while batch := list(islice(items, size)):
        yield batch
