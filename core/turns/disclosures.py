"""Disclosures of turns: which pages an answer and its explanation give away, and to whom."""

from __future__ import annotations

from collections.abc import Iterable

from sqlmodel import Session, col, delete, select

from core.access.disclosure import EVERYBODY, NOTHING, Disclosure
from core.pages import PageKey
from core.storage.access_tables import TurnPageRow
from core.storage.database import Database
from core.storage.tables import TurnRow
from core.turns.turn import Turn


def of_turn(turn: Turn) -> Disclosure:
    """Everything that is said of this turn, its explanation included; a channel is everybody."""
    if turn.record is None:
        return NOTHING
    audience = turn.record.audience if turn.private else EVERYBODY
    return Disclosure(turn.record.pages, audience)


def save(session: Session, turn_id: str, pages: Iterable[PageKey]) -> None:
    """Remember what a saved answer gives away, instead of what it gave away before."""
    forget(session, [turn_id])
    for key in sorted(set(pages)):
        row = TurnPageRow(turn_id=turn_id, source=key.source, page_id=key.id)
        session.add(row)


def forget(session: Session, turn_ids: Iterable[str]) -> None:
    session.exec(delete(TurnPageRow).where(col(TurnPageRow.turn_id).in_(list(turn_ids))))


def turns_on(database: Database, page: PageKey) -> list[str]:
    """The ids of the turns whose saved answers give this page away, the latest first."""
    query = (
        select(TurnRow.id)
        .join(TurnPageRow)
        .where(TurnPageRow.source == page.source, TurnPageRow.page_id == page.id)
        .order_by(col(TurnRow.asked_at).desc())
    )
    with database.reading() as session:
        return list(session.exec(query).all())
