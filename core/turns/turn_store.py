"""Threads, turns and posts: what was asked, what came of it, and where it stands in Slack.

Every change of a turn's state is a conditional update, so of two workers that finish the same turn only one is believed.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

from sqlalchemy import ColumnElement
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select, update

from core import metrics
from core.models import Record, mended
from core.policy.rate_limits import NONE as NO_LIMITS
from core.policy.rate_limits import Limits, refusal, until
from core.storage.database import Database
from core.storage.tables import ThreadRow, TurnRow
from core.turns.thread_queue import QUEUED, TURN_CAME
from core.turns.turn import Address, Turn

MAX_HISTORY = (
    10  # earlier turns of a thread that are considered; completion weighs the last ones most
)


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

    `by_button` says that no message of the person's holds the question. `refused` names the reason (a key of bot.views.messages) why this
    one gets no answer; it is delivered like an answer. One that is beyond the `limits` gets such a reason here; who knows it from a
    question before is not told again: the turn is delivered.
    """
    row = _new_turn(address, user=user, question=question, private=private)
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
    """Save a question that somebody asked by pressing a button under the answer of a turn; it goes on in the same thread.

    `ts` is the time of the press, since there is no message. None when this press is known already, or when this person waits for
    the answer to this very question: a button is easily pressed twice.
    """
    address = replace(turn.address, ts=ts)
    row = _new_turn(address, user=user, question=question, private=turn.private)
    row.filtered, row.by_button = filtered, True
    if refused:
        _refuse(row, refused)
    return None if _is_waited_for(database, turn, row) else _saved(database, address, row, limits)


def is_ours(database: Database, address: Address) -> bool:
    """Whether the bot has joined this thread."""
    with database.reading() as session:
        return _thread(session, address) is not None


def load(database: Database, turn_id: str) -> Turn | None:
    with database.reading() as session:
        found = session.exec(_turns().where(TurnRow.id == turn_id)).first()
        return _turn(*found) if found else None


def is_waiting(database: Database, turn_id: str) -> bool:
    """Whether somebody still waits for this answer: it may be stopped, or closed because it took too long."""
    with database.reading() as session:
        return session.exec(select(TurnRow.state).where(TurnRow.id == turn_id)).first() == "waiting"


def earlier(database: Database, turn: Turn) -> tuple[Turn, ...]:
    """The turns of the same thread before this one, oldest first, without the failed and the forgotten ones."""
    query = _turns().where(
        TurnRow.team == turn.address.team,
        TurnRow.channel == turn.address.channel,
        ThreadRow.thread_ts == turn.address.thread_ts,
        TurnRow.asked_at < turn.asked_at,
        col(TurnRow.state).not_in(("failed", "forgotten")),
    )
    with database.reading() as session:
        rows = session.exec(query.order_by(col(TurnRow.asked_at).desc()).limit(MAX_HISTORY)).all()
    return tuple(_turn(*row) for row in reversed(rows))


def start(database: Database, turn_id: str) -> int:
    """Count an attempt at this turn, and say how many there were with it."""
    with database.session() as session:
        row = session.get_one(TurnRow, turn_id)
        row.attempts += 1
        return row.attempts


def answer(database: Database, turn_id: str, record: Record, *, edition: int = 0) -> bool:
    """Save the answer; False when the turn is finished already, or forgotten, which leaves it as it is.

    `edition` is that of the turn when the work on it began: with another one now, what it was made of may be forgotten.
    """
    done = {"state": "done", "record": record.model_dump(mode="json")}
    if _finish(database, turn_id, col(TurnRow.edition) == edition, **done):
        return True
    return _finish(database, turn_id, **(done | {"record": mended(record).model_dump(mode="json")}))


def fail(database: Database, turn_id: str, reason: str) -> bool:
    """Close the turn with a reason instead of an answer; False when it is finished already."""
    return _finish(database, turn_id, state="failed", reason=reason)


def ask_again(database: Database, turn_id: str) -> bool:
    """Open a failed turn once more, as the last of its thread and with a new patience; False when it has not failed."""
    now = time.time()
    with database.session() as session:
        opened = {
            "state": "waiting",
            "reason": "",
            "attempts": 0,
            "finished_at": None,
            "delivered_at": None,
        }
        opened |= {"asked_at": now, "patience_from": now}
        failed = update(TurnRow).where(col(TurnRow.id) == turn_id, col(TurnRow.state) == "failed")
        return session.exec(failed.values(**opened)).rowcount == 1


def be_patient_again(database: Database, turn_id: str) -> None:
    """Start the patience of a waiting turn now: nobody could work on it until this moment."""
    with database.session() as session:
        session.exec(
            update(TurnRow).where(col(TurnRow.id) == turn_id).values(patience_from=time.time())
        )


def deliver_later(database: Database, turn: Turn, wait_s: float) -> None:
    """Let nobody try to deliver this before so many seconds have passed; the sweeper counts from then."""
    with database.session() as session:
        session.exec(_same(turn).values(delivery_enqueued_at=time.time() + wait_s))


