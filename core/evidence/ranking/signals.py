"""Ranking signals of one question: BM25F of the piece and of its page, cosine similarity; fused."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.evidence.dense.nearest import Similar
from core.evidence.lexical.bm25f import Alternatives
from core.evidence.ranking.fusion import Floats, Signal, make_signal
from core.evidence.ranking.naming import alone, named
from core.evidence.ranking.weights import Ranking
from core.evidence.readable import PieceScores, Readable, WordWeights
from core.pages import PageKey

# Times the share of candidates in the question's language: from a quarter on they hide the others.
ENOUGH_OWN = 4

# Of each page whether it is in another language than the question, shape (pages,).
Foreign = Callable[[Sequence[PageKey]], NDArray[np.bool_]]


def _never(pages: Sequence[PageKey]) -> NDArray[np.bool_]:
    return np.zeros(len(pages), np.bool_)


@dataclass(frozen=True)
class CandidateScores:
    """A candidate's scores."""

    piece: str
    on: PageKey
    fused: float
    lexical: float
    page: float
    dense: float
    named: float  # how far the question names its page rather than the rivals; 0 to 1


class Signals:
    """Of every readable piece the scores by words; of the candidates those by meaning."""

    def __init__(
        self,
        readable: Readable,
        query: Sequence[Alternatives],
        ranking: Ranking,
        question: Collection[str],
        foreign: Foreign = _never,
    ) -> None:
        """`question`: the terms of the question itself, whose conversation names what was left.

        `foreign`: which pages are in another language than the question.
        """
        self._foreign = foreign
        self._readable = readable
        self._ranking = ranking
        self._naming = [word for word in query if word.terms[0][0] in question]
        weights = WordWeights(ranking.pieces, ranking.pages, ranking.lexical, ranking.page)
        self._words = readable.word_scores(query, weights)

    def by_words(self) -> list[str]:
        """The candidates by words: the best readable pieces that share a word with the question."""
        return self._words.best(self._ranking.candidates)

    def fused(self, by_words: Sequence[str], similar: Similar | None) -> list[CandidateScores]:
        """Every candidate of either search with all its scores, the best first."""
        nearest, alike = (similar.found, similar.alike) if similar else ({}, {})
        found = self._words.of(sorted({*by_words, *nearest}))
        signals = list(self._signals(found, similar))
        if not found.pieces or not signals:
            return []
        fused = self._ranking.fuse(signals)
        weights = self._ranking
        pages = _numbered(found.pages)
        by_name = self._named(fused, found.pages)
        # Who names an earlier edition wants that one.
        unsettled = found.outdated & ~alone(by_name, pages)
        fused = fused + weights.named * by_name - weights.unsettled * unsettled
        scored = [
            CandidateScores(piece, on, score, lexical, page, alike.get(piece, 0.0), name)
            for piece, on, score, lexical, page, name in zip(
                found.pieces,
                found.pages,
                fused.tolist(),
                found.lexical.tolist(),
                found.page.tolist(),
                by_name.tolist(),
                strict=True,
            )
        ]
        return sorted(scored, key=lambda each: (-each.fused, each.piece))

    def _named(self, fused: Floats, pages: Sequence[PageKey]) -> Floats:
        """How far the question names each candidate's page; only the best pages are rivals."""
        best_first = (pages[place] for place in np.argsort(-fused, kind="stable"))
        rivals = list(dict.fromkeys(best_first))[: self._ranking.rivals]
        names = self._readable.name_terms(rivals)
        by_page = dict(zip(rivals, named(self._naming, names).tolist(), strict=True))
        return np.array([by_page.get(page, 0.0) for page in pages], np.float32)

    def _signals(self, found: PieceScores, similar: Similar | None) -> Iterator[Signal]:
        weights, words = self._ranking, self._words
        if weights.lexical:
            spread = words.lexical
            yield Signal(found.lexical, spread.mean, spread.deviation, weights.lexical)
        if weights.page:
            spread = words.page
            yield Signal(found.page, spread.mean, spread.deviation, weights.page)
        if similar and weights.dense:
            lowest = min(similar.found.values(), default=0.0)
            # The lowest stands for a piece whose vector is not known.
            dense = [similar.found.get(piece, lowest) for piece in found.pieces]
            scores = np.array(dense, np.float32)
            signal = make_signal(scores, similar.sample, weights.dense)
            yield signal
            if weights.foreign and found.pieces:
                foreign = self._foreign(found.pages)
                # By its nearest piece a page comes forward as a whole: which of its pieces answers
                # is told as anywhere. A page in the language of the question is as near as any.
                others = np.where(foreign, _best_of(found.pages, scores), np.float32(signal.mean))
                mixed = min(1.0, ENOUGH_OWN * float(1 - foreign.mean()))
                yield signal._replace(scores=others, weight=mixed * weights.foreign)


def _best_of(pages: Sequence[PageKey], scores: Floats) -> Floats:
    """For each piece the best score of its page, shape (pieces,)."""
    best: dict[PageKey, float] = {}
    for page, score in zip(pages, scores.tolist(), strict=True):
        best[page] = max(score, best.get(page, score))
    return np.array([best[page] for page in pages], np.float32)


def _numbered(pages: Sequence[PageKey]) -> NDArray[np.int32]:
    """The same number for the same page."""
    numbers = {page: number for number, page in enumerate(dict.fromkeys(pages))}
    return np.array([numbers[page] for page in pages], np.int32)
