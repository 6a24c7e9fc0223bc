"""The budget of a person: whether it is spent, and which cost counts against it."""

from __future__ import annotations

from core.policy import spending
from core.policy.prices import cost
from core.turns.turn import Turn
from core.usage import Usage
from worker.bootstrap import WorkerParts


def is_over(
    parts: WorkerParts,
    turn: Turn,
    user: str,
) -> bool:
    return spending.is_used_up(parts.database, parts.settings, turn.address.team, user)


def charge(
    parts: WorkerParts,
    turn: Turn,
    user: str,
    usage: Usage,
    *,
    model: str,
) -> None:
    """Count against this person's budget."""
    money = cost(usage, model, parts.settings.prices)
    spending.spend(
        parts.database,
        turn.address.team,
        user,
        usage=usage,
        money=money,
    )
