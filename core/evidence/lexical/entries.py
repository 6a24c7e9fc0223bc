"""Pages and pieces of SQL as entries of the lexical index."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from sqlalchemy import Text, cast
from sqlalchemy import select as rows
from sqlmodel import Session, col, select

from core.evidence.lexical.builder import PageEntries, PieceEntry
from core.evidence.lexical.page_edges import Keys, edges
from core.evidence.lexical.page_status import is_unsettled, says_outdated
from core.models import Kind, Page
from core.pages import PageKey
from core.storage.index_tables import (
    EmbeddingRow,
    EvidenceRow,
    PageRow,
    SpaceRow,
    is_on_page,
    is_page,
)
from core.value import Value

PAGES_AT_ONCE = 50  # read from SQL

# Records as text: what the index needs of them is read from it at once.
_PIECES = rows(
    col(EvidenceRow.id),
    col(EvidenceRow.source),
    col(EvidenceRow.page_id),
    col(EvidenceRow.acl_id),
    cast(col(EvidenceRow.record), Text).label("record"),
)


class _Indexed(Value):
    """What the index needs of core.models.Evidence."""

    kind: Kind
    text: str
    heading_path: tuple[str, ...] = ()
    position: int = 0


_VECTORS = rows(col(EvidenceRow.id), col(EmbeddingRow.vector)).where(
    col(EvidenceRow.text_hash) == col(EmbeddingRow.text_hash)
)


def entries(session: Session, keys: Sequence[PageKey], coder: str) -> Iterator[PageEntries]:
    """These pages as they are now, a few read at a time.

    The text of a whole wiki is more than a process should hold. With the vectors of the embedder
    `coder`, if that is not empty.
    """
    for start in range(0, len(keys), PAGES_AT_ONCE):
        batch = keys[start : start + PAGES_AT_ONCE]
        pages = session.exec(select(PageRow).where(is_page(batch))).all()
        by_key = {row.key: row for row in pages}
        spaces = _names_of_spaces(session)
        pieces = _pieces(session, batch, coder)
        for key in batch:
            if key in by_key:
                page = by_key[key]
                name = spaces.get((page.source, page.space), "")
                yield _page_entries(page, pieces[key], name)
        session.expunge_all()


def _pieces(
    session: Session, batch: Sequence[PageKey], coder: str
) -> dict[PageKey, list[PieceEntry]]:
    vectors: dict[str, bytes] = {}
    if coder:
        of_batch = _VECTORS.where(is_on_page(batch), col(EmbeddingRow.embedder) == coder)
        vectors = {row.id: row.vector for row in session.execute(of_batch).all()}
    found = defaultdict[PageKey, list[PieceEntry]](list)
    for row in session.execute(_PIECES.where(is_on_page(batch))).all():
        piece = _Indexed.model_validate_json(row.record)
        entry = _piece_entry(row.id, row.acl_id, piece, vectors.get(row.id, b""))
        found[PageKey(row.source, row.page_id)].append(entry)
    return found


def _names_of_spaces(session: Session) -> dict[tuple[str, str], str]:
    query = select(SpaceRow.source, SpaceRow.key, SpaceRow.name)
    return {(source, key): name for source, key, name in session.exec(query).all()}


def _page_entries(row: PageRow, pieces: Sequence[PieceEntry], space: str) -> PageEntries:
    page = Page.model_validate(row.record)
    return PageEntries(
        key=row.key,
        acl_id=row.acl_id,
        title=page.title,
        pieces=pieces if row.visible else [],
        unsettled=is_unsettled(page)
        or any(says_outdated(each.body) for each in pieces if not each.position),
        edges=_edges(pieces),
        belongs_to=f"{page.space.lstrip('~')} {space} {page.owner}",
    )


def _edges(pieces: Sequence[PieceEntry]) -> Keys:
    in_order = sorted(pieces, key=lambda piece: piece.position)
    return edges([piece.body for piece in in_order if piece.in_page])


def _piece_entry(evidence_id: str, acl_id: str, piece: _Indexed, vector: bytes) -> PieceEntry:
    return PieceEntry(
        evidence_id=evidence_id,
        acl_id=acl_id,
        path=" ".join(piece.heading_path),
        body=piece.text,
        position=piece.position,
        in_page=piece.kind is not Kind.ROW,
        vector=vector,
    )
