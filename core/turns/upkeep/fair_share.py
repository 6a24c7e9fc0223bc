"""Fair shares: a workspace that asks a thousand questions does not make another one's wait.

All questions are in one queue. Whoever takes one up answers first the oldest question of each other
workspace that waits untouched: so the workspaces take turns, however long the queue of one is. The
messages of those that were answered early find nothing left to do.
"""

from __future__ import annotations

from sqlalchemy import literal
from sqlmodel import col, func, select

from core.jobs.leases import is_held
from core.jobs.queue import TaskName
from core.states import TurnState
from core.storage.database import Database
from core.storage.tables import TurnRow
from core.turns.thread_queue import QUEUED

MOST = 5  # other workspaces before one question, each of which takes as long as an answer


def before(database: Database, turn_id: str) -> list[str]:
    """The ids of questions of other workspaces whose turn comes first; mostly none."""
    lease = literal(f"{TaskName.ANSWER}:").concat(col(TurnRow.id))
    own_team = select(TurnRow.team).where(col(TurnRow.id) == turn_id).scalar_subquery()
    with database.reading() as session:
        being_answered = is_held(session, lease)
        untouched = (
            col(TurnRow.state) == TurnState.WAITING,
            col(TurnRow.vetted).is_(True),
            col(TurnRow.attempts) == 0,
            ~QUEUED,
            ~being_answered,
        )
        asked_at = func.min(TurnRow.asked_at).label("asked_at")
        others = select(TurnRow.team, asked_at).where(*untouched, TurnRow.team != own_team)
        first = others.group_by(col(TurnRow.team)).order_by(asked_at).limit(MOST)
        found: list[str] = []
        for team, at in session.exec(first).all():
            oldest = select(TurnRow.id).where(
                *untouched, TurnRow.team == team, TurnRow.asked_at == at
            )
            found += session.exec(oldest.limit(1)).all()
        return found
