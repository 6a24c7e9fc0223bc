"""Turns in SQL: saves questions, finds them, and ends them with an answer or a reason.

Every change of a turn's state is a conditional update: of two workers that finish the same turn
only the first one's answer is kept.
"""

from __future__ import annotations

import time
from dataclasses import replace

from sqlalchemy import ColumnElement
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select, update

from core import metrics
from core.models import Record
from core.policy.rate_limits import NONE as NO_LIMITS
from core.policy.rate_limits import Limits, refusal
from core.storage.database import Database
from core.storage.tables import ThreadRow, TurnRow
from core.turns.turn import Address, Turn, mended
from core.turns.turn_rows import find_thread, new_row, open_thread, select_turns, to_turn

# Earlier turns of a thread that are considered; query rewriting weighs the last ones most.
MAX_HISTORY = 10


def ask(
    database: Database,
    address: Address,
    *,
    user: str,
    question: str,
    private: bool = False,
    by_button: bool = False,
    refused: str = "",
    limits: Limits = NO_LIMITS,
) -> Turn | None:
    """Save a new question; None when this message is known already.

    `by_button`: no message of the person's holds the question. `refused` is the reason (a key of
    bot.views.messages) why it gets no answer; the reason is delivered like an answer. A question
    beyond the rate `limits` gets its reason here. Somebody who was told of that limit before is
    not told again: the turn counts as delivered.
    """
    row = new_row(address, user=user, question=question, private=private)
    row.by_button = by_button
    if refused:
        _refuse(row, refused)
    return _saved(database, address, row, limits)


def ask_by_button(
    database: Database,
    turn: Turn,
    ts: str,
    *,
    user: str,
    question: str,
    filtered: bool = True,
    refused: str = "",
    limits: Limits = NO_LIMITS,
) -> Turn | None:
    """Save a question asked by a button under the answer of a turn; it joins the same thread.

    `ts` is the time of the press, since there is no message. None when this press is known
    already, or when this person waits for the answer to this very question: a button is easily
    pressed twice.
    """
    address = replace(turn.address, ts=ts)
    row = new_row(address, user=user, question=question, private=turn.private)
    row.filtered = filtered
    row.by_button = True
    if refused:
        _refuse(row, refused)
    if _is_waited_for(database, turn, row):
        return None
    return _saved(database, address, row, limits)


def is_ours(database: Database, address: Address) -> bool:
    """Whether the bot has joined this thread."""
    with database.reading() as session:
        return find_thread(session, address) is not None


def load(database: Database, turn_id: str) -> Turn | None:
    query = select_turns().where(TurnRow.id == turn_id)
    with database.reading() as session:
        found = session.exec(query).first()
        return to_turn(*found) if found else None


def is_waiting(database: Database, turn_id: str) -> bool:
    """Whether somebody still waits for this answer; it may be stopped, or closed as too late."""
    state = select(TurnRow.state).where(TurnRow.id == turn_id)
    with database.reading() as session:
        return session.exec(state).first() == "waiting"


def earlier(database: Database, turn: Turn) -> tuple[Turn, ...]:
    """The earlier turns of the same thread, oldest first, without failed and forgotten ones."""
    query = select_turns().where(
        TurnRow.team == turn.address.team,
        TurnRow.channel == turn.address.channel,
        ThreadRow.thread_ts == turn.address.thread_ts,
        TurnRow.asked_at < turn.asked_at,
        col(TurnRow.state).not_in(("failed", "forgotten")),
    )
    newest_first = query.order_by(col(TurnRow.asked_at).desc())
    with database.reading() as session:
        rows = session.exec(newest_first.limit(MAX_HISTORY)).all()
    return tuple(to_turn(*row) for row in reversed(rows))


def start(database: Database, turn_id: str) -> int:
    """Count an attempt at this turn; how many there were with it."""
    with database.session() as session:
        row = session.get_one(TurnRow, turn_id)
        row.attempts += 1
        return row.attempts


