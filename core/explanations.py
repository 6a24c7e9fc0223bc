"""Explanations by turn: asked for by many, computed once, kept."""

from __future__ import annotations

import time
from dataclasses import dataclass

from sqlalchemy.exc import IntegrityError
from sqlmodel import col, update

from core.database import Database
from core.models import Explanation
from core.tables import ExplanationRow


@dataclass(frozen=True)
class Request:
    """An explanation that somebody asked for, and its result when there is one."""

    turn_id: str
    requested_by: str
    requested_at: float
    state: str  # waiting | done | failed
    delivered: bool
    reason: str = ""
    result: Explanation | None = None


def request(database: Database, turn_id: str, user: str) -> bool:
    """Ask for the explanation of a turn; False when somebody did before (a failed one may be asked for again)."""
    try:
        with database.session() as session:
            row = session.get(ExplanationRow, turn_id)
            if row is not None and row.state != "failed":
                return False
            if row is not None:
                session.delete(row)
                session.flush()
            session.add(ExplanationRow(turn_id=turn_id, requested_by=user))
        return True
    except IntegrityError:
        return False  # two people at the same moment


def load(database: Database, turn_id: str) -> Request | None:
    with database.reading() as session:
        row = session.get(ExplanationRow, turn_id)
        return _request(row) if row else None


def start(database: Database, turn_id: str) -> int:
    """Count an attempt, and say how many there were with it."""
    with database.session() as session:
        row = session.get_one(ExplanationRow, turn_id)
        row.attempts += 1
        return row.attempts


def save(database: Database, explanation: Explanation) -> bool:
    return _finish(database, explanation.turn_id, state="done", result=explanation.model_dump(mode="json"))


def fail(database: Database, turn_id: str, reason: str) -> bool:
    return _finish(database, turn_id, state="failed", reason=reason)


def delivered(database: Database, turn_id: str) -> None:
    """Write down that the final text stands in Slack."""
    with database.session() as session:
        session.get_one(ExplanationRow, turn_id).delivered_at = time.time()


def _finish(database: Database, turn_id: str, **values: object) -> bool:
    with database.session() as session:
        waiting = update(ExplanationRow).where(col(ExplanationRow.turn_id) == turn_id, col(ExplanationRow.state) == "waiting")
        return session.exec(waiting.values(**values)).rowcount == 1


def _request(row: ExplanationRow) -> Request:
    return Request(
        turn_id=row.turn_id,
        requested_by=row.requested_by,
        requested_at=row.requested_at,
        state=row.state,
        delivered=row.delivered_at is not None,
        reason=row.reason,
        result=Explanation.model_validate(row.result) if row.result else None,
    )
