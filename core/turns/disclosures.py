"""Disclosures of turns: which pages an answer gives away, and to whom; and taking it back."""

from __future__ import annotations

import time
from collections.abc import Iterable

from sqlalchemy import and_
from sqlmodel import Session, col, delete, select, update

from core.access.disclosure import EVERYBODY, NOTHING, Disclosure
from core.models import Record
from core.pages import PageKey
from core.states import NoAnswer, TurnState
from core.storage.access_tables import ConfirmationRow, TurnPageRow
from core.storage.database import Database
from core.storage.tables import TurnRow
from core.turns.turn import Turn


def of_turn(turn: Turn) -> Disclosure:
    """Everything that is said of this turn, its explanation included; a channel is everybody."""
    if turn.record is None:
        return NOTHING
    audience = turn.record.audience if turn.private else EVERYBODY
    return Disclosure(turn.record.pages, audience)


def save(
    session: Session,
    turn_id: str,
    pages: Iterable[PageKey],
    audience: str,
) -> None:
    """Remember what a saved answer gives away, instead of what it gave away before."""
    forget(session, [turn_id])
    for key in sorted(set(pages)):
        row = TurnPageRow(turn_id=turn_id, source=key.source, page_id=key.id, audience=audience)
        session.add(row)


def forget(session: Session, turn_ids: Iterable[str]) -> None:
    session.exec(delete(TurnPageRow).where(col(TurnPageRow.turn_id).in_(list(turn_ids))))


def doubtful(database: Database, most: int) -> list[str]:
    """Ids of answered turns that give away a page of which we last heard that it is closed."""
    is_closed = and_(
        col(TurnPageRow.source) == col(ConfirmationRow.source),
        col(TurnPageRow.page_id) == col(ConfirmationRow.page_id),
        col(TurnPageRow.audience) == col(ConfirmationRow.audience),
        ~col(ConfirmationRow.allowed),
    )
    query = select(TurnPageRow.turn_id).join(ConfirmationRow, is_closed).distinct()
    with database.reading() as session:
        return list(session.exec(query.limit(most)).all())


def save_audience(
    database: Database,
    turn: Turn,
    record: Record,
    audience: str,
) -> None:
    """Save for whom the pages of a saved answer are confirmed, unless the turn has changed."""
    changed = record.model_copy(update={"audience": audience})
    unchanged = update(TurnRow).where(
        col(TurnRow.id) == turn.id,
        col(TurnRow.edition) == turn.edition,
        col(TurnRow.state) == TurnState.DONE,
    )
    with database.session() as session:
        saved = session.exec(unchanged.values(record=changed.model_dump(mode="json")))
        if saved.rowcount == 1:
            save(session, turn.id, record.pages, audience)


def take_back(database: Database, turn: Turn, reason: NoAnswer) -> bool:
    """Blank a saved answer for a reason that is shown in its place.

    False when the turn has changed since it was loaded.
    """
    now = time.time()
    answered = update(TurnRow).where(
        col(TurnRow.id) == turn.id,
        col(TurnRow.edition) == turn.edition,
        col(TurnRow.state) == TurnState.DONE,
    )
    blanked = answered.values(
        state=TurnState.FAILED,
        reason=reason,
        record=None,
        edition=turn.edition + 1,
        changed_at=now,
        delivered_at=None,
        delivery_enqueued_at=now,
    )
    with database.session() as session:
        if session.exec(blanked).rowcount != 1:
            return False
        forget(session, [turn.id])
    return True
