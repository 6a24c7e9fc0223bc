"""Plans a sync from what a source lists and what is indexed: pure, no network, no database."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from core.models import Page
from core.pages import PageKind, PageStatus
from indexer.state.mentions import Mention


@dataclass(frozen=True)
class SpaceTreeNode:
    """A node of a space's tree that no listing of current pages shows: folder, archived page."""

    id: str
    kind: PageKind
    parent_id: str | None


# So many pages of a small space, and this share of a large one, may be missing from a listing
# before it looks broken.
SHRINK_FLOOR = 20
SHRINK_SHARE = 0.10


@dataclass(frozen=True)
class IndexedPage:
    """A page as it is in the index."""

    page: Page
    made_by: str = ""  # the parser; empty without evidence, or when it is to be rebuilt
    visible: bool = False
    acl_id: str = ""
    readers: frozenset[str] | None = None  # its own restriction; None: unknown
    scanned_at: float = 0.0
    extras: str = ""  # digest of its comments and attachments
    mentions: tuple[Mention, ...] = ()
    missing_since: float | None = None
    next_try: float = 0.0


@dataclass(frozen=True)
class Plan:
    """What to do for one space."""

    # new, or another version, title or place: labels and restrictions are read at once
    changed: tuple[Page, ...]
    # those of them whose body has to be read, and those that another parser made
    fetch: tuple[Page, ...]
    # the same evidence under another place, address or owner
    relisted: tuple[Page, ...]
    # readers find it, or it failed, and the listing lacks it: ask one by one
    confirm: tuple[IndexedPage, ...]


def plan(
    listed: Sequence[Page],
    indexed: Mapping[str, IndexedPage],
    *,
    made_by: str,
    now: float,
) -> Plan:
    """Compare a complete listing of a space with the index.

    `indexed` holds the rows of this space and of every listed page, by page id.
    """
    ids = {page.id for page in listed}
    changed: list[Page] = []
    fetch: list[Page] = []
    for page in listed:
        known = indexed.get(page.id)
        if known is not None and known.next_try > now:  # it failed lately
            continue
        if _is_changed(page, known):
            changed.append(page)
        if _needs_its_body(page, known, made_by):
            fetch.append(page)
    unlisted = (known for page_id, known in indexed.items() if page_id not in ids)
    return Plan(
        changed=tuple(changed),
        fetch=tuple(fetch),
        relisted=tuple(_relisted(listed, indexed)),
        confirm=tuple(filter(_is_missed, unlisted)),
    )


def is_doubtful(listed: int, missing: int) -> bool:
    """Whether a listing is empty, or lacks so many pages, that it is doubted before the pages."""
    if missing == 0:
        return False
    return listed == 0 or missing > max(SHRINK_FLOOR, SHRINK_SHARE * (listed + missing))


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


def _content(page: Page) -> tuple[int, str, str]:
    """What its evidence depends on; a link by title means a page of the same space."""
    return (page.version, page.title, page.space)


def _place(page: Page) -> tuple[str | None, PageStatus]:
    """What else it says that decides who may read the page."""
    return (page.parent_id, page.status)


def _relisted(
    listed: Sequence[Page],
    indexed: Mapping[str, IndexedPage],
) -> Iterator[Page]:
    for page in listed:
        if page.id not in indexed:
            continue
        known = indexed[page.id].page
        # A new version waits until its body is read.
        if page != known and _content(page) == _content(known):
            yield page
