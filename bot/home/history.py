"""The conversations of one person, as App Home lists them: put away and taken out again; see core.turns.erasure for good.

What is hidden is the person's own turns, so a new question in a hidden conversation brings it back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, case, func
from sqlmodel import Session, col, select, update

from core.storage.database import Database
from core.storage.tables import ThreadRow, TurnRow

MOST = 20  # conversations shown at once


@dataclass(frozen=True)
class Conversation:
    """What one person has asked in one thread."""

    thread_id: str
    channel: str
    thread_ts: str
    question: str  # the person's first one there, as asked
    turns: int  # the person's
    asked_at: float  # the last one
    private: bool
    hidden: bool


def conversations_of(
    database: Database, team: str, user: str, *, hidden: bool = False, limit: int = MOST
) -> tuple[Conversation, ...]:
    """The person's conversations that are hidden, or those that are not; the latest first."""
    hidden_turns = func.sum(case((col(TurnRow.hidden), 1), else_=0))
    all_turns = func.count(col(TurnRow.id))
    last = func.max(TurnRow.asked_at)
    mine = (
        select(TurnRow.thread_id, all_turns, last)
        .where(TurnRow.team == team, *_of(user))
        .group_by(col(TurnRow.thread_id))
    )
    wanted = mine.having(hidden_turns == all_turns if hidden else hidden_turns < all_turns)
    with database.reading() as session:
        found = session.exec(wanted.order_by(last.desc()).limit(limit)).all()
        first = _first(session, user, [thread_id for thread_id, _, _ in found])
    return tuple(
        _conversation(*first[thread_id], turns, asked_at, hidden)
        for thread_id, turns, asked_at in found
    )


def hide(database: Database, thread_id: str, user: str) -> bool:
    """Take the conversation from the person's list; False when the person has asked nothing there."""
    return _mark(database, thread_id, user, hidden=True)


def restore(database: Database, thread_id: str, user: str) -> bool:
    """Put it back; False when the person has asked nothing there."""
    return _mark(database, thread_id, user, hidden=False)


def _of(user: str) -> tuple[ColumnElement[bool], ...]:
    return (col(TurnRow.user) == user, col(TurnRow.state) != "forgotten")


def _mark(database: Database, thread_id: str, user: str, *, hidden: bool) -> bool:
    with database.session() as session:
        statement = update(TurnRow).where(col(TurnRow.thread_id) == thread_id, *_of(user))
        return session.exec(statement.values(hidden=hidden)).rowcount > 0


def _first(
    session: Session, user: str, thread_ids: Sequence[str]
) -> dict[str, tuple[TurnRow, ThreadRow]]:
    """The person's first turn in each thread."""
    rows: Any = (
        select(TurnRow, ThreadRow)
        .join(ThreadRow)
        .where(col(TurnRow.thread_id).in_(thread_ids), *_of(user))
    )
    latest_first = session.exec(rows.order_by(col(TurnRow.asked_at).desc())).all()
    return {turn.thread_id: (turn, thread) for turn, thread in latest_first}


def _conversation(
    turn: TurnRow, thread: ThreadRow, turns: int, asked_at: float, hidden: bool
) -> Conversation:
    return Conversation(
        thread.id,
        thread.channel,
        thread.thread_ts,
        turn.question,
        turns,
        asked_at,
        turn.private,
        hidden,
    )
