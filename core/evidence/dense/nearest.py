"""Nearest neighbours of a question among the pieces that a reader may see.

Chroma knows nothing of readers. Its own filter would take 20 to 100 ms for 40,000 vectors; asking
it for more than is needed and dropping the rest takes 21 ms for 4,000 of them, comparing 4,000
vectors from SQL 23 ms.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlmodel import col, select

from core.embeddings import Vectors
from core.evidence.dense.collections import Live
from core.evidence.dense.embedding_cache import SQL_BATCH
from core.evidence.lexical.snapshot import Snapshot
from core.storage.database import Database
from core.storage.index_tables import EmbeddingRow, EvidenceRow

EXACT = 4000  # a reader of so few pieces is compared with each of them
MARGIN = 2  # times as many vectors are asked for as a reader's share of the index makes necessary


@dataclass(frozen=True)
class Readable:
    """What a reader may be shown of a snapshot; `mask` has shape (pieces,)."""

    snapshot: Snapshot
    mask: NDArray[np.bool_]

    @cached_property
    def size(self) -> int:
        return int(self.mask.sum())

    def of(self, found: Mapping[str, float]) -> dict[str, float]:
        """Those of the found pieces that the reader may see."""
        return {piece: score for piece, score in found.items() if self._holds(piece)}

    def _holds(self, piece: str) -> bool:
        place = self.snapshot.places.get(piece)
        return place is not None and bool(self.mask[place])


def nearest(
    database: Database,
    live: Live,
    vector: Vectors,
    readable: Readable,
    most: int,
    *,
    exact: int = EXACT,
) -> dict[str, float]:
    """Cosine similarity by evidence id, the nearest `most` of what the reader may see.

    `vector` has shape (1, dimensions).

    Raises:
        StoreUnavailable: Chroma is needed and does not answer.
    """
    total = readable.snapshot.pieces.size
    if readable.size <= exact and readable.size < total:
        piece_ids = readable.snapshot.piece_ids
        ids = [piece_ids[place] for place in np.flatnonzero(readable.mask)]
        return _best(cosines(database, live, vector, ids), most)
    wanted = most
    if readable.size < total:
        wanted = MARGIN * most * total // max(readable.size, 1)
    while True:
        found = live.vectors.search(vector, wanted)
        shown = readable.of(found)  # Chroma may still hold what SQL has lost
        if len(shown) >= most or len(found) < wanted:
            return _best(shown, most)
        wanted *= 4


def cosines(
    database: Database,
    live: Live,
    vector: Vectors,
    ids: Sequence[str],
) -> dict[str, float]:
    """Exact similarities of these pieces; one whose vector is not known is not in the answer."""
    found = vectors_of(database, live, ids)
    return {piece: float(each @ vector[0]) for piece, each in found.items()}


def vectors_of(
    database: Database,
    live: Live,
    ids: Sequence[str],
) -> dict[str, Vectors]:
    """The vectors of these pieces, as SQL keeps them; each has shape (dimensions,)."""
    found: dict[str, Vectors] = {}
    vectors = _select_vectors(live)
    with database.reading() as session:
        for start in range(0, len(ids), SQL_BATCH):
            batch = ids[start : start + SQL_BATCH]
            query = vectors.where(col(EvidenceRow.id).in_(batch))
            for piece, raw in session.exec(query).all():
                found[piece] = np.frombuffer(raw, dtype="<f4")
    return found


def sample(
    database: Database,
    live: Live,
    most: int,
) -> Vectors:
    """Vectors of a sample of pieces, shape (pieces, dimensions).

    The first by the hash of their text, which is as good as by chance.
    """
    query = _select_vectors(live).order_by(EvidenceRow.text_hash).limit(most)
    with database.reading() as session:
        rows = session.exec(query).all()
    return np.array([np.frombuffer(raw, dtype="<f4") for _, raw in rows], dtype=np.float32)


def _select_vectors(live: Live) -> Any:  # SQLModel's type of a join is longer than the join
    """The id and the vector of every piece, as the live embedder made it."""
    return select(EvidenceRow.id, EmbeddingRow.vector).where(
        EvidenceRow.text_hash == EmbeddingRow.text_hash,
        EmbeddingRow.embedder == live.embedder.name,
    )


def _best(scores: dict[str, float], most: int) -> dict[str, float]:
    best_first = sorted(scores.items(), key=lambda item: -item[1])
    return dict(best_first[:most])
