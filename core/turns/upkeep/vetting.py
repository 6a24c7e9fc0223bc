"""Vetting in SQL: a turn whose asker Slack has not told us of yet is answered by nobody."""

from __future__ import annotations

from sqlmodel import col, update

from core.jobs.leases import fenced
from core.states import TurnState
from core.storage.database import Database
from core.storage.tables import TurnRow


def admit(database: Database, turn_id: str) -> bool:
    """Let workers answer it; False when it does not wait any more."""
    waiting = update(TurnRow).where(
        col(TurnRow.id) == turn_id,
        col(TurnRow.state) == TurnState.WAITING,
    )
    with fenced(database) as session:
        return session.exec(waiting.values(vetted=True)).rowcount == 1
