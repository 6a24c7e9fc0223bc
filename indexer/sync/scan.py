"""Reads what the listing of a space does not show: labels, restrictions, comments and attachments.

Of changed pages at once; of all others in turn, so that each is read again within a period that the operator sets. Restrictions that
cannot be read are unknown, and unknown denies.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from hashlib import blake2b

from core import logs
from core.confluence import Confluence, Listed, Readers
from core.errors import ConfluenceError, ConfluenceUnreachable
from core.models import Page
from indexer.access.space_tree import Listing
from indexer.state.counts import Counts
from indexer.state.page_state import PageState
from indexer.state.plan import IndexedPage, SpaceTreeNode

REST = 0.4  # of the period in which a page is left alone: right after a first sync there is nothing to read again
SILENCE = 5  # pages in a row that say nothing: it is the site that fails then, and not they
HEADWAY = 0.8  # of the period in which every page is read, so that a sync that comes late does not break the promise

log = logs.get(__name__)

Extras = Callable[[Page], str]  # the digest of a page's comments and attachments


class Scanner:
    """Reads pages one by one, and remembers what it read: in the listing, and in the ledger for the next sync."""

    def __init__(
        self, confluence: Confluence, ledger: PageState, listing: Listing, extras: Extras | None
    ) -> None:
        self._confluence = confluence
        self._ledger = ledger
        self._listing = listing
        self._extras = extras
        self._told: dict[str, Listed] = {}
        self.extras: dict[str, str] = {}  # by page id, of what was read

    def begin(self, listed: Iterable[Listed], known: Mapping[str, IndexedPage]) -> bool:
        """Take over what the listing shows, on Data Center labels and restrictions, and else what is known from before.

        Whether the listing shows everything, so that nothing has to be read in turn.
        """
        self._told = {each.page.id: each for each in listed}
        for page_id, each in self._told.items():
            before = known[page_id].readers if page_id in known else None
            self._listing.readers[page_id] = before if each.readers is None else each.readers
            if page_id in known and each.readers is not None and each.readers != before:
                self._ledger.save_scan(
                    each.page, readers=each.readers, extras=known[page_id].extras
                )
        tells_all = self._extras is None and all(
            each.readers is not None and each.labels is not None for each in self._told.values()
        )
        if tells_all:
            self._ledger.scanned(known)
        return tells_all

    def read(self, pages: Iterable[Page], counts: Counts) -> set[str]:
        """Read these pages now; the ids of those that failed, which go into the ledger.

        Raises:
            ConfluenceUnreachable: page after page fails; what was read until then is kept.
        """
        failed: set[str] = set()
        silent = 0
        for page in pages:
            counts.scanned += 1
            try:
                silent = 0 if self._read(page) else silent + 1
            except ConfluenceError as error:
                silent += 1
                failed.add(page.id)
                counts.failed += 1
                self._ledger.failed(page, str(error))
            if silent == SILENCE:
                raise ConfluenceUnreachable(
                    f"restrictions or labels of {silent} pages in a row could not be read; the next sync tries again"
                )
        self._listing.forget_clauses()
        return failed

    def _read(self, page: Page) -> bool:
        """Whether it is known now who may read the page."""
        told = self._told[page.id]
        readers = self._readers(page.id) if told.readers is None else told.readers
        self._listing.readers[page.id] = readers
        self._ledger.save_scan(page, readers=readers, extras="")
        labels = self._confluence.labels(page) if told.labels is None else told.labels
        self._listing.pages[page.id] = self._listing.pages[page.id].model_copy(
            update={"labels": labels}
        )
        if self._extras:
            self.extras[page.id] = self._extras(page)
            self._ledger.save_scan(page, readers=readers, extras=self.extras[page.id])
        return readers is not None

    def read_above(self, period_s: float) -> None:
        """Who may read the folders and other parents that no listing shows: new ones at once, the others in turn."""
        unlisted = self._listing.unlisted_parents()
        known = self._ledger.nodes(unlisted)
        due = [
            each
            for each in unlisted
            if each not in known
            or known[each][1] is None
            or known[each][2] < time.time() - HEADWAY * period_s
        ]
        lost = {
            parent for parent in due if parent not in self._read_path(unlisted[parent])
        }  # a page may outlive what it stood under
        for node, readers, _ in self._ledger.nodes(unlisted.keys() - lost).values():
            if node.id not in self._listing.pages:
                self._listing.nodes[node.id], self._listing.readers[node.id] = node, readers
        self._listing.forget_clauses()

    def _read_path(self, child: Page) -> Collection[str]:
        """Read everything above a page that no listing shows; the ids of all that is above it, none when that cannot be known."""
        try:
            above = self._confluence.ancestors(child)
        except ConfluenceError as error:
            log.warning("ancestors.unknown", page=child.id, error=str(error))
            return ()
        parent: str | None = None
        for content_id, kind in above.items():
            if content_id not in self._listing.pages:
                self._ledger.save_node(
                    self._listing.space.key,
                    SpaceTreeNode(content_id, kind, parent),
                    self._readers(content_id),
                )
            parent = content_id
        return above.keys()

    def _readers(self, content_id: str) -> Readers | None:
        try:
            return self._confluence.readers(content_id)
        except ConfluenceError as error:
            log.warning("restrictions.unknown", content=content_id, error=str(error))
            return None


def turn(known: Sequence[IndexedPage], *, period_s: float, since: float, now: float) -> list[Page]:
    """The pages whose turn it is, the oldest first: none in the first part of their period, then evenly, so that all are read within it.

    >>> turn([], period_s=10, since=0, now=1)
    []
    """
    by_age = sorted(known, key=lambda each: (each.scanned_at, each.page.id))
    rested = sum(each.scanned_at < now - REST * period_s for each in by_age)
    overdue = sum(each.scanned_at < now - HEADWAY * period_s for each in by_age)
    share = (now - since) / ((HEADWAY - REST) * period_s)
    return [
        each.page for each in by_age[: max(overdue, min(rested, math.ceil(share * len(by_age))))]
    ]


def digest(parts: Iterable[str]) -> str:
    return blake2b("\0".join(parts).encode(), digest_size=12).hexdigest()
