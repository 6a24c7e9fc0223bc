"""Turns that no speaker has taken up for some seconds, so that nobody has seen anything of them."""

from __future__ import annotations

from sqlalchemy import exists, literal
from sqlmodel import col, select

from core.jobs.leases import is_held
from core.jobs.queue import TaskName
from core.states import PostKind, TurnState
from core.storage import clock
from core.storage.database import Database
from core.storage.tables import PostRow, TurnRow

PATIENCE_S = 5.0  # without any sign, people take us for dead
YOUNG_S = 600.0  # of an older turn its asker has long seen that nothing comes
MOST = 20  # at a time


def turns(database: Database, team: str) -> list[str]:
    """Their ids, the oldest first."""
    now = clock.now()
    deliver = literal(f"{TaskName.DELIVER}:").concat(col(TurnRow.id))
    open_now = select(TurnRow.id).where(
        TurnRow.team == team,
        col(TurnRow.delivered_at).is_(None),
        TurnRow.state != TurnState.FORGOTTEN,
        TurnRow.asked_at > now - YOUNG_S,
        TurnRow.delivery_enqueued_at < now - PATIENCE_S,
        ~exists().where(col(PostRow.turn_id) == TurnRow.id, col(PostRow.kind) == PostKind.ANSWER),
    )
    with database.reading() as session:
        query = open_now.where(~is_held(session, deliver))
        return list(session.exec(query.order_by(col(TurnRow.asked_at)).limit(MOST)).all())