def answer(
    database: Database,
    turn_id: str,
    record: Record,
    *,
    edition: int = 0,
) -> bool:
    """Save the answer; False, and no change, when the turn is finished or forgotten already.

    `edition` is that of the turn when the work on it began. Has it changed, then an earlier turn
    of the thread was forgotten meanwhile, and the record is saved without what came from it.
    """
    unchanged = col(TurnRow.edition) == edition
    if _finish(database, turn_id, unchanged, **_answered(record)):
        return True
    return _finish(database, turn_id, **_answered(mended(record)))


def fail(database: Database, turn_id: str, reason: str) -> bool:
    """Close the turn with a reason instead of an answer; False when it is finished already."""
    return _finish(database, turn_id, state="failed", reason=reason)


def ask_again(database: Database, turn_id: str) -> bool:
    """Reopen a failed turn as the last of its thread; False when it has not failed."""
    now = time.time()
    failed = update(TurnRow).where(
        col(TurnRow.id) == turn_id,
        col(TurnRow.state) == "failed",
    )
    reopened = failed.values(
        state="waiting",
        reason="",
        attempts=0,
        asked_at=now,
        patience_from=now,
        finished_at=None,
        delivered_at=None,
    )
    with database.session() as session:
        return session.exec(reopened).rowcount == 1


def be_patient_again(database: Database, turn_id: str) -> None:
    """Start the patience of a waiting turn now: nobody could work on it until this moment."""
    turn = update(TurnRow).where(col(TurnRow.id) == turn_id)
    with database.session() as session:
        session.exec(turn.values(patience_from=time.time()))


def is_there(session: Session, turn_id: str) -> bool:
    """Whether the turn is not forgotten; it stays so until the transaction ends."""
    row = session.get(TurnRow, turn_id, with_for_update=True)
    return row is not None and row.state != "forgotten"


def _refuse(row: TurnRow, reason: str) -> None:
    row.state = "failed"
    row.reason = reason
    row.finished_at = time.time()


def _saved(database: Database, address: Address, row: TurnRow, limits: Limits) -> Turn | None:
    try:
        with database.one_at_a_time(f"ask:{row.team}") as session:
            if row.state == "waiting":
                _apply_limits(session, row, limits)
            thread = find_thread(session, address) or open_thread(session, address)
            row.thread_id = thread.id
            session.add(row)
            session.flush()
            saved = select_turns().where(TurnRow.id == row.id)
            asked = to_turn(*session.exec(saved).one())
    except IntegrityError:
        return None  # the unique key: the same event again, or the other event of the same mention
    where = "direct" if row.private else "channel"
    metrics.ASKED.labels("button" if row.by_button else where).inc()
    return asked


def _apply_limits(session: Session, row: TurnRow, limits: Limits) -> None:
    exceeded = refusal(session, row, limits)
    if exceeded is None:
        return
    _refuse(row, exceeded.reason)
    row.delivered_at = row.finished_at if exceeded.announced else None


def _is_waited_for(database: Database, turn: Turn, new: TurnRow) -> bool:
    query = select_turns().where(
        TurnRow.team == new.team,
        TurnRow.channel == new.channel,
        ThreadRow.thread_ts == turn.address.thread_ts,
        TurnRow.user == new.user,
        TurnRow.question == new.question,
        TurnRow.filtered == new.filtered,
        TurnRow.state == "waiting",
    )
    with database.reading() as session:
        return session.exec(query).first() is not None


def _answered(record: Record) -> dict[str, object]:
    return {"state": "done", "record": record.model_dump(mode="json")}


def _finish(
    database: Database,
    turn_id: str,
    *only: ColumnElement[bool],
    **values: object,
) -> bool:
    """End a waiting turn; False when it does not wait any more."""
    turn = update(TurnRow).where(
        col(TurnRow.id) == turn_id,
        col(TurnRow.state) == "waiting",
        *only,
    )
    ended = turn.values(finished_at=time.time(), **values)
    with database.session() as session:
        return session.exec(ended).rowcount == 1
