"""What is indexed and how fresh it is, per space."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import func
from sqlmodel import Session, col, select

from core.database import Database
from core.tables import EvidenceRow, PageRow, SyncRow
from indexer.ledger import Ledger


@dataclass(frozen=True)
class SpaceStatus:
    """One space; times are ISO 8601 in UTC, empty for never."""

    space: str
    pages: int  # with evidence for readers
    hidden: int  # restricted, gone, or not readable
    evidence: int
    last_complete: str
    last_error: str
    failures: list[dict[str, object]]


def status_of_spaces(database: Database) -> list[SpaceStatus]:
    """All spaces that were ever synced, by key."""
    failures = Ledger(database).failures()
    with database.reading() as session:
        spaces = sorted(set(session.exec(select(SyncRow.space)).all()))
        return [
            _status(
                session,
                space,
                [
                    {"page": f.page.id, "title": f.page.title, "error": f.error, "failures": f.failures, "next_try": _iso(f.next_try)}
                    for f in failures
                    if f.page.space == space
                ],
            )
            for space in spaces
        ]


def _status(session: Session, space: str, failures: list[dict[str, object]]) -> SpaceStatus:
    visible = select(func.count()).select_from(PageRow).where(PageRow.space == space)
    evidence = select(func.count()).select_from(EvidenceRow).join(PageRow).where(PageRow.space == space)
    runs = select(SyncRow).where(SyncRow.space == space).order_by(col(SyncRow.started_at).desc())
    last = session.exec(runs.limit(1)).first()
    complete = session.exec(runs.where(col(SyncRow.complete)).limit(1)).first()
    return SpaceStatus(
        space=space,
        pages=session.exec(visible.where(col(PageRow.visible))).one(),
        hidden=session.exec(visible.where(~col(PageRow.visible))).one(),
        evidence=session.exec(evidence).one(),
        last_complete=_iso(complete.finished_at) if complete else "",
        last_error=last.error if last else "",
        failures=failures,
    )


def _iso(seconds: float | None) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds") if seconds else ""
