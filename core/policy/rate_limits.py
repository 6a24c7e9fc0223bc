"""Rate limits: how many questions a person, a channel and the workspace may ask.

Counted in the very transaction that saves a question. The window of an hour slides, a day is UTC.
A question that was refused for a limit does not count, so a limit ends when it says it will.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from sqlalchemy import ColumnElement
from sqlmodel import Session, col, select

from core.settings import Settings
from core.states import NoAnswer
from core.storage.tables import TurnRow

HOUR_S = 3600.0
DAY_S = 86_400.0
# Reasons of questions that are not answered, so they use up nobody else's quota.
OTHERWISE_REFUSED = (NoAnswer.GUEST, NoAnswer.EXTERNAL, NoAnswer.STRANGER)
OF_LIMITS = (NoAnswer.LIMIT_PERSON, NoAnswer.LIMIT_CHANNEL, NoAnswer.LIMIT_DAY)


@dataclass(frozen=True)
class Limits:
    """Questions; 0 is no limit."""

    person_per_hour: int = 0
    channel_per_hour: int = 0
    per_day: int = 0

    @classmethod
    def of(cls, settings: Settings) -> Limits:
        return cls(
            person_per_hour=settings.limit_person_per_hour,
            channel_per_hour=settings.limit_channel_per_hour,
            per_day=settings.limit_per_day,
        )


NONE = Limits()


@dataclass(frozen=True)
class Refusal:
    """Which limit is reached, and when it will not be any more."""

    reason: NoAnswer
    until: float
    announced: bool = False  # the person knows already


def refusal(
    session: Session,
    turn: TurnRow,
    limits: Limits,
) -> Refusal | None:
    """Why this question, not saved yet, is one too many: the reached limit that lasts longest."""
    reached = list(_reached(session, turn, limits))
    if not reached:
        return None
    longest = max(reached, key=lambda each: each.until)
    announced = _is_announced(session, turn, longest.reason)
    return replace(longest, announced=announced)


def _reached(
    session: Session,
    turn: TurnRow,
    limits: Limits,
) -> Iterator[Refusal]:
    now = turn.asked_at
    hour_ago = now - HOUR_S
    midnight = now - now % DAY_S
    in_team = TurnRow.team == turn.team
    by_user = TurnRow.user == turn.user
    in_channel = TurnRow.channel == turn.channel
    answered = col(TurnRow.reason).not_in(OTHERWISE_REFUSED)
    first = _first_of(session, limits.person_per_hour, hour_ago, in_team, by_user)
    if first:
        yield Refusal(NoAnswer.LIMIT_PERSON, first + HOUR_S)
    first = _first_of(session, limits.channel_per_hour, hour_ago, in_team, in_channel, answered)
    if first:
        yield Refusal(NoAnswer.LIMIT_CHANNEL, first + HOUR_S)
    if _first_of(session, limits.per_day, midnight, in_team, answered):
        yield Refusal(NoAnswer.LIMIT_DAY, midnight + DAY_S)


def _first_of(
    session: Session,
    limit: int,
    since: float,
    *which: ColumnElement[bool] | bool,
) -> float | None:
    """When the oldest of the last `limit` questions was asked.

    None when there were fewer since then, or when there is no limit.
    """
    if not limit:
        return None
    within_limits = col(TurnRow.reason).not_in(OF_LIMITS)
    counted = select(TurnRow.asked_at).where(
        *which,
        TurnRow.asked_at > since,
        within_limits,
    )
    newest_first = counted.order_by(col(TurnRow.asked_at).desc())
    last_counted = newest_first.offset(limit - 1).limit(1)
    return session.exec(last_counted).first()


def _is_announced(
    session: Session,
    turn: TurnRow,
    reason: NoAnswer,
) -> bool:
    """Whether this person was told of this limit in this channel, and it has not ended since."""
    refused = select(TurnRow.refused_until).where(
        TurnRow.team == turn.team,
        TurnRow.user == turn.user,
        TurnRow.channel == turn.channel,
        TurnRow.asked_at > turn.asked_at - DAY_S,
        TurnRow.reason == reason,
    )
    newest_first = refused.order_by(col(TurnRow.asked_at).desc())
    ends_at = session.exec(newest_first.limit(1)).first()
    return ends_at is not None and ends_at > turn.asked_at
