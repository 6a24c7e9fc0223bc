"""Finds the evidence for a question."""

from __future__ import annotations

from core.evidence import EvidenceStore, Found
from core.models import Completed
from worker.rerank import Reranker

K = 10  # pieces given to the answerer, as in the paper
POOL = 50  # pieces given to the reranker, where there is one


class Retriever:
    """Searches the store and, where a cross-encoder is configured, sorts its best anew."""

    def __init__(self, store: EvidenceStore, reranker: Reranker | None = None) -> None:
        self.store = store
        self._reranker = reranker

    def retrieve(self, completed: Completed, k: int = K) -> Found:
        if self._reranker is None:
            return self.store.search(completed.text, k)
        found = self.store.search(completed.text, POOL)
        return Found(self._reranker.rerank(completed.text, found.hits)[:k], words_only=found.words_only)
