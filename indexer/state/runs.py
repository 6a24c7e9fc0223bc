"""Runs of the indexer over a space: when the last one was complete, and how each ended."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import func
from sqlmodel import col, delete, select

from core.storage.database import Database
from core.storage.index_tables import SyncRow

KEPT_S = 30 * 24 * 3600.0


def last_run(database: Database, source: str, space: str) -> float:
    """When the last complete sync of a space began; 0 for never."""
    with database.reading() as session:
        complete = select(func.max(SyncRow.started_at)).where(
            SyncRow.source == source, SyncRow.space == space, col(SyncRow.complete)
        )
        return session.exec(complete).one() or 0.0


def save_run(database: Database, run: SyncRow) -> None:
    """Save a run; a complete one deletes those older than KEPT_S."""
    with database.session() as session:
        session.merge(run)
        if run.complete:
            same_space = (col(SyncRow.source) == run.source, col(SyncRow.space) == run.space)
            is_old = col(SyncRow.started_at) < run.started_at - KEPT_S
            session.exec(delete(SyncRow).where(*same_space, is_old))


def iso(seconds: float | None) -> str:
    """A time in ISO 8601 in UTC; empty for never."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds") if seconds else ""
