"""Sync as the console shows it: spaces, freshness, pages that fail, and those nobody is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import select as select_columns
from sqlmodel import Session, case, col, func, select

from core.policy.acl import DENIED_ID, OPEN_ID
from core.storage.database import Database
from core.storage.index_tables import PageRow, SpaceRow, SyncRow

MOST_FAILING = 100  # pages that are listed, the longest failing first


@dataclass(frozen=True)
class SyncedSpace:
    """A space and what is indexed of it; times in seconds since 1970."""

    source: str
    key: str
    name: str
    pages: int  # that are found in answers, for everybody or for some
    restricted: int  # of them: for some people only
    withheld: int  # of them: for nobody, as it is unknown who may read them
    failing: int
    synced_at: float | None  # when the last complete sync ended
    running_since: float | None  # None: no sync is under way
    error: str  # of the last sync


@dataclass(frozen=True)
class FailingPage:
    """A page that could not be read; its title is not told, since nobody knows who may see it."""

    space: str
    page_id: str
    error: str
    failures: int
    next_try: float


def spaces(database: Database) -> list[SyncedSpace]:
    with database.reading() as session:
        names = {(row.source, row.key): row.name for row in session.exec(select(SpaceRow))}
        complete = _last(session, complete=True)
        last = _last(session)
        counted = _counted(session)
    return [
        SyncedSpace(
            source=source,
            key=key,
            name=names.get((source, key), ""),
            pages=pages,
            restricted=restricted,
            withheld=withheld,
            failing=failing,
            synced_at=complete[source, key].finished_at if (source, key) in complete else None,
            running_since=_running(last.get((source, key))),
            error=last[source, key].error if (source, key) in last else "",
        )
        for source, key, pages, restricted, withheld, failing in counted
    ]


def failing(database: Database) -> list[FailingPage]:
    rows = (
        select_columns(
            col(PageRow.space),
            col(PageRow.id),
            col(PageRow.error),
            col(PageRow.failures),
            col(PageRow.next_try),
        )
        .where(col(PageRow.error) != "")
        .order_by(col(PageRow.failures).desc(), PageRow.space)
        .limit(MOST_FAILING)
    )
    with database.reading() as session:
        return [FailingPage(*row) for row in session.execute(rows)]


def oldest_sync(found: Sequence[SyncedSpace]) -> float | None:
    """When the space was read that was not for the longest time; None where one never was."""
    times = [space.synced_at for space in found]
    known = [each for each in times if each is not None]
    return min(known) if times and len(known) == len(times) else None


def _counted(session: Session) -> Sequence[tuple[str, str, int, int, int, int]]:
    shown, acl = col(PageRow.visible), col(PageRow.acl_id)
    some = func.sum(case((shown & acl.not_in((OPEN_ID, DENIED_ID)), 1), else_=0))
    nobody = func.sum(case((shown & (acl == DENIED_ID), 1), else_=0))
    counted = select_columns(
        col(PageRow.source),
        col(PageRow.space),
        func.sum(case((shown, 1), else_=0)),
        some,
        nobody,
        func.sum(case((col(PageRow.error) != "", 1), else_=0)),
    ).group_by(PageRow.source, PageRow.space)
    by_space = counted.order_by(PageRow.source, PageRow.space)
    return [tuple(row) for row in session.execute(by_space)]


def _last(session: Session, *, complete: bool = False) -> dict[tuple[str, str], SyncRow]:
    """The last run of each space."""
    time = func.max(SyncRow.started_at)
    newest = select(SyncRow.source, SyncRow.space, time).group_by(SyncRow.source, SyncRow.space)
    if complete:
        newest = newest.where(col(SyncRow.complete))
    starts = {at for *_, at in session.exec(newest).all()}
    runs = session.exec(select(SyncRow).where(col(SyncRow.started_at).in_(starts))).all()
    return {(run.source, run.space): run for run in sorted(runs, key=lambda run: run.started_at)}


def _running(run: SyncRow | None) -> float | None:
    return run.started_at if run and run.finished_at is None else None
