"""What whoever has closed a hand-over said in its thread, where they say that a page should say it.

Words of a person: they go with the turn, with the person, and are in no list and no export.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from sqlmodel import Session, col, select, update
from sqlmodel.sql.expression import SelectOfScalar

from core.jobs.leases import fenced
from core.storage.database import Database
from core.storage.hand_over_tables import HandOverRow
from core.storage.loop_tables import DigestGapRow

LONGEST = 1_000  # characters


@dataclass(frozen=True)
class HelperSaid:
    """What was said, and about which question."""

    turn_id: str
    text: str


def keep(database: Database, turn_id: str, text: str) -> None:
    """Nothing is kept of a question that is forgotten, or of which nobody says so any more."""
    should_say = update(HandOverRow).where(
        col(HandOverRow.turn_id) == turn_id, col(HandOverRow.should_say).is_(True)
    )
    with fenced(database) as session:
        session.exec(should_say.values(said=text[:LONGEST]))


def newest(database: Database, turn_ids: Collection[str]) -> HelperSaid | None:
    """What was said last about one of these questions."""
    query = select(HandOverRow).where(
        col(HandOverRow.turn_id).in_(turn_ids),
        col(HandOverRow.should_say).is_(True),
        col(HandOverRow.said) != "",
    )
    with database.reading() as session:
        row = session.exec(query.order_by(col(HandOverRow.asked_at).desc())).first()
    return HelperSaid(row.turn_id, row.said) if row else None


def forget_person(session: Session, turns: SelectOfScalar[str], user: str) -> None:
    """Erase what this person has said about these turns, and what was made of it.

    The ids of the turns stay in SQL: those of a workspace are more than a statement may be given.
    """
    closed = (col(HandOverRow.turn_id).in_(turns), col(HandOverRow.resolved_by) == user)
    forget_drafts(session, select(HandOverRow.turn_id).where(*closed))
    session.exec(update(HandOverRow).where(*closed).values(said=""))


def forget_drafts(session: Session, turn_ids: Collection[str] | SelectOfScalar[str]) -> None:
    """Erase sentences that were drafted for these questions."""
    drafts = update(DigestGapRow).where(col(DigestGapRow.draft_of).in_(turn_ids))
    session.exec(drafts.values(draft="", draft_of=""))
