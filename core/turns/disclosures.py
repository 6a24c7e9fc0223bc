"""Disclosures of turns: which pages an answer and its explanation give away, and to whom."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import and_
from sqlmodel import Session, col, delete, select

from core.access.disclosure import EVERYBODY, NOTHING, Disclosure
from core.pages import PageKey
from core.storage.access_tables import ConfirmationRow, TurnPageRow
from core.storage.database import Database
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
