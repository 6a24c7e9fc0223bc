"""Votes on answers: one per user and answer, the last one wins, the history is kept."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import and_, or_
from sqlmodel import col, select

from core import metrics
from core.models import Vote
from core.storage.database import Database
from core.storage.tables import FeedbackHistoryRow, FeedbackRow
from core.turns import turn_store
from core.turns.turn import Turn
from core.turns.turn_store import is_there


def record(
    database: Database,
    turn_id: str,
    user: str,
    vote: Vote,
    *,
    by: str,
    at: float | None = None,
    reason: str = "",
) -> None:
    """Save a vote; `by` says whether it came from a button or a reaction, `at` when it was cast, by default now.

    Two quick presses may be handled in any order: the one that was cast last counts. The `reason` is in the words of whoever
    voted, and may come later with the same vote once more; the same vote without one keeps it. A vote on what is forgotten is
    not written down.
    """
    cast = time.time() if at is None else at
    with database.session() as session:
        if not is_there(session, turn_id):
            return
        session.add(
            FeedbackHistoryRow(turn_id=turn_id, user=user, vote=vote, by=by, reason=reason, at=cast)
        )
        known = session.get(FeedbackRow, (turn_id, user))
        if known is None or known.at <= cast:
            same = known.reason if known and known.vote == vote else ""
            session.merge(
                FeedbackRow(
                    turn_id=turn_id, user=user, vote=vote, by=by, reason=reason or same, at=cast
                )
            )
    metrics.VOTES.labels(vote.value, by).inc()


def give_reason(database: Database, turn_id: str, user: str, reason: str) -> bool:
    """Save why a user is against an answer; False when the vote that counts is none against it any more."""
    with database.session() as session:
        row = session.get(FeedbackRow, (turn_id, user), with_for_update=True)
        if row is None or row.vote != Vote.DOWN:
            return False
        row.reason = reason
        session.add(
            FeedbackHistoryRow(turn_id=turn_id, user=user, vote=row.vote, by=row.by, reason=reason)
        )
        return True


def withdraw(database: Database, turn_id: str, user: str, vote: Vote, *, by: str) -> None:
    """Take a vote back, unless the user has voted differently since."""
    with database.session() as session:
        row = session.get(FeedbackRow, (turn_id, user))
        if row is None or row.vote != vote:
            return
        session.delete(row)
        session.add(FeedbackHistoryRow(turn_id=turn_id, user=user, vote="", by=by))


@dataclass(frozen=True)
class CastVote:
    """A vote that counts, with how, when and why it was cast."""

    turn_id: str
    user: str
    vote: Vote
    by: str
    reason: str
    at: float


def cast_since(
    database: Database, since: float, *, batch: int = 100
) -> Iterator[tuple[CastVote, Turn]]:
    """The votes that count and were cast at this time or later, each with its turn; by turn, and few at once in memory."""
    last = ("", "")
    while casts := _batch(database, since, last, batch):
        turns = {
            turn_id: turn_store.load(database, turn_id)
            for turn_id in {cast.turn_id for cast in casts}
        }
        yield from ((cast, turn) for cast in casts if (turn := turns[cast.turn_id]))
        last = casts[-1].turn_id, casts[-1].user


def _batch(database: Database, since: float, last: tuple[str, str], most: int) -> list[CastVote]:
    turn_id, user = col(FeedbackRow.turn_id), col(FeedbackRow.user)
    behind = or_(turn_id > last[0], and_(turn_id == last[0], user > last[1]))
    with database.reading() as session:
        rows = session.exec(
            select(FeedbackRow)
            .where(FeedbackRow.at >= since, behind)
            .order_by(turn_id, user)
            .limit(most)
        ).all()
    return [
        CastVote(row.turn_id, row.user, Vote(row.vote), row.by, row.reason, row.at) for row in rows
    ]


def votes(database: Database, turn_id: str) -> dict[str, Vote]:
    """The vote that counts, by user."""
    with database.reading() as session:
        rows = session.exec(select(FeedbackRow).where(FeedbackRow.turn_id == turn_id)).all()
        return {row.user: Vote(row.vote) for row in rows}
