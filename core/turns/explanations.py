"""Explanations in SQL: requested by many, computed once, kept; with the model calls made so far."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy.exc import IntegrityError
from sqlmodel import col, delete, select, update

from core import metrics
from core.attribution import Explanation, is_readable
from core.jobs.leases import fenced
from core.states import ExplanationState, NoExplanation
from core.storage import clock
from core.storage.database import Database
from core.storage.tables import CallRow, ExplanationRow
from core.storage.upsert import put
from core.turns.turn_store import is_there
from core.usage import Usage


@dataclass(frozen=True)
class Request:
    """An explanation that somebody asked for, and its result when there is one."""

    turn_id: str
    requested_by: str
    requested_at: float
    state: ExplanationState
    delivered: bool
    reason: NoExplanation | None = None
    result: Explanation | None = None
    has_picture: bool = False


@dataclass(frozen=True)
class Call:
    """A model call of an ablation; `key`: which evidence and model, `repeat` counts from 0."""

    key: str
    repeat: int
    text: str
    usage: Usage


def request(
    database: Database,
    turn_id: str,
    user: str,
) -> bool:
    """Ask for the explanation of a turn; a failed or an old one may be asked for again.

    False when somebody did before, or when the turn is forgotten.
    """
    try:
        with fenced(database) as session:
            if not is_there(session, turn_id):
                return False
            row = session.get(ExplanationRow, turn_id)
            if row is not None and row.state != ExplanationState.FAILED and not _is_old(row):
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
    """Count an attempt; how many there were with it, 0 when it was forgotten at this moment."""
    with fenced(database) as session:
        row = session.get(ExplanationRow, turn_id, with_for_update=True)
        if row is None:
            return 0
        row.attempts += 1
        return row.attempts


def save(
    database: Database,
    explanation: Explanation,
    picture: bytes | None = None,
) -> bool:
    """Save the result and delete its model calls; False when nobody waits for it any more."""
    turn_id = explanation.turn_id
    result = explanation.model_dump(mode="json")
    saved = _finish(
        database,
        turn_id,
        state=ExplanationState.DONE,
        result=result,
        picture=picture,
    )
    if saved:
        with fenced(database) as session:
            session.exec(delete(CallRow).where(col(CallRow.turn_id) == turn_id))
    return saved


def fail(
    database: Database,
    turn_id: str,
    reason: NoExplanation,
) -> bool:
    """End it without a result; its finished calls stay for whoever asks next.

    A person who stops it gives the reason `STOPPED`.
    """
    return _finish(database, turn_id, state=ExplanationState.FAILED, reason=reason)


def take_back(
    database: Database,
    turn_id: str,
    reason: NoExplanation = NoExplanation.CLOSED,
) -> bool:
    """Delete an explanation, by default as its pages were closed; the reason is shown instead.

    False when there is none, or when it has failed already.
    """
    unfailed = update(ExplanationRow).where(
        col(ExplanationRow.turn_id) == turn_id,
        col(ExplanationRow.state) != ExplanationState.FAILED,
    )
    taken_back = unfailed.values(
        state=ExplanationState.FAILED,
        reason=reason,
        result=None,
        picture=None,
        delivered_at=None,
        delivery_enqueued_at=clock.now(),
    )
    with fenced(database) as session:
        session.exec(delete(CallRow).where(col(CallRow.turn_id) == turn_id))
        return session.exec(taken_back).rowcount == 1


def picture(database: Database, turn_id: str) -> bytes | None:
    """The effects as PNG."""
    with database.reading() as session:
        row = session.get(ExplanationRow, turn_id)
        return row.picture if row else None


def save_call(
    database: Database,
    turn_id: str,
    call: Call,
) -> None:
    """Save a finished call, unless the explanation is stopped or forgotten."""
    row = CallRow(
        turn_id=turn_id,
        key=call.key,
        repeat=call.repeat,
        text=call.text,
        usage=call.usage.model_dump(),
    )
    with fenced(database) as session:
        explanation = session.get(ExplanationRow, turn_id, with_for_update=True)
        if explanation is not None and explanation.state == ExplanationState.WAITING:
            put(session, row)


def calls(database: Database, turn_id: str) -> Mapping[tuple[str, int], Call]:
    """The finished calls of an explanation that is not finished, by key and repeat."""
    query = select(CallRow).where(CallRow.turn_id == turn_id)
    found: dict[tuple[str, int], Call] = {}
    with database.reading() as session:
        for row in session.exec(query).all():
            found[row.key, row.repeat] = Call(
                key=row.key,
                repeat=row.repeat,
                text=row.text,
                usage=Usage.model_validate(row.usage),
            )
    return found


def deliver_later(
    database: Database,
    turn_id: str,
    wait_s: float,
) -> None:
    """Let nobody deliver this for so many seconds; the sweeper counts from then."""
    explanation = update(ExplanationRow).where(col(ExplanationRow.turn_id) == turn_id)
    with fenced(database) as session:
        session.exec(explanation.values(delivery_enqueued_at=clock.now() + wait_s))


def delivered(database: Database, turn_id: str) -> None:
    """Mark the explanation as delivered: its final text stands in Slack."""
    explanation = update(ExplanationRow).where(col(ExplanationRow.turn_id) == turn_id)
    with fenced(database) as session:
        session.exec(explanation.values(delivered_at=clock.now()))


def _finish(
    database: Database,
    turn_id: str,
    **values: object,
) -> bool:
    explanation = update(ExplanationRow).where(col(ExplanationRow.turn_id) == turn_id)
    waiting = explanation.where(col(ExplanationRow.state) == ExplanationState.WAITING)
    with fenced(database) as session:
        finished = session.exec(waiting.values(**values)).rowcount == 1
    if finished:
        outcome = values.get("reason") or values["state"]
        metrics.EXPLAINED.labels(outcome).inc()
    return finished


def _is_old(row: ExplanationRow) -> bool:
    """Whether an older version made the result: it counts as failed, and may be asked for again."""
    return bool(row.result) and not is_readable(row.result or {})


def _request(row: ExplanationRow) -> Request:
    is_old = _is_old(row)
    has_result = bool(row.result) and not is_old
    return Request(
        turn_id=row.turn_id,
        requested_by=row.requested_by,
        requested_at=row.requested_at,
        state=ExplanationState.FAILED if is_old else ExplanationState(row.state),
        delivered=row.delivered_at is not None,
        reason=NoExplanation.GAVE_UP if is_old else NoExplanation.saved(row.reason),
        result=Explanation.model_validate(row.result) if has_result else None,
        has_picture=row.picture is not None and not is_old,
    )
