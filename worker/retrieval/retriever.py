"""Retrieves the evidence for a question: hybrid search, reranking, matching table rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from core.evidence import EvidenceSearch, Query, SearchResult
from core.manner import Mode
from core.models import Hit
from core.pages import PageKey
from core.policy.acl import EVERYBODY, Reader
from core.question import Completed, QuestionKind, without
from worker.question.classify import pieces
from worker.retrieval.reranking import Reranker

K = 10  # pieces given to the answerer, as in the paper
PAGES_WITH_TABLES = 3  # whose rows are searched
ROWS = 4  # of one page
# Pieces found by a follow-up's own words, in case the rules added a topic that it has left.
NEW_TOPIC = 5
POOL = 50  # pieces given to the reranker, where there is one


class Retriever:
    """Searches the evidence and, where a cross-encoder is configured, reranks the best of it."""

    def __init__(self, evidence: EvidenceSearch, reranker: Reranker | None = None) -> None:
        self.evidence = evidence
        self._reranker = reranker

    def retrieve(
        self,
        completed: Completed,
        reader: Reader = EVERYBODY,
        k: int = 0,
        *,
        mode: Mode = Mode.BOTH,
    ) -> SearchResult:
        """The k best pieces (0: as many as the question needs).

        Behind the first table or row of a page stand its rows that match best.
        """
        wanted = k or pieces(completed.kind)
        found = self.search(completed, reader, wanted, mode=mode)
        hits = self._with_rows(completed.text, found.hits, reader)
        if completed.context:
            alone = replace(_query(completed), context=(), mode=mode)
            by_itself = self.evidence.search(alone, min(NEW_TOPIC, wanted), reader)
            # What a condition excludes from one search must not come in by the other.
            if found.conditions_dropped or not by_itself.conditions_dropped:
                hits = _distinct([*hits, *_rescaled(by_itself.hits, hits)])
        return replace(found, hits=hits)

    def search(
        self,
        completed: Completed,
        reader: Reader = EVERYBODY,
        k: int = K,
        *,
        mode: Mode = Mode.BOTH,
    ) -> SearchResult:
        query = replace(_query(completed), mode=mode)
        if self._reranker is None:
            return self.evidence.search(query, k, reader)
        found = self.evidence.search(query, POOL, reader)
        reranked = self._reranker.rerank(completed.text, found.hits, pages=completed.pages)
        return replace(found, hits=reranked[:k])

    def _with_rows(
        self,
        query: str,
        hits: tuple[Hit, ...],
        reader: Reader,
    ) -> tuple[Hit, ...]:
        """A table often names a thing in several rows: one must not look like the only one."""
        found: list[Hit] = []
        pages: set[PageKey] = set()
        for hit in hits:
            found.append(hit)
            is_new_table = hit.evidence.table is not None and hit.page.key not in pages
            if is_new_table and len(pages) < PAGES_WITH_TABLES:
                pages.add(hit.page.key)
                found += self.evidence.best_rows(query, hit, ROWS, reader)
        return _distinct(found)


def _query(completed: Completed) -> Query:
    """Without the words that became conditions; only what rules have added stands apart."""
    question = completed.searched
    if completed.context:
        question = without(completed.question, completed.conditions)
    return Query(
        question,
        completed.context,
        completed.conditions,
        lists=completed.kind is QuestionKind.LIST,
    )


def _rescaled(
    hits: Sequence[Hit],
    others: Sequence[Hit],
) -> Iterator[Hit]:
    """The hits with scores moved so that their best equals the best of the others.

    Two questions of different length share no scale.
    """
    shift = 0.0
    if hits and others:
        shift = others[0].score - hits[0].score
    for hit in hits:
        changes = {"score": hit.score + shift, "aside": True}
        yield hit.model_copy(update=changes)


def _distinct(hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """Each piece once, where it stands first."""
    seen: dict[str, Hit] = {}
    for hit in hits:
        seen.setdefault(hit.evidence.id, hit)
    return tuple(seen.values())
