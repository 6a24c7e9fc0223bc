"""Runs of the indexer over a space: when the last one was complete, and how each ended.

A run over no space is a listing of the spaces that failed; it stays until the next one succeeds.
"""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import Delete, func
from sqlmodel import col, delete, select

from core.storage import clock
from core.storage.database import Database
from core.storage.index_tables import SyncRow

KEPT_S = 30 * 24 * 3600.0
ALL_SPACES = ""  # in the place of a space's key


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


def save_failed_listing(database: Database, source: str, error: str) -> None:
    """Say in SQL why no space could be synced, in place of what was said before."""
    failed = SyncRow(source=source, space=ALL_SPACES, finished_at=clock.now(), error=error)
    with database.session() as session:
        session.exec(_failed_listing(source))
        session.add(failed)


def forget_failed_listing(database: Database, source: str) -> None:
    with database.session() as session:
        session.exec(_failed_listing(source))


def _failed_listing(source: str) -> Delete:
    return delete(SyncRow).where(col(SyncRow.source) == source, col(SyncRow.space) == ALL_SPACES)


def iso(seconds: float | None) -> str:
    """A time in ISO 8601 in UTC; empty for never."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds") if seconds else ""
