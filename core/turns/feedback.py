"""Feedback: one vote per user and answer, the last one wins, the history is kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import and_, or_
from sqlmodel import Session, col, select

from core import metrics
from core.jobs.leases import fenced
from core.states import Vote, VoteBy
from core.storage import clock
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
    by: VoteBy,
    at: float | None = None,
    reason: str = "",
) -> None:
    """Save a vote, cast `at` this time (default: now) `by` a button or a reaction.

    Two quick presses may be handled in any order: the one that was cast last counts. The `reason`
    is in the words of whoever voted, and may come later with the same vote once more; the same
    vote without one keeps it. A vote on a forgotten turn is not saved.
    """
    cast_at = clock.now() if at is None else at
    row = FeedbackRow(
        turn_id=turn_id,
        user=user,
        vote=vote,
        by=by,
        reason=reason,
        at=cast_at,
    )
    with fenced(database) as session:
        if not is_there(session, turn_id):
            return
        session.add(FeedbackHistoryRow(**row.model_dump()))
        known = session.get(FeedbackRow, (turn_id, user))
        if known is None or known.at <= cast_at:
            if known and known.vote == vote:
                row.reason = reason or known.reason
            session.merge(row)
    metrics.VOTES.labels(vote.value, by).inc()


def give_reason(
    database: Database,
    turn_id: str,
    user: str,
    reason: str,
) -> bool:
    """Save why a user voted an answer down; False when that vote does not count any more."""
    with fenced(database) as session:
        row = _locked(session, turn_id, user)
        if row is None or row.vote != Vote.DOWN:
            return False
        row.reason = reason
        history = FeedbackHistoryRow(
            turn_id=turn_id,
            user=user,
            vote=row.vote,
            by=row.by,
        )
        history.reason = reason
        session.add(history)
        return True


def withdraw(
    database: Database,
    turn_id: str,
    user: str,
    vote: Vote,
    *,
    by: VoteBy,
) -> None:
    """Take a vote back, unless the user has voted differently since."""
    with fenced(database) as session:
        row = _locked(session, turn_id, user)
        if row is None or row.vote != vote:
            return
        session.delete(row)
        session.add(
            FeedbackHistoryRow(
                turn_id=turn_id,
                user=user,
                vote="",
                by=by,
            )
        )


def _locked(session: Session, turn_id: str, user: str) -> FeedbackRow | None:
    """The vote that counts; the turn is locked first, as by everybody who saves one."""
    return session.get(FeedbackRow, (turn_id, user)) if is_there(session, turn_id) else None


@dataclass(frozen=True)
class PastVote:
    """A vote as it was once cast or given a reason, or that it was taken back."""

    user: str
    vote: Vote | None  # None: taken back
    by: str
    reason: str
    at: float


@dataclass(frozen=True)
class CastVote:
    """A vote that counts, with how, when and why it was cast."""

    turn_id: str
    user: str
    vote: Vote
    by: VoteBy
    reason: str
    at: float


def cast_since(
    database: Database, since: float, *, batch: int = 100
) -> Iterator[tuple[CastVote, Turn]]:
    """The votes that count and were cast since then, each with its turn, in order of turns.

    Read from SQL in batches, so that few are in memory at once.
    """
    last = ("", "")
    while casts := _batch(database, since, last, batch):
        turns: dict[str, Turn | None] = {}
        for cast in casts:
            if cast.turn_id not in turns:
                turns[cast.turn_id] = turn_store.load(database, cast.turn_id)
            turn = turns[cast.turn_id]
            if turn:
                yield cast, turn
        last = casts[-1].turn_id, casts[-1].user


def _batch(
    database: Database,
    since: float,
    last: tuple[str, str],
    most: int,
) -> list[CastVote]:
    """At most `most` votes cast since then that come after the (turn, user) `last`."""
    turn_id, user = col(FeedbackRow.turn_id), col(FeedbackRow.user)
    last_turn, last_user = last
    after_last = or_(turn_id > last_turn, and_(turn_id == last_turn, user > last_user))
    casts = select(FeedbackRow).where(
        FeedbackRow.at >= since,
        after_last,
    )
    page = casts.order_by(turn_id, user).limit(most)
    with database.reading() as session:
        return [_cast_vote(row) for row in session.exec(page).all()]


def _cast_vote(row: FeedbackRow) -> CastVote:
    return CastVote(
        turn_id=row.turn_id,
        user=row.user,
        vote=Vote(row.vote),
        by=VoteBy(row.by),
        reason=row.reason,
        at=row.at,
    )


def of_turn(database: Database, turn_id: str) -> tuple[CastVote, ...]:
    """The votes on an answer that count, the oldest first."""
    query = select(FeedbackRow).where(FeedbackRow.turn_id == turn_id)
    with database.reading() as session:
        rows = session.exec(query.order_by(col(FeedbackRow.at))).all()
    return tuple(_cast_vote(row) for row in rows)


def history(database: Database, turn_id: str) -> tuple[PastVote, ...]:
    """How the votes on an answer came about, the oldest first."""
    query = select(FeedbackHistoryRow).where(FeedbackHistoryRow.turn_id == turn_id)
    with database.reading() as session:
        rows = session.exec(query.order_by(col(FeedbackHistoryRow.at))).all()
    return tuple(_past_vote(row) for row in rows)


def _past_vote(row: FeedbackHistoryRow) -> PastVote:
    return PastVote(
        user=row.user,
        vote=Vote(row.vote) if row.vote else None,
        by=row.by,
        reason=row.reason,
        at=row.at,
    )
