"""What is indexed and how fresh it is, per space."""

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
    hidden: (
        int  # known, without evidence: restricted in the public mode, gone from us, or never read
    )
    evidence: int
    last_complete: str
    last_error: str
    scanned_since: str  # labels and restrictions of every page are at most as old as this
    failures: list[dict[str, object]]


def status_of_spaces(database: Database) -> list[SpaceStatus]:
    """All spaces that were ever synced, by key."""
    failures = PageState(database).failures()
    with database.reading() as session:
        spaces = sorted(set(session.exec(select(SyncRow.space)).all()))
        return [
            _status(session, space, [each for each in failures if each.page.space == space])
            for space in spaces
        ]


def _status(session: Session, space: str, failures: Sequence[Failure]) -> SpaceStatus:
    runs = select(SyncRow).where(SyncRow.space == space).order_by(col(SyncRow.started_at).desc())
    last = session.exec(runs.limit(1)).first()
    complete = session.exec(runs.where(col(SyncRow.complete)).limit(1)).first()
    evidence = (
        select(func.count()).select_from(EvidenceRow).join(PageRow).where(PageRow.space == space)
    )
    oldest = select(func.min(PageRow.scanned_at)).where(
        PageRow.space == space, col(PageRow.visible)
    )
    hidden = (
        select(func.count())
        .select_from(PageRow)
        .where(PageRow.space == space, ~col(PageRow.visible), PageRow.title != "")
    )
    by_acl = _by_acl(session, space)
    return SpaceStatus(
        space=space,
        pages=sum(by_acl.values()),
        restricted=sum(pages for acl, pages in by_acl.items() if acl not in (OPEN_ID, DENIED_ID)),
        withheld=by_acl.get(DENIED_ID, 0),
        hidden=session.exec(hidden).one(),
        evidence=session.exec(evidence).one(),
        last_complete=_iso(complete.finished_at) if complete else "",
        last_error=last.error if last else "",
        scanned_since=_iso(session.exec(oldest).one()),
        failures=[_failure(each) for each in failures],
    )


def _by_acl(session: Session, space: str) -> dict[str, int]:
    counted = (
        select(PageRow.acl_id, func.count())
        .where(PageRow.space == space, col(PageRow.visible))
        .group_by(PageRow.acl_id)
    )
    return dict(session.exec(counted).all())


def _failure(each: Failure) -> dict[str, object]:
    when = {"failures": each.failures, "next_try": _iso(each.next_try)}
    return {"page": each.page.id, "title": each.page.title, "error": each.error, **when}


def _iso(seconds: float | None) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds") if seconds else ""
