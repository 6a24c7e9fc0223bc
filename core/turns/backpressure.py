"""Backpressure: when questions come faster than answers, a delivery does not wait for its worker.

A speaker that finds other messages queued shows the placeholder and steps aside. The worker that
takes the question up calls a speaker back. If none does, the sweeper does so when the patience is
over.
"""

from __future__ import annotations

from sqlmodel import col, func, select, update

from core.errors import StoreUnavailable
from core.jobs.leases import fenced
from core.jobs.queue import QUEUES, TaskName, enqueue_or_log, length
from core.states import TurnState
from core.storage import clock
from core.storage.clock import now_of
from core.storage.database import Database
from core.storage.tables import LeaseRow, TurnRow

# A question that nobody could work on is answered up to this much later, then closed.
LATE_S = 3600.0


def others_wait_for_a_speaker() -> bool:
    """Whether messages wait that no speaker has taken."""
    try:
        return length(QUEUES[TaskName.DELIVER]) > 0
    except StoreUnavailable:
        return False


def ahead(database: Database, team: str, asked_at: float) -> int:
    """How many questions of this workspace wait untouched that were asked before that time.

    Those of others do not come first: core.turns.upkeep.fair_share.
    """
    earlier = select(func.count()).where(
        col(TurnRow.team) == team,
        col(TurnRow.state) == TurnState.WAITING,
        col(TurnRow.attempts) == 0,
        col(TurnRow.asked_at) < asked_at,
        col(TurnRow.asked_at) > asked_at - LATE_S,
    )
    with database.reading() as session:
        return int(session.exec(earlier).one())


def step_aside(
    database: Database,
    turn_id: str,
    until: float,
) -> bool:
    """Postpone delivery until `until`, unless a worker calls back earlier.

    False when a worker has taken it up already.
    """
    untouched = update(TurnRow).where(
        col(TurnRow.id) == turn_id,
        col(TurnRow.state) == TurnState.WAITING,
        col(TurnRow.attempts) == 0,
    )
    with fenced(database) as session:
        return session.exec(untouched.values(delivery_enqueued_at=until)).rowcount == 1


def call_back(database: Database, turn_id: str) -> None:
    """Have this turn delivered now if its speaker has stepped aside.

    Called when the question is being answered, or has been stopped.
    """
    aside = (
        col(TurnRow.id) == turn_id,
        col(TurnRow.delivery_enqueued_at) > clock.now(),
    )
    with database.reading() as session:
        if session.exec(select(TurnRow.id).where(*aside)).first() is None:
            return
    with fenced(database) as session:
        session.exec(update(TurnRow).where(*aside).values(delivery_enqueued_at=clock.now()))
    enqueue_or_log(turn_id, TaskName.DELIVER)


def moves(database: Database) -> bool:
    """Whether workers are answering questions right now."""
    being_answered = col(LeaseRow.key).startswith(f"{TaskName.ANSWER}:")
    with database.reading() as session:
        busy = select(LeaseRow.key).where(being_answered, col(LeaseRow.until) > now_of(session))
        return session.exec(busy).first() is not None
