"""What a sync has to do, from what Confluence lists and what is indexed: pure functions, no network, no database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.models import Page

SHRINK_FLOOR = 20  # so many pages may be missing from a small space before that looks like a broken listing
SHRINK_SHARE = 0.10  # and this part of a large one


@dataclass(frozen=True)
class Indexed:
    """A page as it stands in the index."""

    page: Page
    made_by: str  # parser and embedder; empty when it has no evidence
    visible: bool
    restricted: bool | None
    restrictions_read_at: float
    next_try: float = 0.0


@dataclass(frozen=True)
class Plan:
    """What to do for one space."""

    fetch: tuple[Page, ...]  # new or changed: read body, labels and restrictions
    confirm: tuple[Page, ...]  # in the index, not in the listing: ask one by one
    unchanged: tuple[Page, ...]


def plan(listed: Sequence[Page], indexed: Mapping[str, Indexed], *, made_by: str, now: float) -> Plan:
    """Compare a complete listing of a space with the index.

    `indexed` holds the rows of this space and of every listed page, by page id.
    """
    children_changed = _children(listed) ^ _children([known.page for known in indexed.values() if known.page.status == "current"])
    parents = {parent for parent, _ in children_changed}
    fetch = [page for page in listed if _is_due(page, indexed.get(page.id), parents, made_by=made_by, now=now)]
    ids, due = {page.id for page in listed}, {page.id for page in fetch}
    return Plan(
        fetch=tuple(fetch),
        confirm=tuple(known.page for known in indexed.values() if known.page.id not in ids and known.page.status == "current"),
        unchanged=tuple(page for page in listed if page.id not in due),
    )


def shrinks_too_much(missing: int, known: int) -> bool:
    """Whether so many pages are missing that the listing is to be doubted before the pages are."""
    return missing > max(SHRINK_FLOOR, SHRINK_SHARE * known)


def _is_due(page: Page, known: Indexed | None, parents: set[str], *, made_by: str, now: float) -> bool:
    if known is None:
        return True
    if known.next_try > now:
        return False  # it failed lately; its old version stays until then
    changed = _identity(page) != _identity(known.page) or page.id in parents
    outdated = known.visible and known.made_by != made_by
    return changed or outdated or known.restricted is None


def _identity(page: Page) -> tuple[object, ...]:
    """What the listing says of a page that its evidence or its place depend on."""
    return (page.version, page.title, page.space, page.parent_id, page.status, page.url, page.owner)


def _children(pages: Sequence[Page]) -> set[tuple[str, str]]:
    """(parent, child title) of every child page: a parent may show them as a list."""
    return {(page.parent_id, page.title) for page in pages if page.parent_id}
