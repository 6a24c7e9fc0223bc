"""Explanations by turn: asked for by many, computed once, kept."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy.exc import IntegrityError
from sqlmodel import col, delete, select, update

from core import metrics
from core.attribution import Explanation
from core.models import Usage
from core.storage.database import Database
from core.storage.tables import CallRow, ExplanationRow
from core.turns.turn_store import is_there


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
    has_picture: bool = False


@dataclass(frozen=True)
class Call:
    """What a model said without some evidence: `key` tells which and to which model, `repeat` counts from 0."""

    key: str
    repeat: int
    text: str
    usage: Usage


def request(database: Database, turn_id: str, user: str) -> bool:
    """Ask for the explanation of a turn; False when somebody did before (a failed one may be asked for again), or it is forgotten."""
    try:
        with database.session() as session:
            if not is_there(session, turn_id):
                return False
            row = session.get(ExplanationRow, turn_id)
            if row is not None and row.state != "failed":
                return False
            if row is not None:
                session.delete(row)
                session.flush()
            session.add(ExplanationRow(turn_id=turn_id, requested_by=user))
    except IntegrityError:
        return False  # two people at the same moment
    metrics.EXPLANATIONS.inc()
    return True


def load(database: Database, turn_id: str) -> Request | None:
    with database.reading() as session:
        row = session.get(ExplanationRow, turn_id)
        return _request(row) if row else None


def start(database: Database, turn_id: str) -> int:
    """Count an attempt, and say how many there were with it; 0 when it was forgotten at this moment."""
    with database.session() as session:
        row = session.get(ExplanationRow, turn_id)
        if row is None:
            return 0
        row.attempts += 1
        return row.attempts


def save(database: Database, explanation: Explanation, picture: bytes | None = None) -> bool:
    """Keep the result, and forget the calls it was made from; False when nobody waits for it any more."""
    saved = _finish(
        database,
        explanation.turn_id,
        state="done",
        result=explanation.model_dump(mode="json"),
        picture=picture,
    )
    if saved:
        with database.session() as session:
            session.exec(delete(CallRow).where(col(CallRow.turn_id) == explanation.turn_id))
    return saved


def fail(database: Database, turn_id: str, reason: str) -> bool:
    """End it without a result; its finished calls stay for the next who asks. A person who stops it gives the reason `stopped`."""
    return _finish(database, turn_id, state="failed", reason=reason)


def picture(database: Database, turn_id: str) -> bytes | None:
    """The effects as PNG."""
    with database.reading() as session:
        row = session.get(ExplanationRow, turn_id)
        return row.picture if row else None


def save_call(database: Database, turn_id: str, call: Call) -> None:
    """Keep a finished call, unless nobody waits for the explanation any more: it may have been forgotten."""
    with database.session() as session:
        row = session.get(ExplanationRow, turn_id, with_for_update=True)
        if row is None or row.state != "waiting":
            return
        usage = call.usage.model_dump()
        session.merge(
            CallRow(turn_id=turn_id, key=call.key, repeat=call.repeat, text=call.text, usage=usage)
        )


def calls(database: Database, turn_id: str) -> Mapping[tuple[str, int], Call]:
    """The finished calls of an explanation that is not finished, by key and repeat."""
    with database.reading() as session:
        rows = session.exec(select(CallRow).where(CallRow.turn_id == turn_id)).all()
        return {
            (row.key, row.repeat): Call(
                row.key, row.repeat, row.text, Usage.model_validate(row.usage)
            )
            for row in rows
        }


def deliver_later(database: Database, turn_id: str, wait_s: float) -> None:
    """Let nobody try to deliver this before so many seconds have passed."""
    with database.session() as session:
        later = update(ExplanationRow).where(col(ExplanationRow.turn_id) == turn_id)
        session.exec(later.values(delivery_enqueued_at=time.time() + wait_s))


def delivered(database: Database, turn_id: str) -> None:
    """Write down that the final text stands in Slack."""
    with database.session() as session:
        session.exec(
            update(ExplanationRow)
            .where(col(ExplanationRow.turn_id) == turn_id)
            .values(delivered_at=time.time())
        )


def _finish(database: Database, turn_id: str, **values: object) -> bool:
    with database.session() as session:
        waiting = update(ExplanationRow).where(
            col(ExplanationRow.turn_id) == turn_id, col(ExplanationRow.state) == "waiting"
        )
        finished = session.exec(waiting.values(**values)).rowcount == 1
    if finished:
        metrics.EXPLAINED.labels(values.get("reason") or values["state"]).inc()
    return finished


def _request(row: ExplanationRow) -> Request:
    return Request(
        turn_id=row.turn_id,
        requested_by=row.requested_by,
        requested_at=row.requested_at,
        state=row.state,
        delivered=row.delivered_at is not None,
        reason=row.reason,
        result=Explanation.model_validate(row.result) if row.result else None,
        has_picture=row.picture is not None,
    )