def delivered(database: Database, turn: Turn, *, lost: bool = False) -> None:
    """Write down that the final text stands in Slack, unless it is not the final one any more; or, `lost`, that it never will."""
    now = time.time()
    with database.session() as session:
        written = session.exec(_same(turn).values(delivered_at=now)).rowcount == 1
    if written and not turn.edition:  # another edition is no answer that somebody waited for
        metrics.DELIVERED.labels("lost" if lost else until(turn.reason)[0] or turn.state).inc()
        metrics.FINAL.observe(now - turn.asked_at)


def show_anew(database: Database, turn: Turn, record: Record) -> bool:
    """Save another record of an answered turn, to be shown once more in its place; False when the turn is not as it was loaded."""
    shown = {"record": record.model_dump(mode="json"), "edition": turn.edition + 1}
    again = {"delivered_at": None, "delivery_enqueued_at": time.time()}
    with database.session() as session:
        return bool(
            session.exec(
                _same(turn).where(col(TurnRow.state) == "done").values(**shown, **again)
            ).rowcount
        )


def is_there(session: Session, turn_id: str) -> bool:
    """Whether something may still be written down about this turn; it is not forgotten before the transaction ends."""
    row = session.get(TurnRow, turn_id, with_for_update=True)
    return row is not None and row.state != "forgotten"


def _new_turn(address: Address, *, user: str, question: str, private: bool) -> TurnRow:
    return TurnRow(
        thread_id="",
        team=address.team,
        channel=address.channel,
        ts=address.ts,
        user=user,
        question=question,
        private=private,
    )


def _refuse(row: TurnRow, reason: str) -> None:
    row.state, row.reason, row.finished_at = "failed", reason, time.time()


def _saved(database: Database, address: Address, row: TurnRow, limits: Limits) -> Turn | None:
    try:
        with database.one_at_a_time(f"ask:{row.team}") as session:
            if row.state == "waiting" and (beyond := refusal(session, row, limits)):
                _refuse(row, beyond.reason)
                row.delivered_at = row.finished_at if beyond.announced else None
            thread = _thread(session, address) or _open_thread(session, address)
            row.thread_id = thread.id
            session.add(row)
            session.flush()
            asked = _turn(*session.exec(_turns().where(TurnRow.id == row.id)).one())
    except IntegrityError:
        return None  # the unique key: the same event again, or the other event of the same mention
    metrics.ASKED.labels(
        "button" if row.by_button else "direct" if row.private else "channel"
    ).inc()
    return asked


def _is_waited_for(database: Database, turn: Turn, new: TurnRow) -> bool:
    same = (
        TurnRow.user == new.user,
        TurnRow.question == new.question,
        TurnRow.filtered == new.filtered,
    )
    here = (
        TurnRow.team == new.team,
        TurnRow.channel == new.channel,
        ThreadRow.thread_ts == turn.address.thread_ts,
    )
    with database.reading() as session:
        return (
            session.exec(_turns().where(*here, *same, TurnRow.state == "waiting")).first()
            is not None
        )


def _turns() -> Any:  # SQLModel's type of a join is longer than the join
    return select(TurnRow, ThreadRow.thread_ts, QUEUED, TURN_CAME).join(ThreadRow)


def _thread(session: Session, address: Address) -> ThreadRow | None:
    return session.exec(
        select(ThreadRow).where(
            ThreadRow.team == address.team,
            ThreadRow.channel == address.channel,
            ThreadRow.thread_ts == address.thread_ts,
        )
    ).first()


def _open_thread(session: Session, address: Address) -> ThreadRow:
    thread = ThreadRow(team=address.team, channel=address.channel, thread_ts=address.thread_ts)
    session.add(thread)
    session.flush()
    return thread


def _same(turn: Turn) -> Any:
    """An update of the turn as long as it is the one that was loaded."""
    return update(TurnRow).where(
        col(TurnRow.id) == turn.id,
        col(TurnRow.edition) == turn.edition,
        col(TurnRow.state) != "forgotten",
    )


def _finish(database: Database, turn_id: str, *only: ColumnElement[bool], **values: object) -> bool:
    with database.session() as session:
        waiting = update(TurnRow).where(
            col(TurnRow.id) == turn_id, col(TurnRow.state) == "waiting", *only
        )
        return session.exec(waiting.values(finished_at=time.time(), **values)).rowcount == 1


def _turn(row: TurnRow, thread_ts: str, queued: bool = False, came_at: float | None = None) -> Turn:
    return Turn(
        id=row.id,
        address=Address(team=row.team, channel=row.channel, ts=row.ts, thread_ts=thread_ts),
        user=row.user,
        question=row.question,
        asked_at=row.asked_at,
        patience_from=max(row.patience_from, came_at or 0.0),
        state=row.state,
        reason=row.reason,
        attempts=row.attempts,
        queued=queued and row.state == "waiting",
        delivered=row.delivered_at is not None,
        private=row.private,
        filtered=row.filtered,
        by_button=row.by_button,
        record=Record.model_validate(row.record) if row.record else None,
        edition=row.edition,
    )
