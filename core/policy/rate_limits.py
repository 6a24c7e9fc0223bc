"""How many questions a person, a channel and the workspace may ask: counted in the very transaction that saves a question.

The window of an hour slides, a day is UTC. What was refused for its number counts nothing, so a limit ends when it says it will.
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
OTHERWISE_REFUSED = (
    "guest",
    "external",
    "stranger",
)  # these are not answered, so they use up nobody else's questions


@dataclass(frozen=True)
class Limits:
    """Questions; 0 is no limit."""

    person_per_hour: int = 0
    channel_per_hour: int = 0
    per_day: int = 0

    @classmethod
    def of(cls, settings: Settings) -> Limits:
        return cls(
            settings.limit_person_per_hour, settings.limit_channel_per_hour, settings.limit_per_day
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


def refusal(session: Session, turn: TurnRow, limits: Limits) -> Refusal | None:
    """Why this question, which is not saved yet, is one too many; of several limits the one that lasts longest."""
    found = max(_reached(session, turn, limits), key=lambda each: each.until, default=None)
    return found and Refusal(
        found.key, found.until, announced=_is_announced(session, turn, found.key)
    )


def _reached(session: Session, turn: TurnRow, limits: Limits) -> Iterator[Refusal]:
    now = turn.asked_at
    mine = (TurnRow.team == turn.team, TurnRow.user == turn.user)
    here = (TurnRow.team == turn.team, TurnRow.channel == turn.channel, _answered())
    everywhere = (TurnRow.team == turn.team, _answered())
    midnight = now - now % DAY_S
    if first := _first_of(session, limits.person_per_hour, now - HOUR_S, *mine):
        yield Refusal("limit_person", first + HOUR_S)
    if first := _first_of(session, limits.channel_per_hour, now - HOUR_S, *here):
        yield Refusal("limit_channel", first + HOUR_S)
    if _first_of(session, limits.per_day, midnight, *everywhere):
        yield Refusal("limit_day", midnight + DAY_S)


def _first_of(
    session: Session, limit: int, since: float, *which: ColumnElement[bool] | bool
) -> float | None:
    """When the oldest of the last `limit` questions was asked; None when there were fewer since then, or there is no limit."""
    if not limit:
        return None
    counted = select(TurnRow.asked_at).where(
        *which, TurnRow.asked_at > since, col(TurnRow.reason).not_like("limit%")
    )
    return session.exec(
        counted.order_by(col(TurnRow.asked_at).desc()).offset(limit - 1).limit(1)
    ).first()


def _answered() -> ColumnElement[bool]:
    return col(TurnRow.reason).not_in(OTHERWISE_REFUSED)


def _is_announced(session: Session, turn: TurnRow, key: str) -> bool:
    """Whether this person was told of this limit, in this channel, and of a time that is not over yet."""
    mine = (TurnRow.team == turn.team, TurnRow.user == turn.user, TurnRow.channel == turn.channel)
    told = select(TurnRow.reason).where(*mine, col(TurnRow.reason).like(f"{key}@%"))
    recent = told.where(TurnRow.asked_at > turn.asked_at - DAY_S).order_by(
        col(TurnRow.asked_at).desc()
    )
    last = session.exec(recent.limit(1)).first()
    return last is not None and until(last)[1] > turn.asked_at
