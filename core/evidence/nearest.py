"""The pieces nearest to a question, of those that a reader may see: all of Chroma's, or few of it, or each compared by itself.

Chroma knows nothing of readers. Its own filter would take 20 to 100 ms for 40,000 vectors; asking it for more than is needed and
dropping the rest takes 21 ms for 4,000 of them, comparing 4,000 vectors from SQL 23 ms.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sqlmodel import Session, col, select

from core.database import Database
from core.embeddings import Vectors
from core.evidence.live import Live
from core.evidence.remembered import SQL_BATCH
from core.tables import EmbeddingRow, EvidenceRow

EXACT = 4000  # a reader of so few pieces is compared with each of them
MARGIN = 2  # times as many vectors are asked for as a reader's share of the index makes necessary


@dataclass(frozen=True)
class Share:
    """How much of the index a reader may see, and under which ACLs."""

    acls: frozenset[str]
    pieces: int
    total: int


def nearest(database: Database, live: Live, vector: Vectors, share: Share, most: int, *, exact: int = EXACT) -> dict[str, float]:
    """Cosine similarity by evidence id, the nearest `most` of what the reader may see; `vector` has shape (1, dimensions).

    Raises:
        StoreUnavailable: Chroma is needed and does not answer.
    """
    if share.pieces == share.total:
        return live.vectors.search(vector, most)
    if share.pieces <= exact:
        return _exact(database, live, vector, share, most)
    wanted = MARGIN * most * share.total // share.pieces
    while True:
        found = live.vectors.search(vector, min(wanted, share.total))
        with database.reading() as session:
            readable = list(_readable(session, list(found), share.acls))
        if len(readable) >= most or wanted >= share.total:
            return _best({one: found[one] for one in readable}, most)
        wanted *= 4


def cosines(database: Database, live: Live, vector: Vectors, ids: Sequence[str]) -> dict[str, float]:
    """Exact similarities of these pieces; one whose vector is not known is not in the answer."""
    found: dict[str, float] = {}
    with database.reading() as session:
        for start in range(0, len(ids), SQL_BATCH):
            rows = session.exec(_vectors(live).where(col(EvidenceRow.id).in_(ids[start : start + SQL_BATCH]))).all()
            found |= _compared(rows, vector)
    return found


def _exact(database: Database, live: Live, vector: Vectors, share: Share, most: int) -> dict[str, float]:
    with database.reading() as session:
        rows = session.exec(_vectors(live).where(col(EvidenceRow.acl_id).in_(share.acls))).all()
    return _best(_compared(rows, vector), most)


def _vectors(live: Live) -> Any:  # SQLModel's type of a join is longer than the join
    same = (EvidenceRow.text_hash == EmbeddingRow.text_hash, EmbeddingRow.embedder == live.embedder.name)
    return select(EvidenceRow.id, EmbeddingRow.vector).where(*same)


def _readable(session: Session, ids: Sequence[str], acls: frozenset[str]) -> Iterator[str]:
    for start in range(0, len(ids), SQL_BATCH):
        batch = col(EvidenceRow.id).in_(ids[start : start + SQL_BATCH])
        yield from session.exec(select(EvidenceRow.id).where(batch, col(EvidenceRow.acl_id).in_(acls))).all()


def _compared(rows: Sequence[tuple[str, bytes]], vector: Vectors) -> dict[str, float]:
    if not rows:
        return {}
    vectors = np.frombuffer(b"".join(raw for _, raw in rows), dtype="<f4").reshape(len(rows), -1)
    return dict(zip((found for found, _ in rows), (vectors @ vector[0]).tolist(), strict=True))


def _best(scores: dict[str, float], most: int) -> dict[str, float]:
    return dict(sorted(scores.items(), key=lambda item: -item[1])[:most])
