"""Rate limits: how many questions a person, a channel and the workspace may ask.

Counted in the very transaction that saves a question. The window of an hour slides, a day is UTC.
A question that was refused for a limit does not count, so a limit ends when it says it will.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import ColumnElement
from sqlmodel import Session, col, select

from core.settings import Settings
from core.storage.tables import TurnRow

HOUR_S = 3600.0
DAY_S = 86_400.0
# Reasons of questions that are not answered, so they use up nobody else's quota.
OTHERWISE_REFUSED = ("guest", "external", "stranger")


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

    key: str  # limit_person | limit_channel | limit_day
    until: float
    announced: bool = False  # the person knows already

    @property
    def reason(self) -> str:
        """What is saved with the turn.

        >>> Refusal("limit_day", 1795305600.0).reason
        'limit_day@1795305600'
        """
        return f"{self.key}@{self.until:.0f}"


def until(reason: str) -> tuple[str, float]:
    """The key of a saved reason, and the time in it; 0 where there is none.

    >>> until("limit_day@1795305600")
    ('limit_day', 1795305600.0)
    >>> until("late")
    ('late', 0.0)
    """
    key, _, when = reason.partition("@")
    return key, float(when or 0)


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
    announced = _is_announced(session, turn, longest.key)
    return Refusal(longest.key, longest.until, announced=announced)


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
        yield Refusal("limit_person", first + HOUR_S)
    first = _first_of(session, limits.channel_per_hour, hour_ago, in_team, in_channel, answered)
    if first:
        yield Refusal("limit_channel", first + HOUR_S)
    if _first_of(session, limits.per_day, midnight, in_team, answered):
        yield Refusal("limit_day", midnight + DAY_S)


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
    within_limits = col(TurnRow.reason).not_like("limit%")
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
    key: str,
) -> bool:
    """Whether this person was told of this limit in this channel, and it has not ended since."""
    refused = select(TurnRow.reason).where(
        TurnRow.team == turn.team,
        TurnRow.user == turn.user,
        TurnRow.channel == turn.channel,
        TurnRow.asked_at > turn.asked_at - DAY_S,
        col(TurnRow.reason).like(f"{key}@%"),
    )
    newest_first = refused.order_by(col(TurnRow.asked_at).desc())
    last = session.exec(newest_first.limit(1)).first()
    if last is None:
        return False
    _, ends_at = until(last)
    return ends_at > turn.asked_at
