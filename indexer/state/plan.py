"""What a sync has to do, from what Confluence lists and what is indexed: pure functions, no network, no database."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from core.models import Page


@dataclass(frozen=True)
class SpaceTreeNode:
    """Something in the tree of a space that is in no listing of current pages: a folder, an archived page."""

    id: str
    kind: str  # page | folder | …
    parent_id: str | None


SHRINK_FLOOR = (
    20  # so many pages may be missing from a small space before that looks like a broken listing
)
SHRINK_SHARE = 0.10  # and this part of a large one


@dataclass(frozen=True)
class IndexedPage:
    """A page as it stands in the index."""

    page: Page
    made_by: str = ""  # the parser; empty when it has no evidence, or an interrupted sync was about to make it anew
    visible: bool = False
    acl_id: str = ""
    readers: frozenset[str] | None = (
        None  # who alone may read it by its own restriction; None: unknown
    )
    scanned_at: float = 0.0
    extras: str = ""  # digest of its comments and attachments
    names: tuple[
        tuple[str, ...], ...
    ] = ()  # what it says of other pages, see indexer.access.mentioned_titles
    missing_since: float | None = None
    next_try: float = 0.0


@dataclass(frozen=True)
class Plan:
    """What to do for one space."""

    changed: tuple[
        Page, ...
    ]  # new, or another version, title or place: labels and restrictions are read at once
    fetch: tuple[
        Page, ...
    ]  # those of them whose body has to be read, and those that another parser made
    relisted: tuple[Page, ...]  # the same evidence under another place, address or owner
    confirm: tuple[
        IndexedPage, ...
    ]  # readers find it, or it failed, and the listing lacks it: ask one by one


def plan(
    listed: Sequence[Page], indexed: Mapping[str, IndexedPage], *, made_by: str, now: float
) -> Plan:
    """Compare a complete listing of a space with the index.

    `indexed` holds the rows of this space and of every listed page, by page id.
    """
    ids = {page.id for page in listed}
    due = [
        page for page in listed if page.id not in indexed or indexed[page.id].next_try <= now
    ]  # the others failed lately
    return Plan(
        changed=tuple(page for page in due if _is_changed(page, indexed.get(page.id))),
        fetch=tuple(page for page in due if _needs_its_body(page, indexed.get(page.id), made_by)),
        relisted=tuple(_relisted(listed, indexed)),
        confirm=tuple(
            known for page_id, known in indexed.items() if page_id not in ids and _is_missed(known)
        ),
    )


def is_doubtful(listed: int, missing: int) -> bool:
    """Whether a listing is empty, or lacks so many pages, that it is to be doubted before the pages are."""
    return missing > 0 and (
        listed == 0 or missing > max(SHRINK_FLOOR, SHRINK_SHARE * (listed + missing))
    )


def _is_changed(page: Page, known: IndexedPage | None) -> bool:
    return (
        known is None
        or known.readers is None
        or _place(page) != _place(known.page)
        or _content(page) != _content(known.page)
    )


def _needs_its_body(page: Page, known: IndexedPage | None, made_by: str) -> bool:
    return (
        known is None
        or not known.visible
        or known.made_by != made_by
        or _content(page) != _content(known.page)
    )


def _is_missed(known: IndexedPage) -> bool:
    return known.visible or known.next_try > 0 or known.missing_since is not None


def _content(page: Page) -> tuple[object, ...]:
    """What the listing says of a page that its evidence depends on; links by title mean the page's own space."""
    return (page.version, page.title, page.space)


def _place(page: Page) -> tuple[object, ...]:
    """What else it says that decides who may read the page."""
    return (page.parent_id, page.status)


def _relisted(listed: Sequence[Page], indexed: Mapping[str, IndexedPage]) -> Iterator[Page]:
    for page in listed:
        known = indexed[page.id].page if page.id in indexed else None
        if (
            known is not None and _content(page) == _content(known) and page != known
        ):  # a new version waits until its body is read
            yield page
