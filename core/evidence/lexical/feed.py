"""Feeds the lexical index from SQL: the pages that have changed since its revision."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from sqlmodel import Session, col, select

from core.evidence.lexical.builder import PageEntries, PieceEntry
from core.evidence.lexical.index import LexicalIndex
from core.evidence.lexical.page_status import is_unsettled
from core.models import Evidence, Kind, Page
from core.storage.database import Database
from core.storage.index_tables import EvidenceRow, IndexRow, PageRow

PAGES_AT_ONCE = 50  # read from SQL for the lexical index


def catch_up(database: Database, lexical: LexicalIndex) -> IndexRow | None:
    """Bring the lexical index of this process to the revision of SQL.

    Returns what SQL says of the index; None before the first sync.
    """
    with database.reading() as session:
        state = session.get(IndexRow, 1)
        if state is None:
            return None
        since = lexical.revision(state.identity)
        if state.revision == since:
            return state
        query = select(PageRow.id).where(PageRow.revision > since)
        changed = session.exec(query).all()
        lexical.catch_up(
            _entries(session, changed),
            identity=state.identity,
            since=since,
            revision=state.revision,
        )
    return state


def _entries(session: Session, page_ids: Sequence[str]) -> Iterator[PageEntries]:
    """These pages as they are now, a few read at a time.

    The text of a whole wiki is more than a process should hold.
    """
    for start in range(0, len(page_ids), PAGES_AT_ONCE):
        batch = page_ids[start : start + PAGES_AT_ONCE]
        in_batch = col(PageRow.id).in_(batch)
        pages = session.exec(select(PageRow).where(in_batch)).all()
        by_id = {row.id: row for row in pages}
        pieces = defaultdict[str, list[EvidenceRow]](list)
        evidence = select(EvidenceRow).where(col(EvidenceRow.page_id).in_(batch))
        for piece in session.exec(evidence).all():
            pieces[piece.page_id].append(piece)
        for page_id in batch:
            if page_id in by_id:
                yield _page_entries(by_id[page_id], pieces[page_id])


def _page_entries(row: PageRow, found: Sequence[EvidenceRow]) -> PageEntries:
    page = Page.model_validate(row.record)
    pieces = [_piece_entry(each) for each in found] if row.visible else []
    return PageEntries(
        page_id=row.id,
        acl_id=row.acl_id,
        title=page.title,
        pieces=pieces,
        unsettled=is_unsettled(page),
    )


def _piece_entry(row: EvidenceRow) -> PieceEntry:
    piece = Evidence.model_validate(row.record)
    return PieceEntry(
        evidence_id=piece.id,
        acl_id=row.acl_id,
        path=" ".join(piece.heading_path),
        body=piece.text,
        in_page=piece.kind is not Kind.ROW,
    )
