"""Facts of an answer in SQL, for reports: badge, seconds, tokens and cited pages, but no text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sqlmodel import Session, col, delete, select

from core.jobs.leases import fenced
from core.models import Note, Record
from core.pages import PageKey
from core.states import TurnState
from core.storage import clock
from core.storage.database import Database
from core.storage.report_tables import CitedPageRow, TurnFactsRow
from core.storage.tables import TurnRow

DAY_S = 86_400.0
BATCH = 100  # turns whose facts are saved in one transaction


def save(session: Session, turn_id: str, record: Record) -> None:
    """Remember what reports count of an answer, instead of what they counted before."""
    forget(session, [turn_id])
    turn = session.get_one(TurnRow, turn_id)
    answer, usage = record.answer, record.usage
    facts = TurnFactsRow(
        turn_id=turn_id,
        asked_at=turn.asked_at,
        day=int(turn.asked_at // DAY_S),
        team=turn.team,
        channel=turn.channel,
        user=turn.user,
        private=turn.private,
        found=Note.NOT_FOUND not in answer.notes,
        badge=answer.confidence.value if answer.confidence else "",
        seconds=(turn.finished_at or clock.now()) - turn.asked_at,
        model=answer.model,
        space=answer.sources[0].space if answer.sources else "",
        prompt_tokens=usage.prompt_tokens,
        completion_tokens=usage.completion_tokens,
    )
    session.add(facts)
    for key in sorted(set(cited_pages(record))):
        row = CitedPageRow(
            turn_id=turn_id,
            source=key.source,
            page_id=key.id,
            asked_at=turn.asked_at,
            found=facts.found,
        )
        session.add(row)


def forget(session: Session, turn_ids: Iterable[str]) -> None:
    ids = list(turn_ids)
    for table in (TurnFactsRow, CitedPageRow):
        session.exec(delete(table).where(col(table.turn_id).in_(ids)))


def cited_pages(record: Record) -> Iterator[PageKey]:
    """The pages of the sources, one for each; none where its evidence is gone from the record."""
    pages: dict[str, PageKey] = {}
    for hit in record.hits:
        pages.update({piece.id: hit.page.key for piece in hit.block})
    for hit in record.hits:
        pages[hit.evidence.id] = hit.page.key
    for source in record.answer.sources:
        yield from (pages[each] for each in source.evidence_ids[:1] if each in pages)


def fill_in(database: Database) -> Iterator[int]:
    """Save the facts of answers from before they were kept; yields how many in each batch."""
    missing = (
        select(TurnRow.id)
        .outerjoin(TurnFactsRow, col(TurnFactsRow.turn_id) == col(TurnRow.id))
        .where(
            TurnRow.state == TurnState.DONE,
            col(TurnFactsRow.turn_id).is_(None),
        )
    )
    with database.reading() as session:
        ids = session.exec(missing).all()
    for first in range(0, len(ids), BATCH):
        yield _fill(database, ids[first : first + BATCH])


def _fill(database: Database, ids: Iterable[str]) -> int:
    """Of those that are answered still."""
    here = select(TurnRow).where(
        col(TurnRow.id).in_(list(ids)),
        TurnRow.state == TurnState.DONE,
    )
    with fenced(database) as session:
        rows = session.exec(here.with_for_update()).all()
        for row in rows:
            save(session, row.id, Record.model_validate(row.record))
        return len(rows)
