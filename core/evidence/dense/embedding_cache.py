"""Vectors by the hash of their text: what was embedded once is read from SQL, and never embedded again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b

import numpy as np
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import col, select

from core.embeddings import Embedder, Vectors
from core.storage.database import Database
from core.storage.index_tables import EmbeddingRow

SQL_BATCH = 500  # values in one IN (…)


def text_hash(text: str) -> str:
    return blake2b(text.encode(), digest_size=16).hexdigest()


def embed(database: Database, embedder: Embedder, texts: Sequence[str]) -> tuple[Vectors, int]:
    """One row per text, shape (texts, dimensions), and how many were not known from before.

    Raises:
        StoreUnavailable: the embedder does not answer.
    """
    hashes = [text_hash(text) for text in texts]
    found = _known(database, embedder, hashes)
    unknown = {h: text for h, text in zip(hashes, texts, strict=True) if h not in found}
    new = dict(zip(unknown, embedder.embed(list(unknown.values())), strict=True)) if unknown else {}
    if new:
        _remember(
            database,
            [
                {"text_hash": h, "embedder": embedder.name, "vector": v.astype("<f4").tobytes()}
                for h, v in new.items()
            ],
        )
    both = found | new
    return np.array([both[h] for h in hashes], dtype=np.float32), len(new)


def known(database: Database, embedder: Embedder, texts: Sequence[str]) -> dict[str, Vectors]:
    """The vectors of those of these texts that have been embedded, by text; each has shape (dimensions,)."""
    hashes = {text_hash(text): text for text in texts}
    return {hashes[h]: vector for h, vector in _known(database, embedder, list(hashes)).items()}


def _remember(database: Database, rows: Sequence[Mapping[str, object]]) -> None:
    """Another indexer may have embedded the same text at the same moment."""
    insert = postgresql.insert if database.engine.dialect.name == "postgresql" else sqlite.insert
    with database.session() as session:
        session.connection().execute(insert(EmbeddingRow).on_conflict_do_nothing(), rows)


def _known(database: Database, embedder: Embedder, hashes: Sequence[str]) -> dict[str, Vectors]:
    found: dict[str, Vectors] = {}
    with database.reading() as session:
        for start in range(0, len(hashes), SQL_BATCH):
            wanted = col(EmbeddingRow.text_hash).in_(hashes[start : start + SQL_BATCH])
            rows = session.exec(
                select(EmbeddingRow).where(wanted, EmbeddingRow.embedder == embedder.name)
            ).all()
            found |= {row.text_hash: np.frombuffer(row.vector, dtype="<f4") for row in rows}
    return found
