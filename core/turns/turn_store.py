"""Turns in SQL: saves questions, finds them, and ends them with an answer or a reason.

Every change of a turn's state is a conditional update: of two workers that finish the same turn
only the first one's answer is kept.
"""

from __future__ import annotations

from sqlalchemy import ColumnElement
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, delete, select, update

from core import metrics
from core.jobs.leases import fenced
from core.logs import tracing
from core.models import Record
from core.policy.rate_limits import NONE as NO_LIMITS
from core.policy.rate_limits import Limits
from core.states import NoAnswer, TurnState
from core.storage import clock
from core.storage.database import Database
from core.storage.tables import ExplanationRow, ThreadRow, TurnRow
from core.turns import disclosures, thread_queue, turn_facts
from core.turns.turn import NewQuestion, Turn, mended
from core.turns.turn_rows import (
    answered,
    apply_limits,
    begun_anew,
    failed,
    find_thread,
    new_row,
    open_thread,
    refuse,
    select_turns,
    to_turn,
)

# Earlier turns of a thread that are considered; query rewriting weighs the last ones most.
MAX_HISTORY = 10
# States of turns that are no part of their conversation: without an answer, or with an old one.
NO_HISTORY = (TurnState.FAILED, TurnState.FORGOTTEN, TurnState.REPLACED)


def ask(database: Database, new: NewQuestion, limits: Limits = NO_LIMITS) -> Turn | None:
    """Save a new question; None when this message is known already.

    None also when a button asks what this person waits for already: it is easily pressed twice.
    Why a question is refused is delivered like an answer. A question beyond the rate `limits` gets
    its reason here. Somebody who was told of that limit before is not told again: the turn counts
    as delivered.
    """
    if new.by_button and thread_queue.is_waited_for(database, new):
        return None
    row = new_row(new)
    if new.refused:
        refuse(row, new.refused)
    try:
        with fenced(database, f"ask:{row.team}") as session:
            if row.state == TurnState.WAITING:
                apply_limits(session, row, limits)
            thread = find_thread(session, new.address) or open_thread(session, new.address)
            row.thread_id = thread.id
            session.add(row)
    except IntegrityError:
        return None  # the unique key: the same event again, or the other event of the same mention
    where = "direct" if row.private else "channel"
    tracing.asked(row.id)
    metrics.ASKED.labels("button" if row.by_button else where).inc()
    return load(database, row.id)


def load(database: Database, turn_id: str) -> Turn | None:
    query = select_turns().where(TurnRow.id == turn_id)
    with database.reading() as session:
        found = session.exec(query).first()
        return to_turn(*found) if found else None


def is_waiting(database: Database, turn: Turn) -> bool:
    """Whether somebody still waits for this answer; it may be stopped, or closed as too late.

    Nobody does when the question was edited since it was loaded.
    """
    waits = select(TurnRow.id).where(
        TurnRow.id == turn.id,
        TurnRow.edited_ts == turn.edited_ts,
        TurnRow.state == TurnState.WAITING,
    )
    with database.reading() as session:
        return session.exec(waits).first() is not None


def is_as_asked(database: Database, turn: Turn) -> bool:
    """Whether its question was not edited since it was loaded."""
    edited_ts = select(TurnRow.edited_ts).where(TurnRow.id == turn.id)
    with database.reading() as session:
        return session.exec(edited_ts).first() == turn.edited_ts


def earlier(database: Database, turn: Turn) -> tuple[Turn, ...]:
    """The earlier turns of the same thread, oldest first, without failed and forgotten ones."""
    query = select_turns().where(
        TurnRow.team == turn.address.team,
        TurnRow.channel == turn.address.channel,
        ThreadRow.thread_ts == turn.address.thread_ts,
        TurnRow.asked_at < turn.asked_at,
        col(TurnRow.state).not_in(NO_HISTORY),
    )
    newest_first = query.order_by(col(TurnRow.asked_at).desc())
    with database.reading() as session:
        rows = session.exec(newest_first.limit(MAX_HISTORY)).all()
    return tuple(to_turn(*row) for row in reversed(rows))


