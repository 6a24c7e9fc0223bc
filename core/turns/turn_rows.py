"""Rows of turns and threads: the query that joins them, one row to one Turn, and new rows."""

from __future__ import annotations

from itertools import chain
from typing import Any

from sqlmodel import Session, select

from core.access import disclosure
from core.access.disclosure import NOTHING
from core.dialogue.message import Line
from core.models import Record
from core.states import NoAnswer, TurnState
from core.storage.database import Database
from core.storage.tables import ThreadRow, TurnRow
from core.turns.thread_queue import QUEUED, TURN_CAME
from core.turns.turn import Address, NewQuestion, Turn


def select_turns() -> Any:  # SQLModel's type of a join is longer than the join
    return select(TurnRow, ThreadRow.thread_ts, QUEUED, TURN_CAME).join(ThreadRow)


def said_in(database: Database, address: Address) -> tuple[tuple[str, Line], ...]:
    """The questions of this thread before this message, each with its time and our answer."""
    query = (
        select(TurnRow.ts, TurnRow.user, TurnRow.question)
        .join(ThreadRow)
        .where(
            TurnRow.team == address.team,
            TurnRow.channel == address.channel,
            ThreadRow.thread_ts == address.thread_ts,
            TurnRow.ts < address.ts,
        )
    )
    with database.reading() as session:
        asked = session.exec(query.order_by(TurnRow.ts)).all()
    said = [((ts, Line(user, text)), (ts, Line("", "", by_bot=True))) for ts, user, text in asked]
    return tuple(chain.from_iterable(said))


def to_turn(
    row: TurnRow,
    thread_ts: str,
    queued: bool = False,
    came_at: float | None = None,
) -> Turn:
    address = Address(
        team=row.team,
        channel=row.channel,
        ts=row.ts,
        thread_ts=thread_ts,
    )
    record = Record.model_validate(row.record) if row.record else None
    asked_with = disclosure.read(row.question_shows) if row.question_shows else NOTHING
    return Turn(
        id=row.id,
        address=address,
        user=row.user,
        question=row.question,
        asked_at=row.asked_at,
        patience_from=max(row.patience_from, came_at or 0.0),
        state=TurnState(row.state),
        reason=NoAnswer.saved(row.reason),
        refused_until=row.refused_until,
        attempts=row.attempts,
        finished_at=row.finished_at,
        queued=queued and row.state == TurnState.WAITING,
        delivered=row.delivered_at is not None,
        private=row.private,
        vetted=row.vetted,
        filtered=row.filtered,
        by_button=row.by_button,
        question_shows=asked_with,
        record=record,
        edition=row.edition,
        deliver_from=row.changed_at or row.asked_at,
    )


def find_thread(session: Session, address: Address) -> ThreadRow | None:
    query = select(ThreadRow).where(
        ThreadRow.team == address.team,
        ThreadRow.channel == address.channel,
        ThreadRow.thread_ts == address.thread_ts,
    )
    return session.exec(query).first()


def open_thread(session: Session, address: Address) -> ThreadRow:
    thread = ThreadRow(
        team=address.team,
        channel=address.channel,
        thread_ts=address.thread_ts,
    )
    session.add(thread)
    session.flush()
    return thread


def new_row(new: NewQuestion) -> TurnRow:
    return TurnRow(
        thread_id="",
        team=new.address.team,
        channel=new.address.channel,
        ts=new.address.ts,
        user=new.user,
        question=new.text,
        private=new.private,
        vetted=new.vetted,
        filtered=new.filtered,
        by_button=new.by_button,
        question_shows=new.shows.as_json() if new.shows.pages else None,
    )
