"""Erases what was asked and what came of it: of a conversation, of a person, or of an age.

What a person forgets are that person's turns, with all that hangs on them. The turns of others in the same thread stay, but lose
what was made of the forgotten ones: the completed question, its context, the prompt. The row of a forgotten turn stays for two days
without a word in it: so an event that Slack repeats does not ask again, a worker that is just answering brings nothing back, limits
still count, and the speaker finds our messages that have to go from Slack.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, exists
from sqlmodel import Session, col, delete, select, update

from core.models import Record, mended
from core.storage.database import Database
from core.storage.tables import (
    CallRow,
    DetailRequestRow,
    ExplanationRow,
    FeedbackHistoryRow,
    FeedbackRow,
    PersonRow,
    PostRow,
    PreferencesRow,
    ReportRow,
    SpentRow,
    ThreadRow,
    TurnRow,
)

BATCH = 100  # turns erased in one transaction
KEPT_S = 2 * 86_400.0  # an empty row stays for this long

_HANGING = (CallRow, ExplanationRow, DetailRequestRow, FeedbackRow, FeedbackHistoryRow, ReportRow)


@dataclass(frozen=True)
class Forgotten:
    """The ids of turns that are erased, and of later ones that have lost what was made of them."""

    turns: tuple[str, ...] = ()
    mended: tuple[str, ...] = ()

    def __add__(self, other: Forgotten) -> Forgotten:
        return Forgotten(self.turns + other.turns, self.mended + other.mended)


def forget(database: Database, thread_id: str, user: str) -> Forgotten:
    """Erase all that this person has asked in the thread.

    SQL is clean when this returns. Our messages in Slack are taken back by the speaker, whom the sweeper tells.
    """
    return _forget_all(database, col(TurnRow.thread_id) == thread_id, col(TurnRow.user) == user)


def forget_turn(database: Database, turn_id: str, user: str) -> Forgotten:
    """Erase one turn; nothing happens unless this person asked it."""
    return _forget_all(database, col(TurnRow.id) == turn_id, col(TurnRow.user) == user)


def forget_person(database: Database, team: str, user: str) -> Forgotten:
    """Erase all that this person has asked, the votes on others' answers, and what Slack told of the person."""
    forgotten = _forget_all(database, col(TurnRow.team) == team, col(TurnRow.user) == user)
    today = time.strftime("%Y-%m-%d", time.gmtime())
    with database.session() as session:
        for table in (FeedbackRow, FeedbackHistoryRow, DetailRequestRow, ReportRow):
            session.exec(
                delete(table).where(
                    col(table.user) == user, col(table.turn_id).in_(_turns_of(team))
                )
            )
        asked_for = update(ExplanationRow).where(col(ExplanationRow.requested_by) == user)
        session.exec(
            asked_for.where(col(ExplanationRow.turn_id).in_(_turns_of(team))).values(
                requested_by=""
            )
        )
        session.exec(
            delete(PersonRow).where(col(PersonRow.team) == team, col(PersonRow.user) == user)
        )
        session.exec(
            delete(PreferencesRow).where(
                col(PreferencesRow.team) == team, col(PreferencesRow.owner) == user
            )
        )
        session.exec(
            delete(SpentRow).where(
                col(SpentRow.team) == team, col(SpentRow.user) == user, col(SpentRow.day) < today
            )
        )
    database.leave_no_trace()
    return forgotten


def forget_old(database: Database, before: float) -> int:
    """Erase a batch of the turns asked before this time, rows and all; how many there were.

    Our messages in Slack stay: how long those are kept is a setting of Slack's.
    """
    with database.session() as session:
        old = (
            select(TurnRow)
            .where(TurnRow.asked_at < before, TurnRow.state != "waiting")
            .order_by(col(TurnRow.asked_at))
        )
        rows = session.exec(old.limit(BATCH).with_for_update()).all()
        _erase(session, rows)
        _mend_later(session, rows, in_slack=False)
        _drop(session, [row.id for row in rows])
    return len(rows)


def drop_empty(database: Database) -> int:
    """Remove a batch of the rows that forgotten turns have left and that nobody needs any more; how many there were."""
    with database.session() as session:
        over = (
            col(TurnRow.delivered_at).is_not(None),
            col(TurnRow.finished_at) < time.time() - KEPT_S,
        )
        ids = session.exec(
            select(TurnRow.id).where(TurnRow.state == "forgotten", *over).limit(BATCH)
        ).all()
        _drop(session, ids)
    return len(ids)


