"""Retrieves the evidence for a question: hybrid search, reranking, matching table rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from core.evidence import EvidenceSearch, Query, SearchResult
from core.evidence.blocks import Blocks
from core.manner import Mode
from core.models import Hit
from core.pages import PageKey
from core.policy.acl import EVERYBODY, Reader
from core.question import Completed, without
from worker.question.classify import by_itself, pieces
from worker.question.standing_alone import is_surer, stands_alone
from worker.retrieval.accepted_pairs import AcceptedPairs
from worker.retrieval.openings import Openings
from worker.retrieval.reranking import Reranker

K = 10  # pieces given to the answerer, as in the paper
PAGES_WITH_TABLES = 3  # whose rows are searched
ROWS = 4  # of one page
# Pieces found by a follow-up's own words, in case the rules added a topic that it has left.
NEW_TOPIC = 5
POOL = 50  # pieces given to the reranker, where there is one


@dataclass(frozen=True)
class Retrieved(SearchResult):
    """What was found, and whether without the conversation: the question stands alone."""

    context_dropped: bool = False

    def searched(self, completed: Completed) -> Completed:
        """The question as it was searched: without a conversation it gives nothing of that away."""
        if not self.context_dropped:
            return completed
        return by_itself(completed)


class Retriever:
    """Searches the evidence and, where a cross-encoder is configured, reranks the best of it."""

    def __init__(
        self,
        evidence: EvidenceSearch,
        reranker: Reranker | None = None,
        pairs: AcceptedPairs | None = None,
    ) -> None:
        self.evidence = evidence
        self._reranker = reranker
        self._pairs = pairs
        self._openings = Openings(Blocks(evidence.database))

    def retrieve(
        self,
        completed: Completed,
        reader: Reader = EVERYBODY,
        k: int = 0,
        *,
        mode: Mode = Mode.BOTH,
    ) -> Retrieved:
        """The k best pieces (0: as many as the question needs).

        Behind the first table or row of a page stand its rows that match best.
        """
        wanted = k or pieces(completed.kind)
        found, aside = self._found(completed, reader, wanted, mode)
        asked = _query(found.searched(completed))
        hits = self._openings.before(found.hits, asked.question, reader)
        hits = self._with_rows(asked.text, hits, reader)
        # What a condition excludes from one search must not come in by the other.
        if aside and (found.conditions_dropped or not aside.conditions_dropped):
            others = aside.hits[: min(NEW_TOPIC, wanted)]
            hits = distinct([*hits, *_rescaled(others, hits)])
        return replace(found, hits=hits)

    def search(
        self,
        completed: Completed,
        reader: Reader = EVERYBODY,
        k: int = K,
        *,
        mode: Mode = Mode.BOTH,
    ) -> Retrieved:
        """The k best pieces, without the conversation of a question that stands alone."""
        found, _ = self._found(completed, reader, k, mode)
        return found

    def _found(
        self,
        completed: Completed,
        reader: Reader,
        k: int,
        mode: Mode,
    ) -> tuple[Retrieved, Retrieved | None]:
        """What was found, and what a question finds by itself that leans on its conversation."""
        if not completed.context:
            found = self._searched(completed, reader, k, mode)
            return self._reranked(completed, found, k), None
        own = completed.by_itself
        together = self._searched(completed, reader, max(k, K), mode)
        alone = self._searched(own, reader, max(k, K), mode)
        # How sure a search by words or by meaning alone is, nobody has measured.
        are_whole = mode is Mode.BOTH and not alone.words_only
        as_asked = together.conditions_dropped or not alone.conditions_dropped
        # As many hits as confidence is fitted on.
        pair = (alone.hits[:K], together.hits[:K])
        leaves_out = is_surer if completed.is_told_more else stands_alone
        if are_whole and as_asked and leaves_out(completed.question, *pair):
            found = self._reranked(own, alone, k)
            return replace(found, context_dropped=True), None
        return self._reranked(completed, together, k), alone

    def _searched(
        self,
        completed: Completed,
        reader: Reader,
        k: int,
        mode: Mode,
    ) -> Retrieved:
        query = replace(_query(completed), mode=mode)
        found = self.evidence.search(query, POOL if self._reranker else k, reader)
        return Retrieved(found.hits, found.words_only, found.conditions_dropped)

    def _reranked(self, completed: Completed, found: Retrieved, k: int) -> Retrieved:
        hits = found.hits
        if self._reranker:
            hits = self._reranker.rerank(completed.text, hits, pages=completed.pages)
        if self._pairs:
            hits = self._pairs.first(completed.text, hits)
        return replace(found, hits=hits[:k])

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
        return distinct(found)


def _query(completed: Completed) -> Query:
    """Without the words that became conditions; only what rules have added stands apart."""
    question = completed.searched
    if completed.context:
        question = without(completed.question, completed.conditions)
    return Query(question, completed.context, completed.conditions)


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


def distinct(hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """Each piece once, where it stands first."""
    seen: dict[str, Hit] = {}
    for hit in hits:
        seen.setdefault(hit.evidence.id, hit)
    return tuple(seen.values())
