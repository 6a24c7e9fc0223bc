"""Embedding cache in SQL: vectors by the hash of their text; nothing is embedded twice."""

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


def embed(
    database: Database,
    embedder: Embedder,
    texts: Sequence[str],
) -> tuple[Vectors, int]:
    """One row per text, shape (texts, dimensions), and how many texts were not in the cache.

    Raises:
        StoreUnavailable: the embedder does not answer.
    """
    hashes = [text_hash(text) for text in texts]
    found = _cached(database, embedder, hashes)
    by_hash = dict(zip(hashes, texts, strict=True))
    unknown = {key: text for key, text in by_hash.items() if key not in found}
    if unknown:
        vectors = embedder.embed(list(unknown.values()))
        new = dict(zip(unknown, vectors, strict=True))
        _save(database, embedder, new)
        found |= new
    rows = [found[key] for key in hashes]
    return np.array(rows, dtype=np.float32), len(unknown)


def known(
    database: Database,
    embedder: Embedder,
    texts: Sequence[str],
) -> dict[str, Vectors]:
    """The cached vectors of those of these texts that have one; each has shape (dimensions,)."""
    by_hash = {text_hash(text): text for text in texts}
    found = _cached(database, embedder, list(by_hash))
    return {by_hash[key]: vector for key, vector in found.items()}


class Remembering:
    """An embedder that asks SQL first, in one statement, and embeds the rest at once.

    It saves nothing: what it is asked beside texts of pages are questions, which are people's.
    """

    def __init__(self, database: Database, embedder: Embedder) -> None:
        self.name = embedder.name
        self._database = database
        self._embedder = embedder

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row per text, shape (texts, dimensions).

        Raises:
            StoreUnavailable: the embedder does not answer.
        """
        found = known(self._database, self._embedder, texts)
        missing = [text for text in dict.fromkeys(texts) if text not in found]
        if missing:
            found |= zip(missing, self._embedder.embed(missing), strict=True)
        return np.array([found[text] for text in texts], dtype=np.float32)


def _save(
    database: Database,
    embedder: Embedder,
    vectors: Mapping[str, Vectors],
) -> None:
    """Another indexer may have embedded the same text at the same moment."""
    name = embedder.name
    rows = []
    for key, vector in vectors.items():
        raw = vector.astype("<f4").tobytes()
        rows.append({"text_hash": key, "embedder": name, "vector": raw})
    insert = postgresql.insert if database.engine.dialect.name == "postgresql" else sqlite.insert
    with database.session() as session:
        session.connection().execute(insert(EmbeddingRow).on_conflict_do_nothing(), rows)


def _cached(
    database: Database,
    embedder: Embedder,
    hashes: Sequence[str],
) -> dict[str, Vectors]:
    found: dict[str, Vectors] = {}
    ours = select(EmbeddingRow).where(EmbeddingRow.embedder == embedder.name)
    with database.reading() as session:
        for start in range(0, len(hashes), SQL_BATCH):
            batch = hashes[start : start + SQL_BATCH]
            of_batch = ours.where(col(EmbeddingRow.text_hash).in_(batch))
            for row in session.exec(of_batch).all():
                found[row.text_hash] = np.frombuffer(row.vector, dtype="<f4")
    return found
