"""One sync of one space, on one screen: list → compare → who may read → what is gone → bodies → a part of the rest in turn."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence

from core import logs
from core.confluence import Confluence, Listed, Space
from core.evidence import EvidenceStore
from core.models import Page
from indexer.access.acl_updates import Guard
from indexer.access.mentioned_titles import MentionedTitles
from indexer.access.permissions import read_space
from indexer.access.space_tree import Listing, Policy
from indexer.parse import PARSER_VERSION
from indexer.state.counts import Counts
from indexer.state.page_state import PageState
from indexer.state.plan import IndexedPage, Plan, is_doubtful, plan
from indexer.sync.extras import Extras
from indexer.sync.fetch import PageFetcher
from indexer.sync.missing_pages import confirm
from indexer.sync.progress import progress
from indexer.sync.scan import Scanner, turn

AT_ONCE = 100  # pages scanned before what was found is acted upon

log = logs.get(__name__)


class Reconcile:
    """Made anew for each sync of each space."""

    def __init__(
        self,
        confluence: Confluence,
        store: EvidenceStore,
        policy: Policy,
        extras: Extras,
        counts: Counts,
    ) -> None:
        self._confluence = confluence
        self._store = store
        self._policy = policy
        self._extras = extras
        self._counts = counts
        self._ledger = PageState(store.database)

    def run(
        self,
        space: Space,
        space_ids: set[str],
        *,
        since: float,
        period_s: float,
        allow_shrink: bool,
    ) -> None:
        """`since` is when the last complete sync of this space began."""
        now = time.time()
        space_clauses = read_space(self._confluence, self._store.database, space, self._policy)
        listed = list(self._confluence.manifest(space))
        self._known = self._ledger.indexed(space.key, (each.page.id for each in listed))
        self._listing = listing_of(space, listed, self._policy, self._known)
        self._listing.space_clauses = space_clauses
        self._counts.listed = len(listed)
        todo = plan(
            list(self._listing.pages.values()), self._known, made_by=PARSER_VERSION, now=now
        )
        is_all_shown = self._prepare(listed)
        self._failed = self._scanner.read(todo.changed, self._counts)
        self._scanner.read_above(period_s)
        stale = self._guard.apply(self._counts)
        self._confirm(todo, space_ids, allow_shrink=allow_shrink)
        self._ledger.relist(self._listing.pages[page.id] for page in todo.relisted)
        self._index({page.id for page in todo.fetch} | stale)
        if not is_all_shown:
            self._in_turn(turn(self._others(todo), period_s=period_s, since=since, now=now))
        self._counts.withheld = sum(
            self._listing.acl(page) is None for page in self._listing.pages.values()
        )

    def _prepare(self, listed: Sequence[Listed]) -> bool:
        """The parts that work on this listing; whether the listing shows everything."""
        names = MentionedTitles(self._listing, self._ledger)
        self._scanner = Scanner(
            self._confluence,
            self._ledger,
            self._listing,
            self._extras.digest if self._extras.wanted else None,
        )
        self._guard = Guard(self._store, self._ledger, self._listing, names, self._known)
        self._bodies = PageFetcher(
            self._confluence, self._store, self._listing, names, self._extras, PARSER_VERSION
        )
        return self._scanner.begin(listed, self._known)

    def _index(self, page_ids: set[str]) -> None:
        """Make the evidence of these pages, of those that somebody may be shown and that did not fail lately."""
        pages = [
            page
            for page_id, page in self._listing.pages.items()
            if page_id in page_ids and self._is_due(page)
        ]
        self._ledger.outdate(page.id for page in pages)
        with progress(f"{self._listing.space.key}: pages", len(pages)) as advance:
            self._bodies.index(pages, self._counts, advance)
        self._known.update(self._ledger.rows(page.id for page in pages))

    def _is_due(self, page: Page) -> bool:
        waits = page.id in self._known and self._known[page.id].next_try > time.time()
        return not waits and page.id not in self._failed and self._listing.acl(page) is not None

    def _others(self, todo: Plan) -> list[IndexedPage]:
        """The pages that were not read already because they changed."""
        read = {page.id for page in todo.changed}
        return [
            known
            for page_id, known in self._known.items()
            if page_id in self._listing.pages and page_id not in read
        ]

    def _in_turn(self, pages: Sequence[Page]) -> None:
        """Read what the listing does not show of unchanged pages, and act upon it after every few of them."""
        with progress(f"{self._listing.space.key}: labels and restrictions", len(pages)) as advance:
            for start in range(0, len(pages), AT_ONCE):
                batch = pages[start : start + AT_ONCE]
                self._failed |= self._scanner.read(batch, self._counts)
                stale = self._guard.apply(self._counts)
                self._ledger.relist(self._relabelled(batch))
                self._index(stale | self._with_new_extras(batch))
                advance(len(batch))

    def _relabelled(self, pages: Iterable[Page]) -> list[Page]:
        now = [self._listing.pages[page.id] for page in pages]
        return [page for page in now if page.labels != self._known[page.id].page.labels]

    def _with_new_extras(self, pages: Iterable[Page]) -> set[str]:
        read = self._scanner.extras
        return {
            page.id
            for page in pages
            if page.id in read and read[page.id] != self._known[page.id].extras
        }

    def _confirm(self, todo: Plan, space_ids: set[str], *, allow_shrink: bool) -> None:
        listed, missing = len(self._listing.pages), len(todo.confirm)
        if is_doubtful(listed, missing) and not allow_shrink:
            self._counts.kept_on_doubt = missing
            log.warning(
                "sync.shrinks_too_much",
                space=self._listing.space.key,
                missing=missing,
                cure="if it is right: --allow-shrink",
            )
            return
        confirm(todo.confirm, self._confluence, self._ledger, self._guard, space_ids, self._counts)


def listing_of(
    space: Space, listed: Iterable[Listed], policy: Policy, known: Mapping[str, IndexedPage]
) -> Listing:
    """The pages of a listing, each with the titles of the pages above it, and the labels that it or the index knows."""
    bare = Listing(space, {each.page.id: _labelled(each, known) for each in listed}, policy)
    pages = {
        page.id: page.model_copy(update={"breadcrumbs": bare.breadcrumbs(page)})
        for page in bare.pages.values()
    }
    return Listing(space, pages, policy)


def _labelled(each: Listed, known: Mapping[str, IndexedPage]) -> Page:
    before = known[each.page.id].page.labels if each.page.id in known else ()
    return each.page.model_copy(update={"labels": before if each.labels is None else each.labels})
