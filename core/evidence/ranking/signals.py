"""The scores of one question: words in the piece, words in its page, likeness in meaning; and what they make together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.evidence.dense.nearest import Readable
from core.evidence.lexical.bm25f import Alternatives
from core.evidence.ranking.fusion import Floats, Signal, leg, rrf, zscore
from core.evidence.ranking.weights import Ranking


@dataclass(frozen=True)
class Similar:
    """Cosine similarities: of candidates by evidence id, and of a sample of all pieces, shape (pieces,)."""

    found: Mapping[str, float]
    sample: Floats


@dataclass(frozen=True)
class CandidateScores:
    """A candidate's scores."""

    piece: str
    fused: float
    lexical: float
    page: float
    dense: float


class Signals:
    """Of every piece of a snapshot, the scores by words; by meaning, those of the candidates."""

    def __init__(self, readable: Readable, query: Sequence[Alternatives], ranking: Ranking) -> None:
        snapshot = readable.snapshot
        self._readable = readable
        self._ranking = ranking
        self._lexical = snapshot.pieces.scores(query, ranking.pieces)
        of_pages = (
            snapshot.pages.scores(query, ranking.pages)
            if ranking.page
            else np.zeros(snapshot.pages.size, np.float32)
        )
        self._page = of_pages[snapshot.page_of]

    def by_words(self) -> list[str]:
        """The candidates by words: the best pieces that the reader may see, of those that share a word with the question."""
        scores = np.where(
            self._readable.mask,
            self._ranking.lexical * self._lexical + self._ranking.page * self._page,
            0,
        )
        most = min(self._ranking.candidates, len(scores))
        best = np.argpartition(-scores, most - 1)[:most] if most else np.zeros(0, np.int64)
        ids = self._readable.snapshot.piece_ids
        return [ids[place] for place in best if scores[place] > 0]

    def fused(self, by_words: Sequence[str], similar: Similar | None) -> list[CandidateScores]:
        """Every candidate of either search, the best first; all its scores are known, whichever search found it."""
        snapshot = self._readable.snapshot
        pieces = sorted({*by_words, *(similar.found if similar else ())})
        places = np.array([snapshot.places[piece] for piece in pieces], np.int64)
        legs = list(self._legs(pieces, places, similar))
        if not pieces or not legs:
            return []
        fused = zscore(legs) if self._ranking.fusion == "zscore" else rrf(legs, self._ranking.rrf_k)
        fused = fused - self._ranking.unsettled * snapshot.outdated[places]
        dense = similar.found if similar else {}
        rows = zip(
            pieces,
            fused.tolist(),
            self._lexical[places].tolist(),
            self._page[places].tolist(),
            strict=True,
        )
        scored = [
            CandidateScores(piece, score, lexical, page, dense.get(piece, 0.0))
            for piece, score, lexical, page in rows
        ]
        return sorted(scored, key=lambda each: (-each.fused, each.piece))

    def _legs(
        self, pieces: Sequence[str], places: NDArray[np.int64], similar: Similar | None
    ) -> Iterator[Signal]:
        if self._ranking.lexical:
            yield leg(self._lexical[places], self._lexical, self._ranking.lexical)
        if self._ranking.page:
            yield leg(self._page[places], self._page, self._ranking.page)
        if similar and self._ranking.dense:
            lowest = min(
                similar.found.values(), default=0.0
            )  # of a piece whose vector is not known
            dense = np.array([similar.found.get(piece, lowest) for piece in pieces], np.float32)
            yield leg(dense, similar.sample, self._ranking.dense)
