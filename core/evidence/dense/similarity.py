"""Dense search: similarity in meaning between a question and pieces, by the live embedder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.embeddings import Vectors
from core.errors import StoreUnavailable
from core.evidence.dense.collections import Dense, Live
from core.evidence.dense.nearest import Readable, cosines, nearest, sample
from core.storage.database import Database
from core.storage.index_tables import IndexRow

SAMPLE = 1000  # vectors that tell how similar a piece is to a question on average


@dataclass(frozen=True)
class Similar:
    """Cosine similarities: of candidates by evidence id, and of a sample of all pieces."""

    found: Mapping[str, float]
    sample: Vectors  # shape (pieces,)


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
        self._samples: dict[str, tuple[int, Vectors]] = {}

    def similar(
        self,
        text: str,
        by_words: Sequence[str],
        state: IndexRow,
        readable: Readable,
    ) -> Similar:
        """The nearest pieces, and how near the candidates by words are.

        A rebuild may switch the index meanwhile: then `state` is updated.

        Raises:
            StoreUnavailable: there are no vectors yet, or Chroma or the embedder does not answer.
        """
        if not state.collection:
            raise StoreUnavailable(
                "no vectors have been made yet: the first sync makes them, also after an upgrade"
            )
        live = self._dense.of(state)
        vector = live.embedder.embed([text])
        try:
            found = nearest(self._database, live, vector, readable, self._candidates)
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
        vectors = self._sample(live, readable.snapshot.pieces.size)
        return Similar(found, vectors @ vector[0])

    def _sample(self, live: Live, pieces: int) -> Vectors:
        """Taken anew when the index has grown or shrunk by a quarter."""
        size, vectors = self._samples.get(live.collection, (0, np.zeros((0, 0), np.float32)))
        if not 0.75 * pieces <= size <= 1.25 * pieces:
            vectors = sample(self._database, live, SAMPLE)
            self._samples = {live.collection: (pieces, vectors)}
        return vectors
