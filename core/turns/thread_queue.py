"""One queue per thread: questions of a thread are answered one at a time, in order.

A question is queued while an earlier one of its thread waits for its answer. Whoever ends a
question enqueues the next; nobody polls. The lease of the thread keeps two from being worked on at
once, and is free again soon after its holder died.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import and_, exists, func
from sqlalchemy.orm import aliased
from sqlmodel import col, select

from core import logs
from core.jobs.queue import TaskName, enqueue_or_log
from core.states import TurnState
from core.storage.database import Database
from core.storage.tables import ThreadRow, TurnRow
from core.turns.turn import Address, NewQuestion

log = logs.get(__name__)

_Earlier: Any = aliased(TurnRow)
_BEFORE = and_(_Earlier.thread_id == TurnRow.thread_id, _Earlier.asked_at < TurnRow.asked_at)

QUEUED = exists().where(_BEFORE, _Earlier.state == TurnState.WAITING).correlate(TurnRow)
TURN_CAME = (
    select(func.max(_Earlier.finished_at)).where(_BEFORE).correlate(TurnRow).scalar_subquery()
)


def key(address: Address) -> str:
    """Lease key that serializes work within one thread."""
    return f"thread:{address.team}:{address.channel}:{address.thread_ts}"


def head(database: Database, address: Address) -> str | None:
    """The id of the question of this thread that is to be answered now, or is being answered."""
    waiting = select(TurnRow.id).where(
        ThreadRow.team == address.team,
        ThreadRow.channel == address.channel,
        ThreadRow.thread_ts == address.thread_ts,
        TurnRow.state == TurnState.WAITING,
    )
    query = waiting.join(ThreadRow).order_by(col(TurnRow.asked_at)).limit(1)
    with database.reading() as session:
        return session.exec(query).first()


def call_next(
    database: Database,
    address: Address,
    after: str,
) -> None:
    """Have the next question of the thread answered; the turn `after` has just ended."""
    turn_id = head(database, address)
    if turn_id is None or turn_id == after:
        return
    log.info("thread_queue.next", next=turn_id)
    enqueue_or_log(turn_id, TaskName.ANSWER)


def is_waited_for(database: Database, new: NewQuestion) -> bool:
    """Whether this person waits in this thread for the answer to this very question."""
    query = (
        select(TurnRow.id)
        .join(ThreadRow)
        .where(
            TurnRow.team == new.address.team,
            TurnRow.channel == new.address.channel,
            ThreadRow.thread_ts == new.address.thread_ts,
            TurnRow.user == new.user,
            TurnRow.question == new.text,
            TurnRow.filtered == new.filtered,
            TurnRow.state == TurnState.WAITING,
        )
    )
    with database.reading() as session:
        return session.exec(query).first() is not None
