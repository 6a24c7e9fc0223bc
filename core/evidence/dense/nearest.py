"""Nearest neighbours of a question among the pieces that a reader may see.

The vector store knows nothing of readers. Chroma's own filter would take 20 to 100 ms for 40,000
vectors; asking it for more than is needed and dropping the rest takes 21 ms for 4,000 of them,
comparing 4,000 vectors from SQL 23 ms.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from sqlalchemy import and_, bindparam
from sqlalchemy import select as columns
from sqlmodel import SQLModel, col, select

from core.embeddings import QuestionEmbedder, Vectors, embed_questions
from core.errors import StoreUnavailable
from core.evidence.dense.collections import Dense, Live
from core.evidence.dense.embedding_cache import SQL_BATCH
from core.evidence.lexical.readable import ReadableSnapshot
from core.one_thread import one_thread
from core.policy.acl import OPEN_ID
from core.storage.database import Database
from core.storage.index_tables import EmbeddingRow, EvidenceRow, IndexRow

_EVIDENCE = SQLModel.metadata.tables["evidence"].c
_EMBEDDING = SQLModel.metadata.tables["embedding"].c
# Of the tables, and made once: to build a statement around a hundred ids takes 1 ms each time.
_VECTORS_OF = columns(_EVIDENCE.id, _EMBEDDING.vector).where(
    _EVIDENCE.text_hash == _EMBEDDING.text_hash,
    _EMBEDDING.embedder == bindparam("embedder"),
    _EVIDENCE.id.in_(bindparam("wanted", expanding=True)),
)

EXACT = 4000  # pieces at most that a reader of few is compared with one by one
MARGIN = 2  # times as many vectors are asked for as a reader's share of the index makes necessary


def nearest(
    database: Database,
    live: Live,
    vector: Vectors,
    readable: ReadableSnapshot,
    most: int,
    *,
    exact: int = EXACT,
) -> dict[str, float]:
    """Cosine similarity by evidence id, the nearest `most` of what the reader may see.

    `vector` has shape (1, dimensions).

    Raises:
        StoreUnavailable: the vector store is needed and does not answer.
    """
    total = readable.total
    wanted = most
    if readable.size < total:
        wanted = MARGIN * most * total // max(readable.size, 1)
        # Whichever reads fewer vectors: of a small wiki with a few closed pages, all would be read.
        if readable.size <= min(exact, wanted):
            return best(cosines(database, live, vector, readable.ids()), most)
    while True:
        found = live.vectors.search(vector, wanted)
        shown = readable.of(found)  # the store may still hold what SQL has lost
        if len(shown) >= most or len(found) < wanted:
            return best(shown, most)
        wanted *= 4


def cosines(
    database: Database,
    live: Live,
    vector: Vectors,
    ids: Sequence[str],
) -> dict[str, float]:
    """Exact similarities of these pieces; one whose vector is not known is not in the answer."""
    found = vectors_of(database, live, ids)
    vectors = np.array(list(found.values()), np.float32)
    return dict(zip(found, _products(vectors, vector).tolist(), strict=True))


def vectors_of(
    database: Database,
    live: Live,
    ids: Sequence[str],
) -> dict[str, Vectors]:
    """The vectors of these pieces, as SQL keeps them; each has shape (dimensions,)."""
    found: dict[str, Vectors] = {}
    with database.reading() as session:
        connection = session.connection()
        for start in range(0, len(ids), SQL_BATCH):
            wanted = {"wanted": ids[start : start + SQL_BATCH], "embedder": live.embedder.name}
            for piece, raw in connection.execute(_VECTORS_OF, wanted):
                found[piece] = np.frombuffer(raw, dtype="<f4")
    return found


@dataclass(frozen=True)
class Sample:
    """Vectors of some pieces, shape (pieces, dimensions)."""

    vectors: Vectors
    is_whole: bool  # not while the first sync makes the vectors: most of the pieces have none then


def sample(database: Database, live: Live, most: int) -> Sample:
    """Of open pieces, or closed ones would move everybody's scores; of all where none is open.

    The first by the hash of their text, which is as good as by chance.
    """
    every = _select_vectors(live).order_by(EvidenceRow.text_hash).limit(most)
    with database.reading() as session:
        is_open = col(EvidenceRow.acl_id) == OPEN_ID
        rows = session.exec(every.where(is_open)).all() or session.exec(every).all()
    known = [np.frombuffer(raw, dtype="<f4") for raw in rows if raw]
    return Sample(np.array(known, dtype=np.float32), is_whole=2 * len(known) >= len(rows))


def _select_vectors(live: Live) -> Any:  # SQLModel's type of a join is longer than the join
    """The vector of every piece, as the live embedder made it, or none."""
    is_its_vector = and_(
        col(EvidenceRow.text_hash) == EmbeddingRow.text_hash,
        col(EmbeddingRow.embedder) == live.embedder.name,
    )
    return (
        select(EmbeddingRow.vector).select_from(EvidenceRow).outerjoin(EmbeddingRow, is_its_vector)
    )


def _products(vectors: Vectors, vector: Vectors) -> Vectors:
    """Of each of the vectors with one of shape (1, dimensions)."""
    if not len(vectors):
        return np.zeros(0, np.float32)
    with one_thread():
        found: Vectors = vectors @ vector[0]
    return found


def best(scores: dict[str, float], most: int) -> dict[str, float]:
    """The highest `most` of them, the highest first."""
    best_first = sorted(scores.items(), key=lambda item: -item[1])
    return dict(best_first[:most])


SAMPLE = 1000  # vectors that tell how similar a piece is to a question on average


class Nearest(Protocol):
    """Finds the pieces nearest to a question among those that a reader may see."""

    @property
    def total(self) -> int:
        """How many pieces there are, whoever reads them."""

    def nearest(self, live: Live, vector: Vectors, most: int) -> dict[str, float]:
        """Cosine similarity of the nearest readable pieces, the best first.

        `vector` has shape (1, dimensions).

        Raises:
            StoreUnavailable: what holds the vectors does not answer.
        """


@dataclass(frozen=True)
class Similar:
    """Cosine similarities: of candidates by evidence id, and of a sample of all pieces."""

    found: Mapping[str, float]
    sample: Vectors  # shape (pieces,)
    # How like the candidates are to the question as a text, which says how sure a hit is; `found`
    # says which is the nearest, of a question that has been moved to where its answers stand.
    alike: Mapping[str, float]


class DenseSearch:
    """Finds the pieces nearest to a question, and keeps a sample of all vectors for comparison."""

    def __init__(
        self,
        database: Database,
        dense: Dense,
        candidates: int,
    ) -> None:
        self._database = database
        self._dense = dense
        self._candidates = candidates
        self._samples: dict[str, tuple[int, Sample]] = {}

    def similar(
        self,
        text: str,
        by_words: Sequence[str],
        state: IndexRow,
        readable: Nearest,
    ) -> Similar:
        """The nearest pieces, and how near the candidates by words are.

        A rebuild may switch the index meanwhile: then `state` is updated.

        Raises:
            StoreUnavailable: there are no vectors yet, or the vector store or the embedder does not
                answer.
        """
        if not state.collection:
            raise StoreUnavailable(
                "no vectors have been made yet: the first sync makes them, also after an upgrade"
            )
        live = self._dense.of(state)
        vector = embed_questions(live.embedder, [text])
        try:
            found = readable.nearest(live, vector, self._candidates)
        except StoreUnavailable:
            with self._database.reading() as session:
                now = session.get_one(IndexRow, 1)
            if now.collection == state.collection:
                raise
            state.embedder = now.embedder
            state.collection = now.collection
            return self.similar(text, by_words, state, readable)
        others = [piece for piece in by_words if piece not in found]
        found |= cosines(self._database, live, vector, others)
        if not found.keys() >= set(others):
            # Whatever has a vector already would stand before a better piece that has none.
            raise StoreUnavailable("the first sync has not made the vectors of all pieces yet")
        vectors = self._sample(live, readable.total)
        alike = self._alike(live, text, found)
        return Similar(found, _products(vectors, vector), alike)

    def _alike(self, live: Live, text: str, found: Mapping[str, float]) -> Mapping[str, float]:
        if not isinstance(live.embedder, QuestionEmbedder):
            return found
        return cosines(self._database, live, live.embedder.embed([text]), list(found))

    def _sample(self, live: Live, pieces: int) -> Vectors:
        """Taken anew when the index has grown or shrunk by a quarter, or few had vectors then."""
        size, known = self._samples.get(live.collection, (0, None))
        has_grown = not 0.75 * pieces <= size <= 1.25 * pieces
        if known is None or has_grown or not known.is_whole:
            known = sample(self._database, live, SAMPLE)
            self._samples = {live.collection: (pieces, known)}
        return known.vectors
