"""Closes pages at once that news may have closed, while a sync of their space goes on.

That sync holds the lease and knows nothing of the news; it may even show a page again that it had
listed before. So what was closed is closed again until the lease is free, and the pages are read
in earnest. To close is to set an ACL that nobody passes: no evidence and no vector is made anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Set

from core.errors import SourceError
from core.page_source import Listed, PageSource, Readers, Space
from core.pages import PageKey
from core.policy.acl import DENIED_ID
from indexer.access.space_tree import SpaceTree
from indexer.state.page_state import PageState
from indexer.state.plan import IndexedPage
from indexer.sync.parts import SyncParts
from indexer.sync.told_pages import ToldPages


def closed_by(parts: SyncParts, space: Space, told: ToldPages) -> set[str]:
    """Ids of the pages of a space that are narrower now, or gone, and of all under them."""
    state = PageState(parts.store.database, parts.source.name)
    known = state.indexed(space.key, ())
    pages = {page_id: each.page for page_id, each in known.items()}
    tree = SpaceTree(space, pages, parts.policy)
    above = state.nodes(tree.unlisted_parents())
    tree.nodes = {node_id: each.node for node_id, each in above.items()}
    before = {node_id: each.readers for node_id, each in above.items()}
    before |= {page_id: each.readers for page_id, each in known.items()}
    current = {each.page.id: each for each in told.within(space)}
    narrower = set[str]()
    for page_id in told.ids & before.keys():
        now = current.get(page_id)
        has_moved = now is None or now.page.parent_id != tree.parent_of(page_id)
        is_page = page_id in known
        if (is_page and has_moved) or _is_narrower(parts.source, page_id, now, before[page_id]):
            narrower.add(page_id)
    return {page.id for page in pages.values() if _is_under(tree, page.id, narrower)}


def close(parts: SyncParts, page_ids: Set[str]) -> int:
    """Let nobody find these pages until they are read again; how many somebody did find."""
    state = PageState(parts.store.database, parts.source.name)
    open_pages: dict[str, list[PageKey]] = {}
    for each in _open(state, page_ids):
        open_pages.setdefault(each.acl_id, []).append(each.page.key)
    for acl_id, keys in open_pages.items():
        parts.store.set_acl(keys, before=acl_id, now=DENIED_ID)
    return sum(map(len, open_pages.values()))


def _is_narrower(
    source: PageSource,
    page_id: str,
    now: Listed | None,
    before: Readers | None,
) -> bool:
    """Whether it has another restriction than before, or one that cannot be read."""
    try:
        listed = now.readers if now is not None else None
        readers = source.readers(page_id) if listed is None else listed
    except SourceError:
        return True
    return bool(readers) and readers != before


def _is_under(tree: SpaceTree, page_id: str, these: Set[str]) -> bool:
    return not these.isdisjoint([page_id, *tree.path(tree.pages[page_id])])


def _open(state: PageState, page_ids: Set[str]) -> Iterator[IndexedPage]:
    for each in state.rows(page_ids).values():
        if each.visible and each.acl_id != DENIED_ID:
            yield each
