"""What later turns of a thread lose when a turn is erased: whatever was made of its words."""

from __future__ import annotations

from collections.abc import Sequence

from sqlmodel import Session, col, delete, select, update

from core.models import Record
from core.states import ExplanationState, NoExplanation, TurnState
from core.storage import clock
from core.storage.loop_tables import PairRow
from core.storage.tables import CallRow, ExplanationRow, TurnRow
from core.turns.turn import mended

_WITH_WORDS = (TurnState.WAITING, TurnState.DONE, TurnState.REPLACED)


def mend_later(session: Session, rows: Sequence[TurnRow], *, in_slack: bool) -> list[str]:
    """Take what came from these turns out of the later turns of their threads.

    Returns the ids of those that have changed.
    """
    since: dict[str, float] = {}
    for row in rows:
        since[row.thread_id] = min(row.asked_at, since.get(row.thread_id, row.asked_at))
    in_threads = col(TurnRow.thread_id).in_(since)
    there = select(TurnRow).where(in_threads, col(TurnRow.state).in_(_WITH_WORDS))
    changed = []
    for row in session.exec(there.with_for_update()).all():
        if row.asked_at <= since[row.thread_id]:
            continue
        row.edition += 1  # whoever is just answering or showing it notices
        if _mend(session, row, in_slack=in_slack and row.state == TurnState.DONE):
            changed.append(row.id)
    return changed


def _mend(session: Session, row: TurnRow, *, in_slack: bool) -> bool:
    """Whether the record has changed; `in_slack`: then the message in Slack is updated too."""
    if not row.record:
        return False
    before = Record.model_validate(row.record)
    after = mended(before)
    if after == before:
        return False
    row.record = after.model_dump(mode="json")
    for table in (CallRow, PairRow):  # a pair asks as the conversation had completed it
        session.exec(delete(table).where(col(table.turn_id) == row.id))
    own = update(ExplanationRow).where(col(ExplanationRow.turn_id) == row.id)
    waiting = own.where(col(ExplanationRow.state) == ExplanationState.WAITING)
    session.exec(waiting.values(state=ExplanationState.FAILED, reason=NoExplanation.FORGOTTEN))
    if in_slack:
        row.changed_at, row.delivered_at, row.delivery_enqueued_at = clock.now(), None, 0.0
    return True
