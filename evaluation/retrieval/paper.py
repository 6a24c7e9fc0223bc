"""RAGonite's way to rank (Saha Roy et al. 2025), to compare with: ranks are fused, not scores."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.evidence.lexical.bm25f import BM25F, Fields
from core.evidence.ranking.fusion import Floats, Signal
from core.evidence.ranking.weights import Ranking

RRF_K = 60  # Cormack, Clarke and Büttcher 2009


def rrf(signals: Sequence[Signal]) -> Floats:
    """Reciprocal rank fusion (Cormack, Clarke and Büttcher 2009): 1 / (60 + rank), ranks from 1.

    Candidates without a score have no rank. Throws the margins between the scores away.
    """
    fused = np.zeros(len(signals[0].scores), np.float32)
    for each in signals:
        order = np.argsort(-each.scores, kind="stable")
        ranks = np.empty(len(order), np.float32)
        ranks[order] = np.arange(1, len(order) + 1)
        by_rank = each.weight / (RRF_K + ranks)
        fused += np.where(each.scores > 0, by_rank, 0)
    return fused


# BM25 and dense ranks; no index of whole pages, no limit per page.
PAPER = Ranking(
    pieces=BM25F(
        weights=Fields(1.0, 1.0, 1.0),
        b=Fields(0.75, 0.75, 0.75),
        k1=1.2,
    ),
    fuse=rrf,
    lexical=0.5,
    page=0.0,
    dense=0.5,
    foreign=0.0,
    context=(1.0, 1.0),
    neighbour=0.0,
    synonyms=0.0,
    mistyped=0.0,
    per_page=10,
    unsettled=0.0,
    named=0.0,
)
