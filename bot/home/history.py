"""The conversations of one person as App Home lists them, and hiding them there.

What is hidden is the person's own turns, so a new question in a hidden conversation brings it back.
core.turns.erasure deletes for good.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, case, func
from sqlmodel import Session, col, select, update

from core.access import disclosure
from core.access.disclosure import NOTHING, Disclosure
from core.states import TurnState
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
    question_shows: Disclosure  # what it gives away, where a button asked it
    turns: int  # the person's
    asked_at: float  # the last one
    private: bool
    hidden: bool


def conversations_of(
    database: Database,
    team: str,
    user: str,
    *,
    hidden: bool = False,
    limit: int = MOST,
) -> tuple[Conversation, ...]:
    """The person's conversations that are hidden, or those that are not; the latest first."""
    one_if_hidden = case((col(TurnRow.hidden), 1), else_=0)
    hidden_turns = func.sum(one_if_hidden)
    all_turns = func.count(col(TurnRow.id))
    last = func.max(TurnRow.asked_at)
    mine = (
        select(TurnRow.thread_id, all_turns, last)
        .where(TurnRow.team == team, *_of(user))
        .group_by(col(TurnRow.thread_id))
    )
    is_hidden = hidden_turns == all_turns
    wanted = mine.having(is_hidden if hidden else hidden_turns < all_turns)
    latest_first = wanted.order_by(last.desc()).limit(limit)
    conversations = []
    with database.reading() as session:
        found = session.exec(latest_first).all()
        thread_ids = [row[0] for row in found]
        first = _first(session, user, thread_ids)
    for thread_id, turns, asked_at in found:
        turn, thread = first[thread_id]
        conversation = _conversation(turn, thread, turns, asked_at, hidden)
        conversations.append(conversation)
    return tuple(conversations)


def hide(database: Database, thread_id: str, user: str) -> bool:
    """Hide the conversation from its person; False when the person has asked nothing there."""
    return _mark(database, thread_id, user, hidden=True)


def restore(database: Database, thread_id: str, user: str) -> bool:
    """Show it again; False when the person has asked nothing there."""
    return _mark(database, thread_id, user, hidden=False)


def _of(user: str) -> tuple[ColumnElement[bool], ...]:
    gone = (TurnState.FORGOTTEN, TurnState.REPLACED)
    return (col(TurnRow.user) == user, col(TurnRow.state).not_in(gone))


def _mark(database: Database, thread_id: str, user: str, *, hidden: bool) -> bool:
    in_thread = col(TurnRow.thread_id) == thread_id
    statement = update(TurnRow).where(in_thread, *_of(user))
    with database.session() as session:
        result = session.exec(statement.values(hidden=hidden))
        return result.rowcount > 0


def _first(
    session: Session, user: str, thread_ids: Sequence[str]
) -> dict[str, tuple[TurnRow, ThreadRow]]:
    """The person's first turn in each thread."""
    in_threads = col(TurnRow.thread_id).in_(thread_ids)
    rows: Any = select(TurnRow, ThreadRow).join(ThreadRow).where(in_threads, *_of(user))
    latest_first = rows.order_by(col(TurnRow.asked_at).desc())
    first = {}
    for turn, thread in session.exec(latest_first):  # an earlier turn replaces a later one
        first[turn.thread_id] = (turn, thread)
    return first


def _conversation(
    turn: TurnRow,
    thread: ThreadRow,
    turns: int,
    asked_at: float,
    hidden: bool,
) -> Conversation:
    asked_with = turn.question_shows
    return Conversation(
        thread_id=thread.id,
        channel=thread.channel,
        thread_ts=thread.thread_ts,
        question=turn.question,
        question_shows=disclosure.read(asked_with) if asked_with else NOTHING,
        turns=turns,
        asked_at=asked_at,
        private=turn.private,
        hidden=hidden,
    )