def start(database: Database, turn_id: str) -> int:
    """Count an attempt at this turn; how many there were with it."""
    with fenced(database) as session:
        row = session.get_one(TurnRow, turn_id, with_for_update=True)
        row.attempts += 1
        return row.attempts


def answer(
    database: Database,
    turn_id: str,
    record: Record,
    *,
    edition: int = 0,
    edited_ts: str = "",
) -> bool:
    """Save the answer; False, and no change, when the turn is finished or forgotten already.

    `edition` and `edited_ts` are those of the turn when the work on it began. Has the edition
    changed, then an earlier turn of the thread was forgotten meanwhile, and the record is saved
    without what came from it. Has the question been edited, nothing is saved.
    """
    may = (col(TurnRow.edited_ts) == edited_ts, col(TurnRow.vetted).is_(True))
    unchanged = col(TurnRow.edition) == edition
    for saved, only in ((record, (*may, unchanged)), (mended(record), may)):
        with fenced(database) as session:
            if _finish(session, turn_id, *only, **answered(saved)):
                disclosures.save(session, turn_id, saved.pages, saved.audience)
                turn_facts.save(session, turn_id, saved)
                return True
    return False


def fail(
    database: Database,
    turn_id: str,
    reason: NoAnswer,
    *,
    edited_ts: str | None = None,
) -> bool:
    """Close the turn with a reason instead of an answer; False when it is finished already.

    With `edited_ts` also False when it was edited since.
    """
    only = () if edited_ts is None else (col(TurnRow.edited_ts) == edited_ts,)
    with fenced(database) as session:
        return _finish(session, turn_id, *only, **failed(reason))


def ask_again(database: Database, turn_id: str) -> bool:
    """Reopen a failed turn as the last of its thread; False when it has not failed.

    What explained an answer that was taken back explains no other one.
    """
    now = clock.now()
    has_failed = update(TurnRow).where(
        col(TurnRow.id) == turn_id,
        col(TurnRow.state) == TurnState.FAILED,
    )
    reopened = has_failed.values(asked_at=now, **begun_anew(now))
    with fenced(database) as session:
        if not session.exec(reopened).rowcount:
            return False
        session.exec(delete(ExplanationRow).where(col(ExplanationRow.turn_id) == turn_id))
        return True


def take_back(
    database: Database,
    turn: Turn,
    reason: NoAnswer,
) -> bool:
    """Delete an answer, or what was shown of one, and have the reason shown in its place.

    False when the turn has changed since it was loaded.
    """
    now = clock.now()
    ended = update(TurnRow).where(
        col(TurnRow.id) == turn.id,
        col(TurnRow.edition) == turn.edition,
        col(TurnRow.state).in_((TurnState.DONE, TurnState.FAILED)),
    )
    taken_back = ended.values(
        state=TurnState.FAILED,
        reason=reason,
        record=None,
        edition=turn.edition + 1,
        changed_at=now,
        delivered_at=None,
        delivery_enqueued_at=now,
        take_up_until=None,
    )
    with fenced(database) as session:
        if not session.exec(taken_back).rowcount:
            return False
        disclosures.forget(session, [turn.id])
        turn_facts.forget(session, [turn.id])
        return True


def be_patient_again(database: Database, turn_id: str) -> None:
    """Start the patience of a waiting turn now: nobody could work on it until this moment."""
    turn = update(TurnRow).where(col(TurnRow.id) == turn_id)
    with fenced(database) as session:
        session.exec(turn.values(patience_from=clock.now()))


def is_there(session: Session, turn_id: str) -> bool:
    """Whether the turn is not forgotten; it stays so until the transaction ends."""
    row = session.get(TurnRow, turn_id, with_for_update=True)
    return row is not None and row.state != TurnState.FORGOTTEN


def _finish(
    session: Session,
    turn_id: str,
    *only: ColumnElement[bool],
    **values: object,
) -> bool:
    """End a waiting turn; False when it does not wait any more."""
    turn = update(TurnRow).where(
        col(TurnRow.id) == turn_id,
        col(TurnRow.state) == TurnState.WAITING,
        *only,
    )
    ended = turn.values(finished_at=clock.now(), **values)
    return bool(session.exec(ended).rowcount == 1)
