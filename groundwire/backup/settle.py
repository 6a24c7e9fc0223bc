"""What a restored database must not believe: that it is still the moment of its backup.

- What was forgotten since is forgotten again; the audit log goes on.
- Nobody is shown a page before its source was asked again, and the next sync reads all
  restrictions.
- The index is another one, so that programs make theirs anew from SQL.
- What was open long ago gets no second answer, and what was heard since is not heard again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlmodel import Session, col, delete, select, tuple_, update

from core.jobs import gaps
from core.states import ExplanationState, NoAnswer, NoExplanation, TurnState
from core.storage import clock
from core.storage.access_tables import AuditRow, ConfirmationRow, TokenRow
from core.storage.database import Database
from core.storage.hearing_tables import GapRow, HeardRow
from core.storage.index_epoch import new_epoch
from core.storage.index_tables import PageRow
from core.storage.tables import ExplanationRow, LeaseRow, ThreadRow, TurnRow
from core.turns import erasure
from groundwire.backup.known import (
    ERASED_BY_PEOPLE,
    AskedBefore,
    KnownBefore,
    is_of,
    keys_of,
    primary_key,
)

OPEN_S = 3_600.0  # a question may be answered so long after it was asked
DAY_S = 86_400.0


@dataclass(frozen=True)
class Settled:
    """What was done: answers forgotten again, other rows erased again; None: nobody knows."""

    turns: int | None
    rows: int = 0


def settle(database: Database, known: KnownBefore, *, retention_days: int, forget: bool) -> Settled:
    """Bring a restored database into the present; `known` is what the one before it knew.

    `forget`: also what was forgotten since the backup.
    """
    with database.session() as session:
        related = is_of(session, known)
        session.exec(delete(LeaseRow))
        session.exec(delete(ConfirmationRow))
        session.exec(update(PageRow).values(scanned_at=0.0))
        new_epoch(session)
        _close_what_was_open(session, clock.now() - OPEN_S)
        _hear_on(session, known if related else None)
        if related:
            _take_over(session, known)
    if retention_days:
        while erasure.forget_old(database, clock.now() - retention_days * DAY_S):
            pass
    if not (related and forget):
        return Settled(None if not related else 0)
    return _forget_again(database, known)


def _close_what_was_open(session: Session, before: float) -> None:
    """It was answered since, or nobody waits for it any more; nothing is said in Slack."""
    now = clock.now()
    open_turns = update(TurnRow).where(
        col(TurnRow.asked_at) < before,
        col(TurnRow.delivered_at).is_(None),
        col(TurnRow.state) != TurnState.FORGOTTEN,
    )
    waiting = open_turns.where(col(TurnRow.state) == TurnState.WAITING)
    late = {"state": TurnState.FAILED, "reason": NoAnswer.LATE, "finished_at": now}
    session.exec(waiting.values(late))
    session.exec(open_turns.values(delivered_at=now))
    session.exec(update(TurnRow).values(take_up_until=None))
    undelivered = update(ExplanationRow).where(
        col(ExplanationRow.requested_at) < before, col(ExplanationRow.delivered_at).is_(None)
    )
    unexplained = undelivered.where(col(ExplanationRow.state) == ExplanationState.WAITING)
    gave_up = {"state": ExplanationState.FAILED, "reason": NoExplanation.GAVE_UP}
    session.exec(unexplained.values(gave_up))
    session.exec(undelivered.values(delivered_at=now))


def _hear_on(session: Session, known: KnownBefore | None) -> None:
    """From where the replaced database had heard, else from now: not from the backup's time.

    Catching up looks back a little further than that: what was asked meanwhile is known as asked.
    """
    session.exec(delete(GapRow))
    now = clock.now() + gaps.OVERLAP_S
    for row in session.exec(select(HeardRow)).all():
        row.until = max(row.until, known.heard.get(row.team, 0.0)) if known else now
    for asked in known.asked if known else ():
        _remember(session, asked)


def _remember(session: Session, asked: AskedBefore) -> None:
    """A tombstone for a question that came after the backup: its event is not answered again."""
    place: dict[str, Any] = {"team": asked.team, "channel": asked.channel}
    same = select(TurnRow).filter_by(**place, ts=asked.ts)
    if session.exec(same).first():
        return
    there = select(ThreadRow).filter_by(**place, thread_ts=asked.thread_ts)
    thread = session.exec(there).first() or ThreadRow(**place, thread_ts=asked.thread_ts)
    session.add(thread)
    session.flush()
    now = clock.now()
    row = TurnRow(
        **place,
        id=asked.id,
        thread_id=thread.id,
        ts=asked.ts,
        user=asked.user,
        question="",
        state=TurnState.FORGOTTEN,
        asked_at=asked.asked_at,
        finished_at=now,
        delivered_at=now,  # what we said to it stays
    )
    session.add(row)


def _take_over(session: Session, known: KnownBefore) -> None:
    """The audit log since, and tokens, which their service has exchanged for others since."""
    there = set(session.exec(select(AuditRow.id)).all())
    session.add_all(AuditRow(**act) for act in known.audit if act["id"] not in there)
    for row in session.exec(select(TokenRow)).all():
        row.sealed = known.tokens.get(row.owner, row.sealed)


def _forget_again(database: Database, known: KnownBefore) -> Settled:
    rows = 0
    with database.session() as session:
        for table in ERASED_BY_PEOPLE:
            gone = keys_of(session, table) - known.rows[str(table.__tablename__)]
            for key in gone:
                session.execute(delete(table).where(tuple_(*primary_key(table)) == tuple_(*key)))
            rows += len(gone)
        left = select(TurnRow.id, TurnRow.user).where(TurnRow.state != TurnState.FORGOTTEN)
        turns = [(turn, user) for turn, user in session.exec(left) if turn not in known.turns]
    for turn, user in turns:
        erasure.forget_turn(database, turn, user)
    database.leave_no_trace()
    return Settled(len(turns), rows)
