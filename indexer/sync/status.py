"""Status of each space: what is indexed, how fresh it is, and what failed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import func
from sqlmodel import Session, col, select

from core.policy.acl import DENIED_ID, OPEN_ID
from core.storage.database import Database
from core.storage.index_tables import EvidenceRow, PageRow, SyncRow
from indexer.state.page_state import Failure, PageState


@dataclass(frozen=True)
class SpaceStatus:
    """One space; times are ISO 8601 in UTC, empty for never."""

    space: str
    pages: int  # with evidence
    restricted: int  # of them: for some people only
    withheld: int  # of them: shown to nobody, because it is unknown who may read them
    hidden: int  # known, without evidence: restricted in the public mode, gone, or never read
    evidence: int
    last_complete: str
    last_error: str
    last_counts: dict[str, int]  # what the last sync did, by indexer.state.counts
    scanned_since: str  # labels and restrictions of every page are at most as old as this
    failures: list[dict[str, object]]


def status_of_spaces(database: Database) -> list[SpaceStatus]:
    """All spaces that were ever synced, by key."""
    by_space: dict[str, list[Failure]] = {}
    for each in PageState(database).failures():
        by_space.setdefault(each.page.space, []).append(each)
    with database.reading() as session:
        synced = session.exec(select(SyncRow.space).distinct()).all()
        spaces = sorted(synced)
        return [_status(session, space, by_space.get(space, [])) for space in spaces]


def _status(
    session: Session,
    space: str,
    failures: Sequence[Failure],
) -> SpaceStatus:
    runs = select(SyncRow).where(SyncRow.space == space)
    newest_first = runs.order_by(col(SyncRow.started_at).desc())
    last = session.exec(newest_first.limit(1)).first()
    newest_complete = newest_first.where(col(SyncRow.complete)).limit(1)
    complete = session.exec(newest_complete).first()
    by_acl = _pages_by_acl(session, space)
    for_all, withheld = by_acl.get(OPEN_ID, 0), by_acl.get(DENIED_ID, 0)
    pages = sum(by_acl.values())
    return SpaceStatus(
        space=space,
        pages=pages,
        restricted=pages - for_all - withheld,
        withheld=withheld,
        hidden=_count_hidden(session, space),
        evidence=_count_evidence(session, space),
        last_complete=_iso(complete.finished_at) if complete else "",
        last_error=last.error if last else "",
        last_counts=last.counts if last else {},
        scanned_since=_iso(_oldest_scan(session, space)),
        failures=[_failure(each) for each in failures],
    )


def _count_evidence(session: Session, space: str) -> int:
    counted = select(func.count()).select_from(EvidenceRow).join(PageRow)
    return session.exec(counted.where(PageRow.space == space)).one()


def _count_hidden(session: Session, space: str) -> int:
    counted = select(func.count()).select_from(PageRow)
    of_space = counted.where(PageRow.space == space)
    hidden = of_space.where(~col(PageRow.visible), PageRow.title != "")
    return session.exec(hidden).one()


def _oldest_scan(session: Session, space: str) -> float | None:
    oldest = select(func.min(PageRow.scanned_at))
    of_space = oldest.where(PageRow.space == space, col(PageRow.visible))
    return session.exec(of_space).one()


def _pages_by_acl(session: Session, space: str) -> dict[str, int]:
    counted = select(PageRow.acl_id, func.count())
    of_space = counted.where(PageRow.space == space, col(PageRow.visible))
    return dict(session.exec(of_space.group_by(PageRow.acl_id)).all())


def _failure(each: Failure) -> dict[str, object]:
    return {
        "page": each.page.id,
        "title": each.page.title,
        "error": each.error,
        "failures": each.failures,
        "next_try": _iso(each.next_try),
    }


def _iso(seconds: float | None) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds") if seconds else ""
