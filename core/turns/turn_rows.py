"""Rows of turns and threads: the query that joins them, one row to one Turn, and new rows."""

from __future__ import annotations

from itertools import chain
from typing import Any

from sqlmodel import Session, col, func, select

from core.access import disclosure
from core.access.disclosure import NOTHING
from core.dialogue.message import Line
from core.models import Note, Record
from core.policy.rate_limits import Limits, refusal
from core.states import NoAnswer, TurnState
from core.storage import clock
from core.storage.database import Database
from core.storage.tables import ThreadRow, TurnRow
from core.turns.thread_queue import QUEUED, TURN_CAME
from core.turns.turn import Address, NewQuestion, Turn

# So long a question that was answered late, or without the model, is taken up again by itself.
TAKE_UP_S = 3600.0
BEGINNING = 400  # characters of an answer


def select_turns() -> Any:  # SQLModel's type of a join is longer than the join
    return select(TurnRow, ThreadRow.thread_ts, QUEUED, TURN_CAME).join(ThreadRow)


def said_in(database: Database, address: Address) -> tuple[tuple[str, Line], ...]:
    """The questions of this thread before this message, each with its time and our answer.

    Of an answer its beginning, which says what it is about; empty while there is none.
    """
    answer = col(TurnRow.record)["answer"]["text"].as_string()
    beginning = func.substr(answer, 1, BEGINNING)
    query = (
        select(TurnRow.ts, TurnRow.user, TurnRow.question, beginning)
        .join(ThreadRow)
        .where(
            TurnRow.team == address.team,
            TurnRow.channel == address.channel,
            ThreadRow.thread_ts == address.thread_ts,
            TurnRow.ts < address.ts,
            TurnRow.state != TurnState.REPLACED,
        )
    )
    with database.reading() as session:
        asked = session.exec(query.order_by(TurnRow.ts)).all()
    said = [
        ((ts, Line(user, question)), (ts, Line("", answer or "", by_bot=True)))
        for ts, user, question, answer in asked
    ]
    return tuple(chain.from_iterable(said))


def joined_at(database: Database, address: Address) -> str | None:
    """When the bot joined this thread, as Slack's time of its first question; None: it has not.

    Empty when no question of it is kept any more.
    """
    with database.reading() as session:
        thread = find_thread(session, address)
        if thread is None:
            return None
        first = select(func.min(TurnRow.ts)).where(TurnRow.thread_id == thread.id)
        return session.exec(first).one() or ""


def known(database: Database, address: Address) -> bool:
    """Whether this message became a turn already."""
    turn = select(TurnRow.id).where(
        TurnRow.team == address.team,
        TurnRow.channel == address.channel,
        TurnRow.ts == address.ts,
    )
    with database.reading() as session:
        return session.exec(turn).first() is not None


def has_asked_in_channel(database: Database, team: str, channel: str, user: str) -> bool:
    """Whether this person has asked there, and so is one of the channel's people."""
    if not channel:
        return False
    turn = select(TurnRow.id).where(
        TurnRow.team == team,
        TurnRow.channel == channel,
        TurnRow.user == user,
    )
    with database.reading() as session:
        return session.exec(turn.limit(1)).first() is not None


def threads_asked_in(database: Database, team: str, channel: str, since: float) -> list[str]:
    """The threads of this channel in which somebody has asked since then, the latest first."""
    query = (
        select(ThreadRow.thread_ts)
        .join(TurnRow)
        .where(
            ThreadRow.team == team,
            ThreadRow.channel == channel,
            TurnRow.asked_at > since,
        )
        .group_by(ThreadRow.thread_ts)
        .order_by(func.max(TurnRow.asked_at).desc())
    )
    with database.reading() as session:
        return list(session.exec(query).all())


def to_turn(
    row: TurnRow,
    thread_ts: str,
    queued: bool = False,
    came_at: float | None = None,
) -> Turn:
    record = Record.model_validate(row.record) if row.record else None
    asked_with = disclosure.read(row.question_shows) if row.question_shows else NOTHING
    return Turn(
        id=row.id,
        address=Address(row.team, row.channel, row.ts, thread_ts),
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
        edited_ts=row.edited_ts,
        has_files=row.has_files,
        beside=row.beside,
        late_s=row.late_s,
        words_key=row.words_key,
    )


def private_channels(database: Database, team: str) -> set[str]:
    """The direct messages in which somebody has asked."""
    query = select(TurnRow.channel).where(TurnRow.team == team, col(TurnRow.private)).distinct()
    with database.reading() as session:
        return set(session.exec(query).all())


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
        has_files=new.has_files,
        beside=new.beside,
        late_s=new.late_s,
    )


def refuse(row: TurnRow, reason: NoAnswer) -> None:
    """Close a question that is not saved yet."""
    row.state = TurnState.FAILED
    row.reason = reason
    row.finished_at = clock.now()


def apply_limits(session: Session, row: TurnRow, limits: Limits) -> None:
    """Close a question, not saved yet, that is one too many.

    One whose asker was told of that limit before counts as delivered.
    """
    exceeded = refusal(session, row, limits)
    if exceeded is None:
        return
    refuse(row, exceeded.reason)
    row.refused_until = exceeded.until
    row.delivered_at = row.finished_at if exceeded.announced else None


def answered(record: Record) -> dict[str, object]:
    """The columns of a turn that is answered; quoted as the model was down, it is taken up."""
    is_lacking = Note.MODEL_DOWN in record.answer.notes
    return {
        "state": TurnState.DONE,
        "reason": "",
        "record": record.model_dump(mode="json"),
        "take_up_until": clock.now() + TAKE_UP_S if is_lacking else None,
    }


def failed(reason: NoAnswer) -> dict[str, object]:
    """The columns of a turn that ends with a reason; one that is late is taken up again."""
    is_late = reason is NoAnswer.LATE
    return {
        "state": TurnState.FAILED,
        "reason": reason,
        "take_up_until": clock.now() + TAKE_UP_S if is_late else None,
    }


def begun_anew(now: float) -> dict[str, object]:
    """The columns of a turn that is to be answered once more, from now on."""
    return {
        "state": TurnState.WAITING,
        "reason": "",
        "refused_until": None,
        "attempts": 0,
        "patience_from": now,
        "changed_at": None,
        "finished_at": None,
        "delivered_at": None,
        "take_up_until": None,
        "taken_up": 0,
    }
