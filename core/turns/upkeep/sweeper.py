"""Sweeper: finds in SQL what waits without anybody working on it, and enqueues it again.

A chore of every pool. It is why a killed worker, an emptied Redis and a lost
message all end in one answer: what is open stands in SQL, the queue only carries ids.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import literal, or_
from sqlmodel import Session, col, select, update

from core import logs, metrics
from core.jobs.leases import fenced, is_held
from core.jobs.pool import Chore
from core.jobs.queue import QUEUES, TaskName, enqueue, length
from core.settings import settings
from core.states import ExplanationState, TurnState
from core.storage import clock
from core.storage.access_tables import AfterwardsRow
from core.storage.database import Database
from core.storage.tables import ExplanationRow, TurnRow
from core.turns import disclosures
from core.turns.thread_queue import QUEUED, TURN_CAME
from core.turns.upkeep.retention import Retention

EVERY_S = 3.0
# A message may wait this long in a busy queue before it is taken for lost; a second is harmless.
OVERDUE_S = 8.0

MOST_DOUBTS = 200  # answers that are asked about again in one sweep
AGAIN_S = 30.0  # seconds after which an answer that is still in doubt is asked about once more

log = logs.get(__name__)


def chores(database: Database) -> list[Chore]:
    """Of every pool: to sweep, and to apply the retention period."""
    chosen = settings()
    retention = Retention(database, chosen.retention_days, chosen.audit_days)
    return [
        Chore("sweep", EVERY_S, lambda: sweep(database)),
        Chore("doubts", EVERY_S, Doubts(database).sweep),
        Chore("retention", EVERY_S, retention.when_due),
    ]


def sweep(database: Database) -> int:
    """Enqueue all that is overdue once; how many there were.

    Raises:
        StoreUnavailable: Redis does not answer; the rest is found again by a later sweep.
    """
    overdue = _overdue(database)
    for task, turn_id in overdue:
        log.info("sweep.enqueue_again", task=task.value, turn=turn_id)
        enqueue(task, turn_id)
        metrics.ENQUEUED_AGAIN.labels(task.value).inc()
    return len(overdue)


class Doubts:
    """Has answers asked about again that give away a page which is said to be closed."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._asked: dict[str, float] = {}  # when, by turn

    def sweep(self) -> None:
        """Enqueue each of them, and again after a while: a source may not have answered.

        Raises:
            StoreUnavailable: Redis does not answer; a later sweep finds them again.
        """
        now = time.monotonic()
        asked = self._asked.items()
        self._asked = {turn_id: at for turn_id, at in asked if at > now - AGAIN_S}
        for turn_id in disclosures.doubtful(self._database, MOST_DOUBTS, but=self._asked):
            enqueue(TaskName.CONFIRM, turn_id)
            self._asked[turn_id] = now


def _overdue(database: Database) -> list[tuple[TaskName, str]]:
    """What is overdue, each marked as enqueued now."""
    # Reading first: there is nearly always nothing, and then nobody waits for a write lock.
    with database.reading() as session:
        lost = _lost(list(_open_work(session)))
    if lost:
        with fenced(database) as session:
            for task, turn_id in lost:
                work = _OPEN[task]
                row = update(work.table).where(work.key == turn_id)
                session.exec(row.values({work.enqueued_at: clock.now()}))
    return lost


def _open_work(session: Session) -> Iterator[tuple[TaskName, str]]:
    for task in _OPEN:
        for turn_id in session.exec(_query(session, task)).all():
            yield task, turn_id


def _lost(found: list[tuple[TaskName, str]]) -> list[tuple[TaskName, str]]:
    """Leave out what still waits in its queue: with as many messages as overdue work, none is lost.

    Without this a burst of questions would be enqueued again every 8 seconds.
    """
    overdue = Counter(QUEUES[task] for task, _ in found)
    short = {queue for queue, count in overdue.items() if length(queue) < count}
    return [(task, turn_id) for task, turn_id in found if QUEUES[task] in short]


_undelivered = col(TurnRow.delivered_at).is_(None)


@dataclass(frozen=True)
class _OpenWork:
    """Where the open work of a task stands in SQL; columns, but for the table."""

    table: Any
    key: Any
    is_open: Any
    enqueued_at: Any  # when it was last put on the queue


_OPEN: dict[TaskName, _OpenWork] = {
    TaskName.ANSWER: _OpenWork(
        TurnRow,
        TurnRow.id,
        (col(TurnRow.state) == TurnState.WAITING) & col(TurnRow.vetted).is_(True) & ~QUEUED,
        TurnRow.work_enqueued_at,
    ),
    TaskName.VET: _OpenWork(
        TurnRow,
        TurnRow.id,
        (col(TurnRow.state) == TurnState.WAITING) & col(TurnRow.vetted).is_(False),
        TurnRow.work_enqueued_at,
    ),
    TaskName.AFTERWARDS: _OpenWork(
        AfterwardsRow,
        AfterwardsRow.id,
        col(AfterwardsRow.id).is_not(None),
        AfterwardsRow.enqueued_at,
    ),
    TaskName.DELIVER: _OpenWork(
        TurnRow,
        TurnRow.id,
        _undelivered & (col(TurnRow.state) != TurnState.FORGOTTEN),
        TurnRow.delivery_enqueued_at,
    ),
    TaskName.TAKE_BACK: _OpenWork(
        TurnRow,
        TurnRow.id,
        _undelivered & (col(TurnRow.state) == TurnState.FORGOTTEN),
        TurnRow.delivery_enqueued_at,
    ),
    TaskName.EXPLAIN: _OpenWork(
        ExplanationRow,
        ExplanationRow.turn_id,
        ExplanationRow.state == ExplanationState.WAITING,
        ExplanationRow.work_enqueued_at,
    ),
    TaskName.POST_EXPLANATION: _OpenWork(
        ExplanationRow,
        ExplanationRow.turn_id,
        col(ExplanationRow.delivered_at).is_(None),
        ExplanationRow.delivery_enqueued_at,
    ),
}


def _query(session: Session, task: TaskName) -> Any:
    work = _OPEN[task]
    now = clock.now()
    query = select(work.key).where(
        work.is_open,
        work.enqueued_at < now - OVERDUE_S,
        ~is_held(session, literal(f"{task.value}:").concat(work.key)),
    )
    if task is not TaskName.ANSWER:
        return query
    # A question whose patience is over is not answered before a delivery gives it a new one.
    since = now - settings().answer_patience_s
    return query.where(or_(col(TurnRow.patience_from) > since, since < TURN_CAME))