def taken_back(database: Database, turn_id: str) -> None:
    """Write down that none of our messages about a forgotten turn is left in Slack."""
    with database.session() as session:
        session.exec(delete(PostRow).where(col(PostRow.turn_id) == turn_id))
        forgotten = update(TurnRow).where(
            col(TurnRow.id) == turn_id, col(TurnRow.state) == "forgotten"
        )
        session.exec(forgotten.values(delivered_at=time.time()))


def _turns_of(team: str) -> Any:
    return select(TurnRow.id).where(TurnRow.team == team)


def _forget_all(database: Database, *which: ColumnElement[bool]) -> Forgotten:
    """Batch after batch, so that nobody who asks meanwhile waits for long."""
    forgotten = Forgotten()
    while batch := _forget_batch(database, *which):
        forgotten += batch
    database.leave_no_trace()
    return forgotten


def _forget_batch(database: Database, *which: ColumnElement[bool]) -> Forgotten | None:
    with database.session() as session:
        asked = (
            select(TurnRow)
            .where(*which, TurnRow.state != "forgotten")
            .order_by(col(TurnRow.asked_at))
        )
        rows = list(session.exec(asked.limit(BATCH).with_for_update()).all())
        if not rows:
            return None
        rows += _repeated(session, rows)
        _erase(session, rows)
        return Forgotten(
            tuple(row.id for row in rows), tuple(_mend_later(session, rows, in_slack=True))
        )


def _repeated(session: Session, rows: Sequence[TurnRow]) -> list[TurnRow]:
    """The same questions, asked once more by somebody who pressed a button: the words are those of whoever asked first."""
    known = {row.id for row in rows}
    questions = {(row.thread_id, row.question) for row in rows}
    pressed = select(TurnRow).where(
        col(TurnRow.thread_id).in_({row.thread_id for row in rows}), col(TurnRow.by_button)
    )
    found = session.exec(pressed.with_for_update()).all()
    return [
        row for row in found if row.id not in known and (row.thread_id, row.question) in questions
    ]


def _erase(session: Session, rows: Sequence[TurnRow]) -> None:
    """Leave of these turns nothing but where they stood; the empty row waits for its messages to be taken back."""
    ids = [row.id for row in rows]
    for table in _HANGING:
        session.exec(delete(table).where(col(table.turn_id).in_(ids)))
    empty = {"question": "", "record": None, "reason": "", "hidden": False, "state": "forgotten"}
    when = {
        "finished_at": time.time(),
        "delivered_at": None,
        "delivery_enqueued_at": 0.0,
    }  # 0: the sweeper need not wait
    session.exec(update(TurnRow).where(col(TurnRow.id).in_(ids)).values(**empty, **when))


def _mend_later(session: Session, rows: Sequence[TurnRow], *, in_slack: bool) -> list[str]:
    """Take what was made of these turns from the later ones of their threads; the ids of those that have changed."""
    since: dict[str, float] = {}
    for row in rows:
        since[row.thread_id] = min(row.asked_at, since.get(row.thread_id, row.asked_at))
    there = select(TurnRow).where(
        col(TurnRow.thread_id).in_(since), col(TurnRow.state).in_(("waiting", "done"))
    )
    later = [
        row
        for row in session.exec(there.with_for_update()).all()
        if row.asked_at > since[row.thread_id]
    ]
    for row in later:
        row.edition += 1  # whoever is just answering or showing it notices
    return [row.id for row in later if _mend(session, row, in_slack=in_slack)]


def _mend(session: Session, row: TurnRow, *, in_slack: bool) -> bool:
    """Whether there was anything to mend; what Slack shows is then said once more, without it."""
    before = Record.model_validate(row.record) if row.record else None
    after = before and mended(before)
    if after is None or after == before:
        return False
    row.record = after.model_dump(mode="json")
    session.exec(delete(CallRow).where(col(CallRow.turn_id) == row.id))
    waiting = update(ExplanationRow).where(
        col(ExplanationRow.turn_id) == row.id, col(ExplanationRow.state) == "waiting"
    )
    session.exec(waiting.values(state="failed", reason="forgotten"))
    if in_slack:
        row.delivered_at, row.delivery_enqueued_at = None, 0.0
    return True


def _drop(session: Session, ids: Iterable[str]) -> None:
    """Remove the empty rows, and the threads that have no other."""
    ids = list(ids)
    threads = set(session.exec(select(TurnRow.thread_id).where(col(TurnRow.id).in_(ids))).all())
    session.exec(delete(PostRow).where(col(PostRow.turn_id).in_(ids)))
    session.exec(delete(TurnRow).where(col(TurnRow.id).in_(ids)))
    left = exists().where(col(TurnRow.thread_id) == col(ThreadRow.id))
    session.exec(delete(ThreadRow).where(col(ThreadRow.id).in_(threads), ~left))
