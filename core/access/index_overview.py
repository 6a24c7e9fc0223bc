"""What is indexed, for everybody to see: spaces with public pages, and the number of others.

As of the last sync. Each name comes with the key of a page that everybody may read, by which the
gate decides whether it may be shown now: a page stands for the name of its space.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice, zip_longest
from typing import Any

from sqlalchemy import ColumnElement, exists, func
from sqlmodel import Session, col, select

from core.access.disclosure import EVERYBODY, Disclosure, of_pages
from core.models import Kind
from core.pages import PageKey, SpaceKey
from core.policy.acl import OPEN_ID
from core.storage.access_tables import ConfirmationRow
from core.storage.database import Database
from core.storage.index_tables import EvidenceRow, PageRow, SpaceRow, SyncRow

SHORT = 60  # characters of a heading or a title that an example names
LOOKED_AT = 400  # pieces among which examples are looked for
MOST_EXAMPLES = 4  # Slack takes no more prompts
MOST_NAMED = 5  # other pages that the piece under an example's heading names


@dataclass(frozen=True)
class SpaceOverview:
    """A space, and how fresh it is."""

    key: str
    name: str
    page: PageKey  # that stands for it
    pages: int
    restricted: int  # of them, those that not everybody may read
    unread: int  # known, and the last try to read them failed
    synced_at: float | None  # when the last complete sync ended
    failed: bool  # whether the last sync ended in an error


@dataclass(frozen=True)
class Overview:
    """The index as of now."""

    spaces: tuple[SpaceOverview, ...]
    others: int  # spaces that are not named, since everybody may read nothing of them
    pages: int
    pieces: int
    is_complete: bool = True  # False: spaces are left out until a page of theirs is confirmed

    def without(self, stale: Container[PageKey]) -> Overview:
        """Leave out the spaces for which these pages stand."""
        left = tuple(space for space in self.spaces if space.page not in stale)
        return replace(self, spaces=left, is_complete=len(left) == len(self.spaces))


@dataclass(frozen=True)
class ExamplePage:
    """A page that a question can be asked about, and one of its headings."""

    title: str
    heading: str
    pages: frozenset[PageKey]  # itself, and those that the heading may name


# What somebody is told who may not ask.
NOTHING = Overview(spaces=(), others=0, pages=0, pieces=0)


@dataclass
class _PageCounts:
    """The pages of one space."""

    public: int = 0
    restricted: int = 0
    unread: int = 0

    @property
    def readable(self) -> int:
        return self.public + self.restricted


def overview(database: Database) -> Overview:
    with database.reading() as session:
        counts = _count_pages(session)
        spaces_seen = session.exec(select(SpaceRow)).all()
        named = {SpaceKey(row.source, row.key): row.name for row in spaces_seen}
        synced = _last_runs(session, complete=True)
        errors = _last_errors(session)
        samples = _samples(session)
        count_pieces = select(func.count()).select_from(EvidenceRow)
        pieces = session.exec(count_pieces).one()
    spaces, others, pages = [], 0, 0
    for space, count in sorted(counts.items()):
        pages += count.readable
        if space in samples:
            found = SpaceOverview(
                key=space.key,
                name=named.get(space, ""),
                page=samples[space],
                pages=count.readable,
                restricted=count.restricted,
                unread=count.unread,
                synced_at=synced.get(space),
                failed=bool(errors.get(space)),
            )
            spaces.append(found)
        elif count.readable:
            others += 1
    return Overview(tuple(spaces), others, pages, pieces)


def examples(database: Database, most: int = MOST_EXAMPLES) -> tuple[ExamplePage, ...]:
    """Titles of pages that everybody may read, each with a heading to ask about.

    They are of as many spaces as possible.
    """
    columns = select(PageRow, EvidenceRow.record)
    query = columns.join(EvidenceRow).where(*_open_now(), EvidenceRow.acl_id == OPEN_ID)
    sample = query.order_by(EvidenceRow.text_hash).limit(LOOKED_AT)
    with database.reading() as session:
        found = session.exec(sample).all()
    by_space: dict[str, dict[str, ExamplePage]] = {}
    for row, record in found:
        if _is_good_example(row.title, record):
            pages = by_space.setdefault(row.space, {})
            pages.setdefault(row.title, _example(row, record))
    return tuple(islice(_alternate(by_space), most))


def pages_of_spaces(database: Database) -> dict[str, PageKey]:
    """By the key of a space: the page that stands for it."""
    with database.reading() as session:
        return {space.key: page for space, page in _samples(session).items()}


def disclosed(spaces: Iterable[SpaceOverview], named: Iterable[ExamplePage]) -> Disclosure:
    """What it gives away to name these."""
    pages = {space.page for space in spaces}
    for each in named:
        pages |= each.pages
    return of_pages(pages)


def _open_now() -> tuple[ColumnElement[bool], ...]:
    """Open as of the last sync, and not found closed when the source was last asked."""
    found_closed = exists().where(
        col(ConfirmationRow.audience) == EVERYBODY,
        col(ConfirmationRow.source) == col(PageRow.source),
        col(ConfirmationRow.page_id) == col(PageRow.id),
        ~col(ConfirmationRow.allowed),
    )
    is_visible: ColumnElement[bool] = col(PageRow.visible).is_(True)
    return (is_visible, col(PageRow.acl_id) == OPEN_ID, ~found_closed)


def _samples(session: Session) -> dict[SpaceKey, PageKey]:
    """By space: the page that stands for it, always the same one."""
    of_space = select(PageRow.source, PageRow.space, func.min(PageRow.id)).where(*_open_now())
    rows = session.exec(of_space.group_by(PageRow.source, PageRow.space)).all()
    return {SpaceKey(source, space): PageKey(source, page) for source, space, page in rows}


def _count_pages(session: Session) -> Mapping[SpaceKey, _PageCounts]:
    kinds: list[Any] = [
        PageRow.source,
        PageRow.space,
        col(PageRow.visible),
        PageRow.acl_id == OPEN_ID,
        PageRow.error != "",
    ]
    # SQLModel has types for four columns.
    query: Any = select(*kinds, func.count())  # type: ignore[call-overload]
    counts: dict[SpaceKey, _PageCounts] = {}
    rows = session.exec(query.group_by(*kinds)).all()
    for source, space, visible, public, unread, number in rows:
        count = counts.setdefault(SpaceKey(source, space), _PageCounts())
        if visible and public:
            count.public += number
        elif visible:
            count.restricted += number
        if unread:
            count.unread += number
    return counts


def _last_runs(session: Session, *, complete: bool) -> dict[SpaceKey, float]:
    """By space: when the last complete run ended, or when the last run of any kind began."""
    time = SyncRow.finished_at if complete else SyncRow.started_at
    runs: Any = select(SyncRow.source, SyncRow.space, func.max(time))
    if complete:
        runs = runs.where(col(SyncRow.complete))
    by_space = session.exec(runs.group_by(SyncRow.source, SyncRow.space)).all()
    return {SpaceKey(source, space): last for source, space, last in by_space}


def _last_errors(session: Session) -> dict[SpaceKey, str]:
    began = _last_runs(session, complete=False)
    of_last_runs = col(SyncRow.started_at).in_(began.values())
    runs = session.exec(select(SyncRow).where(of_last_runs)).all()
    return {SpaceKey(run.source, run.space): run.error for run in runs}


def _heading(record: Mapping[str, Any]) -> str:
    path = record["heading_path"]
    return " ".join(path[-1].split()) if path else ""


def _example(row: PageRow, record: Mapping[str, Any]) -> ExamplePage:
    pages = {row.key, *(PageKey(row.source, each) for each in record.get("names", ()))}
    return ExamplePage(row.title, _heading(record), frozenset(pages))


def _is_good_example(title: str, record: Mapping[str, Any]) -> bool:
    """Whether the heading says something that the title does not, in few words."""
    if record["kind"] in (Kind.CODE, Kind.CHILD_PAGES):
        return False
    if len(record.get("names", ())) > MOST_NAMED:
        return False
    heading = _heading(record)
    if heading.casefold() in title.casefold():
        return False
    return _is_short(heading) and _is_short(title)


def _is_short(text: str) -> bool:
    return 3 < len(text) <= SHORT


def _alternate(by_space: Mapping[str, Mapping[str, ExamplePage]]) -> Iterator[ExamplePage]:
    """No space comes again before all others had their turn."""
    spaces = [pages.values() for _, pages in sorted(by_space.items())]
    for row in zip_longest(*spaces):
        yield from filter(None, row)
