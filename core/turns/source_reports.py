"""Reports of wrong sources, with their evidence, for whoever improves the answers."""

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


def record(
    database: Database,
    turn: Turn,
    user: str,
    numbers: Collection[int],
    text: str,
) -> None:
    """Save a report about sources by their numbers; one about a forgotten turn is not saved."""
    sources = turn.record.answer.sources if turn.record else ()
    row = ReportRow(
        turn_id=turn.id,
        user=user,
        numbers=[],
        evidence_ids=[],
        text=text,
    )
    for source in sources:
        if source.number in numbers:
            row.numbers.append(source.number)
            row.evidence_ids.extend(source.evidence_ids)
    with database.session() as session:
        if is_there(session, turn.id):
            session.add(row)


def of_turn(database: Database, turn_id: str) -> tuple[Report, ...]:
    """All reports about an answer, the oldest first."""
    query = select(ReportRow).where(ReportRow.turn_id == turn_id)
    with database.reading() as session:
        rows = session.exec(query.order_by(col(ReportRow.at))).all()
    return tuple(_report(row) for row in rows)


def _report(row: ReportRow) -> Report:
    return Report(
        turn_id=row.turn_id,
        user=row.user,
        numbers=tuple(row.numbers),
        evidence_ids=tuple(row.evidence_ids),
        text=row.text,
        at=row.at,
    )
