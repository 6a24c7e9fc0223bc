"""The engine of this host: evidence found by its lexical index, and by codes or a vector store."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.embeddings import Vectors
from core.evidence.dense.coded import candidates
from core.evidence.dense.collections import Live
from core.evidence.dense.nearest import best, cosines, nearest
from core.evidence.lexical.bm25f import Alternatives
from core.evidence.lexical.readable import ReadableSnapshot
from core.evidence.lexical.segments.postings import Floats
from core.evidence.lexical.smallest import smallest
from core.evidence.readable import PieceScores, ScoreSpread, WordWeights, WrittenVocabulary
from core.pages import PageKey
from core.storage.database import Database


@dataclass(frozen=True)
class HostReadable(ReadableSnapshot):
    """A core.evidence.readable.Readable of the snapshot of this process."""

    database: Database

    @property
    def vocabulary(self) -> WrittenVocabulary:
        return self.snapshot

    def name_terms(self, pages: Sequence[PageKey]) -> list[frozenset[str]]:
        """Of each of these pages, the terms of its title, its space and its owner."""
        places = [self.snapshot.page_place(page) for page in pages]
        return [frozenset() if each is None else self.snapshot.name_terms(each) for each in places]

    def word_scores(self, query: Sequence[Alternatives], weights: WordWeights) -> SnapshotScores:
        snapshot = self.snapshot
        lexical = snapshot.pieces.scores(query, weights.pieces)
        of_pages = np.zeros(snapshot.pages.total, np.float32)
        if weights.page:
            of_pages = snapshot.pages.scores(query, weights.pages)
        return SnapshotScores(self, weights, lexical, of_pages[snapshot.page_of])

    def nearest(self, live: Live, vector: Vectors, most: int) -> dict[str, float]:
        if self.snapshot.coder != live.embedder.name:
            return nearest(self.database, live, vector, self, most)
        return best(cosines(self.database, live, vector, candidates(self, vector)), most)


@dataclass(frozen=True)
class SnapshotScores:
    """The scores by words of every piece of a snapshot, both of shape (pieces,)."""

    readable: ReadableSnapshot
    weights: WordWeights
    by_piece: Floats
    by_page: Floats

    @cached_property
    def lexical(self) -> ScoreSpread:
        return self._spread(self.by_piece)

    @cached_property
    def page(self) -> ScoreSpread:
        return self._spread(self.by_page)

    def best(self, most: int) -> list[str]:
        """The readable pieces with the highest scores above 0, weighted as the ranking says."""
        weighted = self.weights.lexical * self.by_piece + self.weights.page * self.by_page
        places = np.flatnonzero((weighted > 0) & self.readable.mask)
        best = places[smallest(-weighted[places], most)]
        return self.readable.snapshot.piece_ids(np.sort(best))

    def of(self, pieces: Sequence[str]) -> PieceScores:
        """Of those of these pieces that are there still, in their order."""
        snapshot = self.readable.snapshot
        known = {piece: snapshot.place(piece) for piece in pieces}
        there = {piece: place for piece, place in known.items() if place is not None}
        places = np.array(list(there.values()), np.int64)
        pages = snapshot.page_of[places]
        return PieceScores(
            pieces=tuple(there),
            lexical=self.by_piece[places],
            page=self.by_page[places],
            pages=tuple(snapshot.page_key(page) for page in pages.tolist()),
            outdated=self.readable.outdated[pages],
        )

    def _spread(self, scores: Floats) -> ScoreSpread:
        is_whole = self.readable.size == len(scores)
        of_all = scores if is_whole else scores[self.readable.mask]
        if not of_all.size:
            return ScoreSpread(0.0, 0.0)
        return ScoreSpread(float(of_all.mean()), float(of_all.std()))
