"""Delivery state of a turn: when to deliver it, that it was delivered, and delivering it again.

Every change is a conditional update on the edition that was loaded, so nobody marks a newer
text as delivered.
"""

from __future__ import annotations

from typing import Any

from sqlmodel import col, update

from core import metrics
from core.jobs.leases import fenced
from core.models import Record
from core.states import TurnState
from core.storage import clock
from core.storage.database import Database
from core.storage.tables import TurnRow
from core.turns import disclosures
from core.turns.turn import Turn

AHEAD_S = 5.0  # a growing answer is kept open by so much more than it needs


def deliver_later(
    database: Database,
    turn: Turn,
    wait_s: float,
) -> None:
    """Let nobody deliver this turn for so many seconds; the sweeper counts from then."""
    with fenced(database) as session:
        later = _unchanged(turn).values(delivery_enqueued_at=clock.now() + wait_s)
        session.exec(later)


class KeptOpen:
    """Keeps a turn from being closed as late while its answer is being written.

    Its patience begins later then, so that whoever delivers it, and the sweeper, need to know
    nothing of it. SQL is not written for every word.
    """

    def __init__(self, database: Database, turn: Turn, patience_s: float) -> None:
        self._database = database
        self._turn = turn
        self._patience_s = patience_s
        self._begins = turn.patience_from

    def for_s(self, seconds: float) -> None:
        """Keep it open for at least so long from now."""
        begins = clock.now() + seconds - self._patience_s
        if begins <= self._begins:
            return
        self._begins = begins + AHEAD_S
        waiting = update(TurnRow).where(
            col(TurnRow.id) == self._turn.id,
            col(TurnRow.state) == TurnState.WAITING,
        )
        with fenced(self._database) as session:
            session.exec(waiting.values(patience_from=self._begins))


def delivered(
    database: Database,
    turn: Turn,
    *,
    lost: bool = False,
) -> None:
    """Mark the turn as delivered, unless its text has changed since; `lost`: it never will be."""
    now = clock.now()
    with fenced(database) as session:
        done = session.exec(_unchanged(turn).values(delivered_at=now))
        written = done.rowcount == 1
    if not written or turn.edition:  # another edition is no answer that somebody waited for
        return
    outcome = "lost" if lost else turn.reason or turn.state
    metrics.DELIVERED.labels(outcome).inc()
    metrics.FINAL.observe(now - turn.asked_at)


def redeliver(
    database: Database,
    turn: Turn,
    record: Record,
) -> bool:
    """Replace the record of an answered turn and have it delivered again.

    False when the turn has changed since it was loaded.
    """
    now = clock.now()
    answered = _unchanged(turn).where(col(TurnRow.state) == TurnState.DONE)
    again = answered.values(
        record=record.model_dump(mode="json"),
        edition=turn.edition + 1,
        changed_at=now,
        delivered_at=None,
        delivery_enqueued_at=now,
    )
    with fenced(database) as session:
        if not session.exec(again).rowcount:
            return False
        if turn.record is None or record.pages != turn.record.pages:
            disclosures.save(session, turn.id, record.pages, record.audience)
        return True


def _unchanged(turn: Turn) -> Any:
    """An update of the turn as long as it is the one that was loaded."""
    return update(TurnRow).where(
        col(TurnRow.id) == turn.id,
        col(TurnRow.edition) == turn.edition,
        col(TurnRow.state) != TurnState.FORGOTTEN,
    )
