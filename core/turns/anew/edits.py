"""Edited questions: the turn is answered anew, what it was before is kept apart with its votes.

The turn keeps its id, its place in the conversation and its messages in Slack, so leases and posts
go on as they are. What it was becomes a row of its own, which nobody answers or delivers: votes,
their history and reports of sources belong to that answer. It counts for rate limits, so an edit
costs as much as a question.
"""

from __future__ import annotations

from sqlmodel import Session, col, select, update

from core.jobs.leases import fenced
from core.policy.rate_limits import NONE as NO_LIMITS
from core.policy.rate_limits import Limits
from core.states import TurnState
from core.storage import clock
from core.storage.database import Database
from core.storage.report_tables import CitedPageRow, TurnFactsRow
from core.storage.tables import (
    FeedbackHistoryRow,
    FeedbackRow,
    ReportRow,
    TurnRow,
    new_id,
)
from core.turns import disclosures, turn_store
from core.turns.turn import Address, NewQuestion, Turn
from core.turns.turn_rows import apply_limits, begun_anew, new_row, refuse

_OF_AN_ANSWER = (FeedbackRow, FeedbackHistoryRow, ReportRow, TurnFactsRow, CitedPageRow)


def asked_at(database: Database, address: Address) -> Turn | None:
    """The turn that this very message asked, forgotten ones left out."""
    query = select(TurnRow.id).where(
        TurnRow.team == address.team,
        TurnRow.channel == address.channel,
        TurnRow.ts == address.ts,
        TurnRow.state != TurnState.FORGOTTEN,
    )
    with database.reading() as session:
        turn_id = session.exec(query).first()
    return turn_store.load(database, turn_id) if turn_id else None


def ask_anew(
    database: Database,
    turn_id: str,
    new: NewQuestion,
    limits: Limits = NO_LIMITS,
    *,
    edited_ts: str,
) -> Turn | None:
    """Have the turn of an edited message answer the new question; the turn as it is then.

    None, and no change, when this edit is known, when it asks the same, when the turn is forgotten,
    or when the person was told of a limit before. `edited_ts` is Slack's time of the edit: 10
    digits, a dot, 6 digits, so that later is greater.
    """
    asked = new_row(new)
    if new.refused:
        refuse(asked, new.refused)
    with fenced(database, f"ask:{asked.team}") as session:
        row = session.get(TurnRow, turn_id, with_for_update=True)
        if row is None or row.state == TurnState.FORGOTTEN or row.edited_ts >= edited_ts:
            return None
        if row.question == asked.question:
            return None
        if asked.state == TurnState.WAITING:
            apply_limits(session, asked, limits)
        if asked.delivered_at:
            return None
        _set_aside(session, row)
        _begin(session, row, asked, edited_ts)
    return turn_store.load(database, turn_id)


def _set_aside(session: Session, row: TurnRow) -> None:
    """Keep the turn as it is in a row of its own, with what people said of its answer."""
    now = clock.now()
    before = TurnRow(
        **row.model_dump()
        | {
            "id": new_id(),
            "ts": f"{row.ts}~{row.edited_ts}",  # no message of its own: that is the new question's
            "state": TurnState.REPLACED,
            "replaced_by": row.id,
            "finished_at": row.finished_at or now,
            "delivered_at": row.delivered_at or now,
            "take_up_until": None,
        }
    )
    session.add(before)
    session.flush()
    for table in _OF_AN_ANSWER:
        said = update(table).where(col(table.turn_id) == row.id)
        session.exec(said.values(turn_id=before.id))


def _begin(session: Session, row: TurnRow, asked: TurnRow, edited_ts: str) -> None:
    now = clock.now()
    changes = begun_anew(now) | {
        "question": asked.question,
        "question_shows": None,
        "has_files": asked.has_files,
        "beside": asked.beside,
        "vetted": asked.vetted,
        "late_s": 0.0,  # the edit is heard now, however old its message is
        "state": asked.state,
        "reason": asked.reason,
        "refused_until": asked.refused_until,
        "finished_at": asked.finished_at,
        "record": None,
        "edition": row.edition + 1,
        "edited_ts": edited_ts,
        "work_enqueued_at": now,
        "delivery_enqueued_at": now,
    }
    for name, value in changes.items():
        setattr(row, name, value)
    disclosures.forget(session, [row.id])
