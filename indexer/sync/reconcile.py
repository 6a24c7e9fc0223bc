"""One sync of one space, step by step.

List, plan, update ACLs, confirm what is missing, fetch bodies, then scan a part of the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from core import logs
from core.access.policy import Policy
from core.models import Page
from core.page_source import Listed, Space
from core.policy.acl import Clauses
from core.storage import clock
from indexer.access.acl_updates import AclUpdater
from indexer.access.mentioned_titles import MentionedTitles
from indexer.access.permissions import read_space
from indexer.access.space_tree import SpaceTree
from indexer.parse import PARSER_VERSION
from indexer.state.counts import Counts
from indexer.state.page_state import PageState
from indexer.state.plan import IndexedPage, Plan, is_doubtful, plan
from indexer.sync.fetch import PageFetcher
from indexer.sync.missing_pages import confirm
from indexer.sync.parts import SyncParts
from indexer.sync.progress import progress
from indexer.sync.scan import Scanner, due_pages

SCAN_BATCH = 100  # pages scanned before what was found is acted upon

log = logs.get(__name__)


def reconcile(
    parts: SyncParts,
    space: Space,
    counts: Counts,
    when: SyncTimes,
    *,
    space_ids: Set[str],
    allow_shrink: bool,
) -> None:
    """Bring a space in step with its listing; pages moved to `space_ids` are left to those.

    Raises:
        SourceError: the listing could not be read to its end; nothing was removed.
        StoreUnavailable: the vector store, the database or the embedder does not answer.
    """
    state = PageState(parts.store.database, parts.source.name)
    space_clauses = read_space(parts.source, state.database, space, parts.policy)
    listed = list(parts.source.manifest(space))
    known = state.indexed(space.key, [each.page.id for each in listed])
    tree = build_tree(space, listed, parts.policy, known, space_clauses=space_clauses)
    counts.listed = len(listed)
    todo = plan(list(tree.pages.values()), known, made_by=PARSER_VERSION, now=when.now)
    sync = ListingSync(parts, state, tree, listed, known=known, counts=counts)
    sync.run(todo, when, space_ids, allow_shrink=allow_shrink)


@dataclass(frozen=True)
class SyncTimes:
    """When this sync began, and what that makes due; in seconds since 1970."""

    now: float
    since: float  # when the last complete sync of the space began
    period_s: float  # within which what no listing shows is read again


class ListingSync:
    """Acts upon one listing of a space."""

    def __init__(
        self,
        parts: SyncParts,
        state: PageState,
        tree: SpaceTree,
        listed: Sequence[Listed],
        *,
        known: dict[str, IndexedPage],
        counts: Counts,
    ) -> None:
        """`known` is kept up to date here."""
        titles = MentionedTitles(tree, state)
        self._source = parts.source
        self._page_state = state
        self._tree = tree
        self._known = known
        self._counts = counts
        self._failed: set[str] = set()
        self._scanner = Scanner(parts, state, tree, listed)
        self._acl_updater = AclUpdater(parts.store, state, tree, titles, known)
        self._fetcher = PageFetcher(parts, state, tree, titles)

    def run(
        self,
        todo: Plan,
        when: SyncTimes,
        space_ids: Set[str],
        *,
        allow_shrink: bool,
    ) -> None:
        outdated = self._take_in(todo, when, space_ids, allow_shrink=allow_shrink)
        self._page_state.save_listed(self._tree.pages[page.id] for page in todo.relisted)
        self._index(outdated.union(page.id for page in todo.fetch))
        if not self._scanner.listing_shows_all:
            unchanged = list(self._unchanged(todo))
            period_s, since, now = when.period_s, when.since, when.now
            self._scan(due_pages(unchanged, period_s=period_s, since=since, now=now))
        acls = list(map(self._tree.acl, self._tree.pages.values()))
        self._counts.withheld = acls.count(None)

    def run_news(self, todo: Plan, when: SyncTimes, space_ids: Set[str]) -> set[str]:
        """Read again the pages that were told; ids of pages to tell next, since they opened.

        The listing is what the index knows of all others, and may be out of date: a page that it
        would open is read first, by itself.
        """
        told = {page.id for page in todo.changed}
        outdated = self._take_in(todo, when, space_ids, allow_shrink=True)
        there = [page for page in todo.changed if page.id in self._known]
        moved = {page.id for page in (*todo.relisted, *self._relabelled(there))}
        moved -= {page.id for page in todo.fetch}
        self._page_state.save_listed(self._tree.pages[each] for each in sorted(moved))
        opened = {each for each in outdated - told if not self._known[each].visible}
        changed = {page.id for page in todo.fetch}.union(self._with_new_extras(there))
        self._index(outdated - opened | changed)
        return opened

    def _take_in(
        self,
        todo: Plan,
        when: SyncTimes,
        space_ids: Set[str],
        *,
        allow_shrink: bool,
    ) -> set[str]:
        """Read who may read what, and let it count; ids of the pages that are outdated by that."""
        self._scanner.take_over(self._known)
        with progress(f"{self._tree.space.key}: restrictions", len(todo.changed)) as advance:
            self._failed |= self._scanner.read(todo.changed, self._counts, advance)
        self._scanner.read_unlisted_parents(when.period_s)
        outdated = self._acl_updater.apply(self._counts)
        self._confirm(todo, space_ids, allow_shrink=allow_shrink)
        return outdated

    def _index(self, page_ids: set[str]) -> None:
        """Make the evidence of those of these pages that are due."""
        pages = list(self._due(page_ids))
        ids = [page.id for page in pages]
        self._page_state.mark_outdated(ids)
        with progress(f"{self._tree.space.key}: pages", len(pages)) as advance:
            self._fetcher.index(pages, self._counts, advance)
        self._known.update(self._page_state.rows(ids))

    def _due(self, page_ids: set[str]) -> Iterator[Page]:
        """Those of these pages that somebody may be shown, and that did not fail lately."""
        for page_id, page in self._tree.pages.items():
            if page_id not in page_ids or page_id in self._failed:
                continue
            known = self._known.get(page_id)
            waits = known is not None and known.next_try > clock.now()
            if not waits and self._tree.acl(page) is not None:
                yield page

    def _unchanged(self, todo: Plan) -> Iterator[IndexedPage]:
        """The pages that were not read already because they changed."""
        read = {page.id for page in todo.changed}
        for page_id, known in self._known.items():
            if page_id in self._tree.pages and page_id not in read:
                yield known

    def _scan(self, pages: Sequence[Page]) -> None:
        """Read what the listing does not show of unchanged pages, and act upon it in batches."""
        with progress(f"{self._tree.space.key}: restrictions", len(pages)) as advance:
            for start in range(0, len(pages), SCAN_BATCH):
                batch = pages[start : start + SCAN_BATCH]
                self._failed |= self._scanner.read(batch, self._counts)
                outdated = self._acl_updater.apply(self._counts)
                self._page_state.save_listed(self._relabelled(batch))
                self._index(outdated.union(self._with_new_extras(batch)))
                advance(len(batch))

    def _relabelled(self, pages: Iterable[Page]) -> Iterator[Page]:
        for page in pages:
            now = self._tree.pages[page.id]
            if now.labels != self._known[page.id].page.labels:
                yield now

    def _with_new_extras(self, pages: Iterable[Page]) -> Iterator[str]:
        """Ids of the pages whose comments or attachments have changed."""
        for page in pages:
            known = self._known[page.id].extras
            if self._scanner.extras.get(page.id, known) != known:
                yield page.id

    def _confirm(
        self,
        todo: Plan,
        space_ids: Set[str],
        *,
        allow_shrink: bool,
    ) -> None:
        listed, missing = len(self._tree.pages), len(todo.confirm)
        if is_doubtful(listed, missing) and not allow_shrink:
            self._counts.kept_on_doubt = missing
            log.warning(
                "sync.shrinks_too_much",
                space=self._tree.space.key,
                missing=missing,
                cure="if it is right: --allow-shrink",
            )
            return
        confirm(
            todo.confirm,
            self._source,
            self._page_state,
            self._acl_updater,
            space_ids,
            self._counts,
        )


def build_tree(
    space: Space,
    listed: Iterable[Listed],
    policy: Policy,
    known: Mapping[str, IndexedPage],
    *,
    space_clauses: Clauses,
) -> SpaceTree:
    """The pages of a listing, each with its breadcrumbs, and with labels listed or known."""
    pages: dict[str, Page] = {}
    for each in listed:
        pages[each.page.id] = _labelled(each, known)
    bare = SpaceTree(space, dict(pages), policy)
    for page in bare.pages.values():
        above = bare.above(page)
        titles = tuple(each.title for each in above)
        ids = tuple(each.id for each in above)
        pages[page.id] = page.model_copy(update={"breadcrumbs": titles, "above": ids})
    return SpaceTree(space, pages, policy, space_clauses=space_clauses)


def _labelled(each: Listed, known: Mapping[str, IndexedPage]) -> Page:
    before = known.get(each.page.id)
    known_labels = before.page.labels if before else ()
    labels = known_labels if each.labels is None else each.labels
    return each.page.model_copy(update={"labels": labels})
