"""Wrong sources that people have reported, with the evidence behind them, for whoever improves the answers."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from sqlmodel import col, select

from core.storage.database import Database
from core.storage.tables import ReportRow
from core.turns.turn import Turn
from core.turns.turn_store import is_there


@dataclass(frozen=True)
class Report:
    """Who finds which sources of an answer wrong, and why."""

    turn_id: str
    user: str
    numbers: tuple[int, ...]
    evidence_ids: tuple[str, ...]
    text: str
    at: float


def record(database: Database, turn: Turn, user: str, numbers: Collection[int], text: str) -> None:
    """Save a report about sources by their numbers; one about what is forgotten is not written down."""
    sources = turn.record.answer.sources if turn.record else ()
    wrong = [source for source in sources if source.number in numbers]
    evidence_ids = [each for source in wrong for each in source.evidence_ids]
    with database.session() as session:
        if is_there(session, turn.id):
            known = [source.number for source in wrong]
            session.add(
                ReportRow(
                    turn_id=turn.id, user=user, numbers=known, evidence_ids=evidence_ids, text=text
                )
            )


def of_turn(database: Database, turn_id: str) -> tuple[Report, ...]:
    """All reports about an answer, the oldest first."""
    with database.reading() as session:
        rows = session.exec(
            select(ReportRow).where(ReportRow.turn_id == turn_id).order_by(col(ReportRow.at))
        ).all()
        return tuple(
            Report(
                row.turn_id, row.user, tuple(row.numbers), tuple(row.evidence_ids), row.text, row.at
            )
            for row in rows
        )
