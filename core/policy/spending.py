"""Spending: what model calls have cost today by person, and whether the budget is used up.

Counted when a call is paid, checked before the next question. A day is UTC. What is under way when
a limit is reached is finished, so a day may cost a little more than its limit.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from sqlalchemy import func
from sqlalchemy.exc import IntegrityError
from sqlmodel import col, delete, select, update

from core.settings import Settings
from core.storage import clock
from core.storage.database import Database
from core.storage.people_tables import SpentRow
from core.usage import Usage

KEPT_DAYS = 7


@dataclass(frozen=True)
class Spent:
    """Tokens in and out, and what they cost by PRICES."""

    tokens: int = 0
    money: float = 0.0


def today(now: float | None = None) -> str:
    return time.strftime("%Y-%m-%d", time.gmtime(clock.now() if now is None else now))


def spend(
    database: Database,
    team: str,
    user: str,
    *,
    usage: Usage,
    money: float | None,
) -> None:
    """Count what this person's question or explanation cost; `money` is None without a price."""
    tokens = usage.prompt_tokens + usage.completion_tokens
    if not tokens:
        return
    paid = money or 0.0
    key = {"day": today(), "team": team, "user": user}
    row = update(SpentRow).filter_by(**key)
    add = row.values(
        tokens=SpentRow.tokens + tokens,
        money=SpentRow.money + paid,
    )
    try:
        with database.session() as session:
            if session.exec(add).rowcount == 0:
                session.add(SpentRow(**key, tokens=tokens, money=paid))
    except IntegrityError:  # the first of the day, twice at the same moment
        with database.session() as session:
            session.exec(add)


def spent(
    database: Database,
    team: str,
    user: str = "",
) -> Spent:
    """What has been paid today: for this person, or for everybody."""
    sums = select(
        func.sum(SpentRow.tokens),
        func.sum(SpentRow.money),
    )
    sums = sums.where(
        SpentRow.day == today(),
        SpentRow.team == team,
    )
    if user:
        sums = sums.where(SpentRow.user == user)
    with database.reading() as session:
        tokens, money = session.exec(sums).one()
    return Spent(tokens or 0, money or 0.0)


def is_used_up(
    database: Database,
    settings: Settings,
    team: str,
    user: str,
) -> bool:
    """Whether no model may be asked for this person any more today."""
    own = (settings.limit_person_tokens_per_day, settings.limit_person_money_per_day)
    all_together = (settings.limit_tokens_per_day, settings.limit_money_per_day)
    if _reached(database, team, user, own):
        return True
    return _reached(database, team, "", all_together)


def drop_old(database: Database) -> None:
    oldest = today(clock.now() - KEPT_DAYS * 86_400)
    with database.session() as session:
        session.exec(delete(SpentRow).where(col(SpentRow.day) < oldest))


def _reached(
    database: Database,
    team: str,
    user: str,
    limits: tuple[int, float],
) -> bool:
    """0 is no limit, and then nothing is looked up."""
    if not any(limits):
        return False
    most_tokens, most_money = limits
    so_far = spent(database, team, user)
    if most_tokens and so_far.tokens >= most_tokens:
        return True
    return bool(most_money) and so_far.money >= most_money
