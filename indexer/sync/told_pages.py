"""Reads single pages again, out of turn: a sync of their space whose listing is patched by news.

The listing is what the index knows, with the told pages as they are now in it. It may add, change
and hide pages; whatever it would do on doubt is left to a complete listing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace

from core.page_source import Listed, Space
from core.pages import PageStatus
from core.storage import clock
from indexer.access.permissions import read_space
from indexer.access.space_tree import SpaceTree
from indexer.parse import PARSER_VERSION
from indexer.state.counts import Counts
from indexer.state.page_state import PageState
from indexer.state.plan import IndexedPage, Plan, plan
from indexer.sync.parts import SyncParts
from indexer.sync.reconcile import ListingSync, SyncTimes, build_tree


@dataclass(frozen=True)
class ToldPages:
    """The pages that news is of, and those of them that are current in one of our spaces."""

    ids: frozenset[str]
    current: Sequence[Listed]

    def within(self, space: Space) -> list[Listed]:
        return [each for each in self.current if each.page.space == space.key]


def read_told(
    parts: SyncParts,
    space: Space,
    told: ToldPages,
    *,
    space_ids: Set[str],
    period_s: float,
) -> set[str]:
    """Bring the told pages of a space in step, and what depends on them.

    Gives the ids of pages that opened by it and have no evidence: they have to be told next.

    Raises:
        SourceError: Confluence could not be asked; nothing was removed.
        StoreUnavailable: the vector store, the database or the embedder does not answer.
    """
    state = PageState(parts.store.database, parts.source.name)
    space_clauses = read_space(parts.source, state.database, space, parts.policy)
    current = told.within(space)
    known = state.indexed(space.key, [each.page.id for each in current])
    listing = [*_untold(space, known, told.ids), *current]
    tree = build_tree(space, listing, parts.policy, known, space_clauses=space_clauses)
    now = clock.now()
    todo = plan(list(tree.pages.values()), known, made_by=PARSER_VERSION, now=now)
    # A folder is no page of a listing: what was read of it is out of date when it is told.
    above = state.nodes(tree.unlisted_parents()).keys()
    times = SyncTimes(now, now, period_s if told.ids.isdisjoint(above) else 0.0)
    sync = ListingSync(parts, state, tree, listing, known=known, counts=Counts())
    return sync.run_news(_of_these(todo, tree, told.ids), times, space_ids)


def _untold(
    space: Space,
    known: Mapping[str, IndexedPage],
    told: Set[str],
) -> Iterator[Listed]:
    """The pages that the last listing of the space had, as far as the index knows."""
    for page_id, each in known.items():
        page = each.page
        is_removed = not page.title or page.status is not PageStatus.CURRENT
        if page_id in told or page.space != space.key or is_removed or each.missing_since:
            continue
        yield Listed(page)


def _of_these(todo: Plan, tree: SpaceTree, told: Set[str]) -> Plan:
    """Every told page counts as changed; of the others only place and breadcrumbs are saved."""
    missed = [each for each in todo.confirm if each.page.id in told]
    return replace(
        todo,
        changed=tuple(tree.pages[each] for each in sorted(told & tree.pages.keys())),
        fetch=tuple(page for page in todo.fetch if page.id in told),
        # A second miss has to be one of a complete listing.
        confirm=tuple(each for each in missed if each.missing_since is None),
    )
