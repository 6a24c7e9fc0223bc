"""What a sync has to do, from what Confluence lists and what is indexed: pure functions, no network, no database."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from core.models import Page

SHRINK_FLOOR = 20  # so many pages may be missing from a small space before that looks like a broken listing
SHRINK_SHARE = 0.10  # and this part of a large one


@dataclass(frozen=True)
class Indexed:
    """A page as it stands in the index."""

    page: Page
    made_by: str  # parser and embedder; empty when it has no evidence, or an interrupted sync was about to make it anew
    visible: bool
    restricted: bool | None
    restrictions_read_at: float
    next_try: float = 0.0


@dataclass(frozen=True)
class Plan:
    """What to do for one space."""

    fetch: tuple[Page, ...]  # new or changed: read body, labels and restrictions
    relisted: tuple[Page, ...]  # the same page under another address or owner: its evidence stays
    confirm: tuple[Page, ...]  # readers find it, or it failed, and the listing lacks it: ask one by one


def plan(listed: Sequence[Page], indexed: Mapping[str, Indexed], *, made_by: str, now: float) -> Plan:
    """Compare a complete listing of a space with the index.

    `indexed` holds the rows of this space and of every listed page, by page id.
    """
    ids = {page.id for page in listed}
    missing = [known.page for known in indexed.values() if (known.visible or known.next_try) and known.page.id not in ids]
    before = [known.page for known in indexed.values() if known.page.id in ids] + missing
    parents = {parent for parent, _ in _children(listed) ^ _children(before)}
    return Plan(
        fetch=tuple(page for page in listed if _is_due(page, indexed.get(page.id), parents, made_by=made_by, now=now)),
        relisted=tuple(_relisted(listed, indexed)),
        confirm=tuple(missing),
    )


def is_doubtful(listed: int, missing: int) -> bool:
    """Whether a listing is empty, or lacks so many pages, that it is to be doubted before the pages are."""
    return missing > 0 and (listed == 0 or missing > max(SHRINK_FLOOR, SHRINK_SHARE * (listed + missing)))


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
    return (page.version, page.title, page.space, page.parent_id, page.status)


def _relisted(listed: Sequence[Page], indexed: Mapping[str, Indexed]) -> Iterator[Page]:
    for page in listed:
        known = indexed[page.id].page if page.id in indexed else None
        if known is not None and _identity(page) == _identity(known):  # a new version waits until its body is read
            as_listed = page.model_copy(update={"labels": known.labels})  # no listing shows labels
            if as_listed != known:
                yield as_listed


def _children(pages: Sequence[Page]) -> set[tuple[str, str]]:
    """(parent, child title) of every child page: a parent may show them as a list."""
    return {(page.parent_id, page.title) for page in pages if page.parent_id}
