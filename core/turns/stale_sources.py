"""What has become of the pages behind a saved answer: the same, changed, or gone; by the versions in SQL, without asking Confluence.

Gone and not open any more are one: which of the two it is would tell something about a page that its reader may not see.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sqlmodel import col, select

from core.models import Hit, Page, Record, Since, Source
from core.policy.acl import Reader
from core.storage.database import Database
from core.storage.index_tables import PageRow
from core.turns import turn_store
from core.turns.turn import Turn


def mark(database: Database, turn: Turn, reader: Reader) -> bool:
    """Write down what has become of the turn's sources for those who read its answer; whether that is news, to be shown there."""
    if turn.record is None:
        return False
    answer = turn.record.answer
    sources = compared(database, turn.record, reader)
    if sources == answer.sources:
        return False
    news = turn.record.model_copy(update={"answer": answer.model_copy(update={"sources": sources})})
    return turn_store.show_anew(database, turn, news)


def compared(database: Database, record: Record, reader: Reader) -> tuple[Source, ...]:
    """The sources of an answer as they are now for this reader."""
    hits = {hit.evidence.id: hit for hit in record.hits}
    behind = [
        [hits[each] for each in source.evidence_ids if each in hits]
        for source in record.answer.sources
    ]
    now = _versions(
        database, {page_id for found in behind for hit in found for page_id in _pages(hit)}, reader
    )
    return tuple(
        _compared(source, found, now, reader)
        for source, found in zip(record.answer.sources, behind, strict=True)
    )


def _compared(
    source: Source, hits: Sequence[Hit], now: Mapping[str, int], reader: Reader
) -> Source:
    closed = {copy.page.url for hit in hits for copy in hit.copies if copy.page.id not in now}
    also = tuple(each for each in source.also if each[1] not in closed)
    return source.model_copy(update={"since": _since(hits, now, reader), "also": also})


def _since(hits: Sequence[Hit], now: Mapping[str, int], reader: Reader) -> Since | None:
    wanted = {page_id for hit in hits for page_id in (hit.page.id, *hit.evidence.names)}
    if not wanted <= now.keys() or not {hit.evidence.acl_id for hit in hits} <= reader.acls | {""}:
        return Since.GONE
    return Since.CHANGED if any(now[hit.page.id] != hit.page.version for hit in hits) else None


def _pages(hit: Hit) -> Iterable[str]:
    return (hit.page.id, *hit.evidence.names, *(copy.page.id for copy in hit.copies))


def _versions(database: Database, page_ids: Iterable[str], reader: Reader) -> dict[str, int]:
    """By page, for those that are there and that this reader may see."""
    readable = (col(PageRow.visible), col(PageRow.acl_id).in_(reader.acls))
    with database.reading() as session:
        rows = session.exec(
            select(PageRow.id, PageRow.record).where(col(PageRow.id).in_(list(page_ids)), *readable)
        ).all()
    return {page_id: Page.model_validate(record).version for page_id, record in rows}
