"""Reads what the listing of a space does not show: labels, restrictions, comments and attachments.

Changed pages are read at once, all others in turn, so that each is read again within a period that
the operator sets. Restrictions that cannot be read are unknown, and unknown denies.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from core import logs
from core.errors import SourceError, SourceUnreachable
from core.models import Page
from core.page_source import BODIES, Listed, Readers, Scanned
from core.storage import clock
from indexer.access.space_tree import SpaceTree
from indexer.state.counts import Counts
from indexer.state.page_state import PageState
from indexer.state.plan import IndexedPage, SpaceTreeNode
from indexer.sync.parts import SyncParts
from indexer.sync.progress import Advance, unseen
from indexer.sync.together import Together

# Share of the period in which a page is left alone: a first sync leaves nothing to read again.
REST_SHARE = 0.4
# Share of the period in which every page is read, so that a late sync still keeps the promise.
DEADLINE_SHARE = 0.8
# Pages in a row that cannot be read: then it is the site that fails, not the pages.
FAILURES_IN_A_ROW = 5

log = logs.get(__name__)


class Scanner:
    """Reads pages, many at once where it may; what it read is in the tree, and saved."""

    def __init__(
        self,
        parts: SyncParts,
        page_state: PageState,
        tree: SpaceTree,
        listed: Iterable[Listed],
    ) -> None:
        self._source = parts.source
        self._page_state = page_state
        self._tree = tree
        self._extras = parts.extras
        self._together = Together(parts.source)
        self._listed = {each.page.id: each for each in listed}
        self.extras: dict[str, str] = {}  # by page id, of what was read

    @property
    def listing_shows_all(self) -> bool:
        """Whether nothing has to be read in turn."""
        if self._extras.wanted:
            return False
        listed = self._listed.values()
        return all(each.readers is not None and each.labels is not None for each in listed)

    def take_over(self, known: Mapping[str, IndexedPage]) -> None:
        """Believe what the listing shows (on Data Center labels, restrictions), or is known."""
        for page_id, each in self._listed.items():
            self._take_over(each, known.get(page_id))
        if self.listing_shows_all:
            self._page_state.scanned(known)

    def _take_over(self, listed: Listed, known: IndexedPage | None) -> None:
        before = known.readers if known else None
        readers = before if listed.readers is None else listed.readers
        self._tree.readers[listed.page.id] = readers
        if known and readers is not None and readers != before:
            self._page_state.save_scan(listed.page, readers=readers, extras=known.extras)

    def read(
        self,
        pages: Iterable[Page],
        counts: Counts,
        advance: Advance = unseen,
    ) -> set[str]:
        """Read these pages now; the ids of those that failed, whose failure is saved.

        Raises:
            SourceUnreachable: page after page fails; what was read until then is kept.
        """
        failed: set[str] = set()
        unread = 0
        for page, told in self._asked(list(pages)):
            counts.scanned += 1
            advance()
            try:
                unread = 0 if self._read(page, told) else unread + 1
            except SourceError as error:
                unread += 1
                failed.add(page.id)
                counts.failed += 1
                self._page_state.save_failure(page, str(error))
            if unread == FAILURES_IN_A_ROW:
                raise SourceUnreachable(
                    f"restrictions or labels of {unread} pages in a row could not be read; "
                    "the next sync tries again"
                )
        self._tree.forget_clauses()
        return failed

    def _asked(self, pages: Sequence[Page]) -> Iterator[tuple[Page, Scanned | None]]:
        """Each page, with what was told of many at once."""
        for start in range(0, len(pages), BODIES):
            batch = pages[start : start + BODIES]
            unlisted = [page for page in batch if self._listed[page.id].readers is None]
            told = self._together.found(unlisted, self._tree.readers)
            for page in batch:
                yield page, told.get(page.id)
        for page in self._together.to_read_again():
            yield page, None

    def _read(self, page: Page, told: Scanned | None) -> bool:
        """Whether it is known now who may read the page."""
        listed = self._listed[page.id]
        if told:
            listed = replace(listed, labels=told.labels, readers=told.readers)
        readers = self._readers(page.id) if listed.readers is None else listed.readers
        self._tree.readers[page.id] = readers
        self._page_state.save_scan(page, readers=readers, extras="")
        labels = self._source.labels(page) if listed.labels is None else listed.labels
        in_tree = self._tree.pages[page.id]
        self._tree.pages[page.id] = in_tree.model_copy(update={"labels": labels})
        if self._extras.wanted:
            self.extras[page.id] = self._extras.digest(page)
            self._page_state.save_scan(page, readers=readers, extras=self.extras[page.id])
        return readers is not None

    def read_unlisted_parents(self, period_s: float) -> None:
        """Who may read the folders and other unlisted parents: new ones at once, others in turn."""
        unlisted = self._tree.unlisted_parents()
        known = self._page_state.nodes(unlisted)
        oldest = clock.now() - DEADLINE_SHARE * period_s
        lost: set[str] = set()
        for parent, page in unlisted.items():
            found = known.get(parent)
            is_due = found is None or found.readers is None or found.scanned_at < oldest
            # A page may outlive its parent.
            if is_due and parent not in self._read_path(page):
                lost.add(parent)
        for node_id, each in self._page_state.nodes(unlisted.keys() - lost).items():
            if node_id not in self._tree.pages:
                self._tree.nodes[node_id] = each.node
                self._tree.readers[node_id] = each.readers
        self._tree.forget_clauses()

    def _read_path(self, child: Page) -> Collection[str]:
        """Read all unlisted parents of a page; ids of all that is above it, none when unknown."""
        try:
            above = self._source.ancestors(child)
        except SourceError as error:
            log.warning("ancestors.unknown", page=child.id, error=str(error))
            return ()
        parent: str | None = None
        for content_id, kind in above.items():
            if content_id not in self._tree.pages:
                node = SpaceTreeNode(content_id, kind, parent)
                readers = self._readers(content_id)
                self._page_state.save_node(self._tree.space.key, node, readers)
            parent = content_id
        return above.keys()

    def _readers(self, content_id: str) -> Readers | None:
        try:
            return self._source.readers(content_id)
        except SourceError as error:
            log.warning("restrictions.unknown", content=content_id, error=str(error))
            return None


def due_pages(
    known: Sequence[IndexedPage], *, period_s: float, since: float, now: float
) -> list[Page]:
    """The pages to scan now, the oldest first.

    None in the first part of their period, then evenly, so that all are read within it.

    >>> due_pages([], period_s=10, since=0, now=1)
    []
    """
    by_age = sorted(known, key=lambda each: (each.scanned_at, each.page.id))
    rested = sum(each.scanned_at < now - REST_SHARE * period_s for each in by_age)
    overdue = sum(each.scanned_at < now - DEADLINE_SHARE * period_s for each in by_age)
    share = (now - since) / ((DEADLINE_SHARE - REST_SHARE) * period_s)
    even = math.ceil(share * len(by_age))
    due = by_age[: max(overdue, min(rested, even))]
    return [each.page for each in due]
