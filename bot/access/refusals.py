"""Refusals of what was asked, and of people for who they are, which are written down."""

from __future__ import annotations

from core.policy import audit as audit_log
from core.policy.audit import Act
from core.states import NoAnswer
from core.storage.database import Database
from core.turns.turn import Turn

MAX_QUESTION = 4000  # characters; Slack lets people write ten times as much
# Reasons of a refusal that are of the person, and not of the question or a limit.
FOR_WHO_THEY_ARE = (
    NoAnswer.GUEST,
    NoAnswer.EXTERNAL,
    NoAnswer.STRANGER,
    NoAnswer.ONLY_MEMBERS,
    NoAnswer.ONLY_ADMINS,
    NoAnswer.ONLY_LISTED,
    NoAnswer.UNKNOWN_ASKER,
)


def audit(database: Database, turn: Turn, user: str, refused: NoAnswer | None) -> None:
    """Write down who was refused for who they are; `turn` is what they asked, or asked by."""
    if refused in FOR_WHO_THEY_ARE:
        audit_log.write(
            database,
            Act.REFUSED,
            team=turn.address.team,
            actor=user,
            subject=turn.id,
            details={"why": str(refused)},
        )


def of_text(asked: str) -> NoAnswer | None:
    """Why this cannot be answered; None when it can."""
    if not asked:
        return NoAnswer.EMPTY
    return NoAnswer.TOO_LONG if len(asked) > MAX_QUESTION else None
