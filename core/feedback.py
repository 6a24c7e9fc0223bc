"""Votes on answers: one per user and answer, the last one wins, the history is kept."""

from __future__ import annotations

import time

from sqlmodel import select

from core.database import Database
from core.models import Vote
from core.tables import FeedbackHistoryRow, FeedbackRow


def record(database: Database, turn_id: str, user: str, vote: Vote, *, by: str, at: float | None = None) -> None:
    """Save a vote; `by` says whether it came from a button or a reaction, `at` when it was cast, by default now.

    Two quick presses may be handled in any order: the one that was cast last counts.
    """
    cast = time.time() if at is None else at
    with database.session() as session:
        session.add(FeedbackHistoryRow(turn_id=turn_id, user=user, vote=vote, by=by, at=cast))
        known = session.get(FeedbackRow, (turn_id, user))
        if known is None or known.at <= cast:
            session.merge(FeedbackRow(turn_id=turn_id, user=user, vote=vote, at=cast))


def withdraw(database: Database, turn_id: str, user: str, vote: Vote, *, by: str) -> None:
    """Take a vote back, unless the user has voted differently since."""
    with database.session() as session:
        row = session.get(FeedbackRow, (turn_id, user))
        if row is None or row.vote != vote:
            return
        session.delete(row)
        session.add(FeedbackHistoryRow(turn_id=turn_id, user=user, vote="", by=by))


def votes(database: Database, turn_id: str) -> dict[str, Vote]:
    """The vote that counts, by user."""
    with database.reading() as session:
        rows = session.exec(select(FeedbackRow).where(FeedbackRow.turn_id == turn_id)).all()
        return {row.user: Vote(row.vote) for row in rows}
