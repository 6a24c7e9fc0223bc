"""Reports of wrong sources, with their evidence, for whoever improves the answers."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from sqlalchemy import exists
from sqlmodel import col, select

from core.jobs.leases import fenced
from core.storage.database import Database
from core.storage.tables import FeedbackRow, ReportRow
from core.turns import turn_store
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
    with fenced(database) as session:
        if is_there(session, turn.id):
            session.add(row)


def of_turn(database: Database, turn_id: str) -> tuple[Report, ...]:
    """All reports about an answer, the oldest first."""
    query = select(ReportRow).where(ReportRow.turn_id == turn_id)
    with database.reading() as session:
        rows = session.exec(query.order_by(col(ReportRow.at))).all()
    return tuple(_report(row) for row in rows)


def turns_without_vote(database: Database, since: float, *, batch: int = 100) -> Iterator[Turn]:
    """The turns reported since then that nobody has voted on since then, in order of their ids.

    Read from SQL in batches, so that few are in memory at once.
    """
    last = ""
    while turn_ids := _batch(database, since, last, batch):
        for turn_id in turn_ids:
            turn = turn_store.load(database, turn_id)
            if turn:
                yield turn
        last = turn_ids[-1]


def _batch(
    database: Database,
    since: float,
    last: str,
    most: int,
) -> Sequence[str]:
    """At most `most` ids of such turns that come after the id `last`."""
    turn_id = col(ReportRow.turn_id)
    of_turn = col(FeedbackRow.turn_id) == turn_id
    voted = exists().where(of_turn, col(FeedbackRow.at) >= since)
    reported = select(ReportRow.turn_id).where(
        ReportRow.at >= since,
        turn_id > last,
        ~voted,
    )
    page = reported.distinct().order_by(turn_id).limit(most)
    with database.reading() as session:
        return session.exec(page).all()


def _report(row: ReportRow) -> Report:
    return Report(
        turn_id=row.turn_id,
        user=row.user,
        numbers=tuple(row.numbers),
        evidence_ids=tuple(row.evidence_ids),
        text=row.text,
        at=row.at,
    )
