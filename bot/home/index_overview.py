"""What is indexed, for everybody to see: spaces of which everybody may read something, of the rest only how much there is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func
from sqlmodel import Session, col, select

from core.models import Kind
from core.policy.acl import OPEN_ID
from core.storage.database import Database
from core.storage.index_tables import EvidenceRow, PageRow, SpaceRow, SyncRow

SHORT = 60  # characters of a heading or a title that an example names
LOOKED_AT = 400  # pieces among which examples are looked for


@dataclass(frozen=True)
class SpaceOverview:
    """A space, and how fresh it is."""

    key: str
    name: str
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


def overview(database: Database) -> Overview:
    with database.reading() as session:
        counted = _counted(session)
        names = {row.key: row.name for row in session.exec(select(SpaceRow)).all()}
        synced = _last(session, complete=True)
        failed = {space for space, error in _last_errors(session).items() if error}
        pieces = session.exec(select(func.count()).select_from(EvidenceRow)).one()
    shown = [key for key, (everybody, _, _) in counted.items() if everybody]
    spaces = tuple(
        SpaceOverview(
            key,
            names.get(key, ""),
            sum(counted[key][:2]),
            counted[key][1],
            counted[key][2],
            synced.get(key),
            key in failed,
        )
        for key in sorted(shown)
    )
    others = sum(1 for key, (everybody, some, _) in counted.items() if some and not everybody)
    return Overview(
        spaces, others, sum(everybody + some for everybody, some, _ in counted.values()), pieces
    )


def examples(database: Database, most: int = 3) -> tuple[tuple[str, str], ...]:
    """Headings to ask about, each with the title of its page: of pages that everybody may read, from as many spaces as possible."""
    readable = (col(PageRow.visible), PageRow.acl_id == OPEN_ID, EvidenceRow.acl_id == OPEN_ID)
    query = select(PageRow.space, PageRow.title, EvidenceRow.record).join(PageRow).where(*readable)
    with database.reading() as session:
        found = session.exec(query.order_by(EvidenceRow.text_hash).limit(LOOKED_AT)).all()
    told = [
        (space, title, _heading(record))
        for space, title, record in found
        if _is_telling(title, record)
    ]
    return _spread(told, most)


def _counted(session: Session) -> Mapping[str, tuple[int, int, int]]:
    """By space: pages for everybody, pages for some, pages that could not be read."""
    kinds: list[Any] = [
        PageRow.space,
        col(PageRow.visible),
        PageRow.acl_id == OPEN_ID,
        PageRow.error != "",
    ]
    query: Any = select(*kinds, func.count())  # type: ignore[call-overload]  # SQLModel has types for four columns
    found: dict[str, list[int]] = {}
    for space, visible, everybody, failing, number in session.exec(query.group_by(*kinds)).all():
        counts = found.setdefault(space, [0, 0, 0])
        counts[0] += number if visible and everybody else 0
        counts[1] += number if visible and not everybody else 0
        counts[2] += number if failing else 0
    return {
        space: (everybody, some, failing) for space, (everybody, some, failing) in found.items()
    }


def _last(session: Session, *, complete: bool) -> dict[str, float]:
    """When the last run over each space ended or, of any, began."""
    when = func.max(SyncRow.finished_at if complete else SyncRow.started_at)
    runs: Any = select(SyncRow.space, when).group_by(SyncRow.space)
    return dict(session.exec(runs.where(col(SyncRow.complete)) if complete else runs).all())


def _last_errors(session: Session) -> dict[str, str]:
    began = _last(session, complete=False)
    rows = session.exec(
        select(SyncRow.space, SyncRow.error).where(col(SyncRow.started_at).in_(began.values()))
    ).all()
    return dict(rows)


def _heading(record: Mapping[str, Any]) -> str:
    return " ".join(record["heading_path"][-1].split()) if record["heading_path"] else ""


def _is_telling(title: str, record: Mapping[str, Any]) -> bool:
    heading = _heading(record)
    short = 3 < len(heading) <= SHORT and 3 < len(title) <= SHORT
    return (
        short
        and heading.casefold() not in title.casefold()
        and record["kind"] not in (Kind.CODE, Kind.CHILD_PAGES)
    )


def _spread(told: Sequence[tuple[str, str, str]], most: int) -> tuple[tuple[str, str], ...]:
    """No page twice, and no space again before all others had their turn."""
    by_space: dict[str, dict[str, str]] = {}
    for space, title, heading in told:
        by_space.setdefault(space, {}).setdefault(title, heading)
    turns = [list(pages.items()) for _, pages in sorted(by_space.items())]
    ordered = [pages[turn] for turn in range(most) for pages in turns if turn < len(pages)]
    return tuple(ordered[:most])
