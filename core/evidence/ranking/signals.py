"""Ranking signals of one question: BM25F of the piece and of its page, cosine similarity; fused."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.evidence.dense.nearest import Similar
from core.evidence.lexical.bm25f import Alternatives
from core.evidence.lexical.readable import Readable
from core.evidence.ranking.fusion import Floats, Signal, make_signal
from core.evidence.ranking.naming import alone, named
from core.evidence.ranking.weights import Ranking


@dataclass(frozen=True)
class CandidateScores:
    """A candidate's scores."""

    piece: str
    fused: float
    lexical: float
    page: float
    dense: float
    named: float  # how far the question names its page rather than the rivals; 0 to 1


class Signals:
    """Of every piece of a snapshot the scores by words; of the candidates those by meaning."""

    def __init__(
        self,
        readable: Readable,
        query: Sequence[Alternatives],
        ranking: Ranking,
        question: Collection[str],
    ) -> None:
        """`question`: the terms of the question itself, whose conversation names what was left."""
        snapshot = readable.snapshot
        self._readable = readable
        self._ranking = ranking
        self._naming = [word for word in query if word.terms[0][0] in question]
        self._lexical = snapshot.pieces.scores(query, ranking.pieces)
        of_pages = np.zeros(snapshot.pages.size, np.float32)
        if ranking.page:
            of_pages = snapshot.pages.scores(query, ranking.pages)
        self._page = of_pages[snapshot.page_of]

    def by_words(self) -> list[str]:
        """The candidates by words: the best readable pieces that share a word with the question."""
        weights = self._ranking
        weighted = weights.lexical * self._lexical + weights.page * self._page
        scores = np.where(self._readable.mask, weighted, 0)
        most = min(weights.candidates, len(scores))
        if not most:
            return []
        best = np.argpartition(-scores, most - 1)[:most]
        ids = self._readable.snapshot.piece_ids
        return [ids[place] for place in best if scores[place] > 0]

    def fused(self, by_words: Sequence[str], similar: Similar | None) -> list[CandidateScores]:
        """Every candidate of either search with all its scores, the best first."""
        snapshot = self._readable.snapshot
        dense = similar.found if similar else {}
        pieces = sorted({*by_words, *dense})
        rows = [snapshot.places[piece] for piece in pieces]
        places = np.array(rows, np.int64)
        signals = list(self._signals(pieces, places, similar))
        if not pieces or not signals:
            return []
        fused = self._ranking.fuse(signals)
        weights = self._ranking
        by_name = self._named(fused, snapshot.page_of[places])
        # Who names an earlier edition wants that one.
        unsettled = self._readable.outdated[places] & ~alone(by_name, snapshot.page_of[places])
        fused = fused + weights.named * by_name - weights.unsettled * unsettled
        scored = [
            CandidateScores(piece, score, lexical, page, dense.get(piece, 0.0), name)
            for piece, score, lexical, page, name in zip(
                pieces,
                fused.tolist(),
                self._lexical[places].tolist(),
                self._page[places].tolist(),
                by_name.tolist(),
                strict=True,
            )
        ]
        return sorted(scored, key=lambda each: (-each.fused, each.piece))

    def _named(self, fused: Floats, pages: NDArray[np.int32]) -> Floats:
        """How far the question names each candidate's page; only the best pages are rivals."""
        best_first = pages[np.argsort(-fused, kind="stable")].tolist()
        rivals = list(dict.fromkeys(best_first))[: self._ranking.rivals]
        names = [self._readable.snapshot.name_terms(page) for page in rivals]
        by_page = dict(zip(rivals, named(self._naming, names).tolist(), strict=True))
        return np.array([by_page.get(page, 0.0) for page in pages.tolist()], np.float32)

    def _signals(
        self,
        pieces: Sequence[str],
        places: NDArray[np.int64],
        similar: Similar | None,
    ) -> Iterator[Signal]:
        weights, mask = self._ranking, self._readable.mask
        if weights.lexical:
            yield make_signal(self._lexical[places], self._lexical[mask], weights.lexical)
        if weights.page:
            yield make_signal(self._page[places], self._page[mask], weights.page)
        if similar and weights.dense:
            lowest = min(similar.found.values(), default=0.0)
            # The lowest stands for a piece whose vector is not known.
            dense = [similar.found.get(piece, lowest) for piece in pieces]
            scores = np.array(dense, np.float32)
            yield make_signal(scores, similar.sample, weights.dense)
