"""Stale sources: which pages behind a saved answer have changed or are gone, by versions in SQL.

A page that is gone and one that is no longer open to the reader look the same: telling which of
the two it is would reveal something about a page that the reader may not see.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sqlmodel import col, select

from core.models import Hit, Page, Record, Since, Source
from core.pages import PageKey
from core.policy.acl import Reader
from core.storage.database import Database
from core.storage.index_tables import PageRow, is_page
from core.turns import turn_delivery
from core.turns.turn import Turn


def mark(
    database: Database,
    turn: Turn,
    reader: Reader,
) -> bool:
    """Update the state of the pages under an answer; True when Slack has to show it anew."""
    if turn.record is None:
        return False
    answer = turn.record.answer
    shown = (*answer.sources, *answer.more)
    now = compared(database, turn.record, shown, reader)
    if now == shown:
        return False
    count = len(answer.sources)
    updated = answer.model_copy(update={"sources": now[:count], "more": now[count:]})
    record = turn.record.model_copy(update={"answer": updated})
    return turn_delivery.redeliver(database, turn, record)


def compared(
    database: Database,
    record: Record,
    sources: Sequence[Source],
    reader: Reader,
) -> tuple[Source, ...]:
    """These sources of an answer as they are now for this reader."""
    hits = {hit.evidence.id: hit for hit in record.hits}
    hits_by_source = [_hits_of(source, hits) for source in sources]
    pages: set[PageKey] = set()
    for found in hits_by_source:
        for hit in found:
            pages.update(*(copy.pages for copy in hit.everywhere))
    now = _versions(database, pages, reader)
    pairs = zip(sources, hits_by_source, strict=True)
    return tuple(_compared(source, found, now, reader) for source, found in pairs)


def _hits_of(source: Source, hits: Mapping[str, Hit]) -> list[Hit]:
    return [hits[each] for each in source.evidence_ids if each in hits]


def _compared(
    source: Source,
    hits: Sequence[Hit],
    now: Mapping[PageKey, int],
    reader: Reader,
) -> Source:
    closed = set[str]()
    for hit in hits:
        for copy in hit.copies:
            if copy.page.key not in now:
                closed.add(copy.page.url)
    also = tuple((title, url) for title, url in source.also if url not in closed)
    update = {"since": _since(hits, now, reader), "also": also}
    return source.model_copy(update=update)


def _since(
    hits: Sequence[Hit],
    now: Mapping[PageKey, int],
    reader: Reader,
) -> Since | None:
    for hit in hits:
        here, *_ = hit.everywhere
        acl_id = hit.evidence.acl_id
        if not here.pages <= now.keys() or (acl_id and acl_id not in reader.acls):
            return Since.GONE
    for hit in hits:
        if now[hit.page.key] != hit.page.version:
            return Since.CHANGED
    return None


def _versions(
    database: Database,
    pages: Iterable[PageKey],
    reader: Reader,
) -> dict[PageKey, int]:
    """The version of each of these pages that is there and that this reader may see."""
    may = col(PageRow.acl_id).in_(reader.acls)
    query = select(PageRow).where(is_page(pages), col(PageRow.visible), may)
    with database.reading() as session:
        rows = session.exec(query).all()
    return {row.key: Page.model_validate(row.record).version for row in rows}
