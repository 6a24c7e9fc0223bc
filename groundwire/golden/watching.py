"""Watches for syncs that have changed the index: golden questions are asked again after each."""

from __future__ import annotations

import time
from collections.abc import Iterator

from sqlmodel import col, func, select

from core.storage.database import Database
from core.storage.index_tables import IndexRow, SyncRow

LOOK_EVERY_S = 5.0


def changes(database: Database) -> Iterator[int]:
    """The revision of the index: now, and whenever a complete sync has ended with another one.

    What a sync has changed so far is not asked about: half of a wiki breaks questions.
    """
    asked = _revision(database)
    ended = _last_sync(database)
    yield asked
    while True:
        time.sleep(LOOK_EVERY_S)
        now = _last_sync(database)
        if now == ended:
            continue
        ended, revision = now, _revision(database)
        if revision != asked:
            asked = revision
            yield revision


def _revision(database: Database) -> int:
    with database.reading() as session:
        state = session.get(IndexRow, 1)
        return state.revision if state else 0


def _last_sync(database: Database) -> float:
    """When the last complete sync of any space ended."""
    with database.reading() as session:
        last = select(func.max(SyncRow.finished_at)).where(col(SyncRow.complete))
        return session.exec(last).one() or 0.0
