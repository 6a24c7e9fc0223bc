"""Lexical index of this process: a snapshot in memory that is fed from SQL by revision.

A snapshot never changes, so a search works on one moment, whatever another thread brings in
meanwhile. A file of this host saves the next process from reading all of SQL.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from sqlalchemy import Text, cast
from sqlalchemy import select as rows
from sqlmodel import Session, col, select

from core.evidence.lexical import snapshot_file
from core.evidence.lexical.builder import PageEntries, PieceEntry
from core.evidence.lexical.page_edges import Keys, edges
from core.evidence.lexical.page_status import is_unsettled
from core.evidence.lexical.snapshot import Snapshot
from core.models import Kind, Page
from core.pages import PageKey
from core.settings.values import EvidenceEngine
from core.storage.database import Database
from core.storage.index_epoch import is_of_this_history, leave_epoch
from core.storage.index_tables import EvidenceRow, IndexRow, PageRow, SpaceRow, is_on_page, is_page
from core.value import Value

# Raise it when the terms, what counts as unsettled or the file change: the file is then remade.
FORMAT = 13
PAGES_AT_ONCE = 50  # read from SQL
SAVED_AFTER = 0.02  # of all pages must have changed for the file to be written again


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


class LexicalIndex:
    """The snapshot of this process, and the file of this host."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._path = folder / f"lexical-{FORMAT}.npz"
        self._lock = threading.Lock()
        self._snapshot: Snapshot | None = None
        self._saved = 0  # pages that changed since the file was written

    @property
    def snapshot(self) -> Snapshot:
        if self._snapshot is None:
            with self._lock:
                self._snapshot = self._snapshot or snapshot_file.load(self._path)
        return self._snapshot

    def revision(self, identity: str) -> int:
        """The revision in SQL that this has caught up with; -1 when made from another database."""
        return _revision(self.snapshot, identity)

    def is_at(self, state: IndexRow) -> bool:
        """Whether this is made from all that SQL has."""
        known = self.snapshot
        there = (known.identity, known.revision, known.mark)
        return there == (state.identity, state.revision, state.mark)

    def catch_up(
        self,
        pages: Iterable[PageEntries],
        *,
        identity: str,
        since: int,
        revision: int,
        mark: str = "",
    ) -> None:
        """Replace these pages, which are read one after the other, and keep the revision.

        Does nothing, and reads none, when another thread has moved past `since` meanwhile: its
        pages may be newer than ours.
        """
        with self._lock:
            before = self._snapshot or Snapshot()
            if _revision(before, identity) != since:
                return
            if since < 0:
                before = Snapshot()
            new = before.incoming(pages)
            self._snapshot = before.changed(new, identity=identity, revision=revision, mark=mark)
            self._saved += len(new.replaced)
            if since < 0 or self._saved > SAVED_AFTER * len(self._snapshot.page_keys):
                self._saved = 0
                snapshot_file.save(self._path, self._snapshot)

    def document_frequency(self, term: str) -> int:
        """In how many pieces a term occurs."""
        return self.snapshot.pieces.frequency(term)

    def size(self) -> int:
        """How many pieces there are."""
        return self.snapshot.pieces.size


def _revision(snapshot: Snapshot, identity: str) -> int:
    return snapshot.revision if snapshot.identity == identity else -1


def catch_up(database: Database, lexical: LexicalIndex) -> IndexRow | None:
    """Bring the lexical index of this process to the revision of SQL.

    Returns what SQL says of the index; None before the first sync.
    """
    with database.reading() as session:
        state = session.get(IndexRow, 1)
        if state is None or state.engine != EvidenceEngine.HOST or lexical.is_at(state):
            return state  # another engine has the words where it is in force
        since = lexical.revision(state.identity)
        is_exchanged = since >= 0 and not is_of_this_history(session, since, lexical.snapshot.mark)
    if is_exchanged:
        leave_epoch(database, state.identity)
    return _caught_up(database, lexical)


def _caught_up(database: Database, lexical: LexicalIndex) -> IndexRow:
    with database.reading() as session:
        state = session.get_one(IndexRow, 1)
        since = lexical.revision(state.identity)
        query = select(PageRow.source, PageRow.id).where(PageRow.revision > since)
        changed = [PageKey(*found) for found in session.exec(query).all()]
        lexical.catch_up(
            entries(session, changed),
            identity=state.identity,
            since=since,
            revision=state.revision,
            mark=state.mark,
        )
    return state


def entries(session: Session, keys: Sequence[PageKey]) -> Iterator[PageEntries]:
    """These pages as they are now, a few read at a time.

    The text of a whole wiki is more than a process should hold.
    """
    for start in range(0, len(keys), PAGES_AT_ONCE):
        batch = keys[start : start + PAGES_AT_ONCE]
        pages = session.exec(select(PageRow).where(is_page(batch))).all()
        by_key = {row.key: row for row in pages}
        spaces = _names_of_spaces(session)
        pieces = defaultdict[PageKey, list[PieceEntry]](list)
        for row in session.execute(_PIECES.where(is_on_page(batch))).all():
            piece = _Indexed.model_validate_json(row.record)
            entry = _piece_entry(row.id, row.acl_id, piece)
            pieces[PageKey(row.source, row.page_id)].append(entry)
        for key in batch:
            if key in by_key:
                page = by_key[key]
                name = spaces.get((page.source, page.space), "")
                yield _page_entries(page, pieces[key], name)
        session.expunge_all()


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
        unsettled=is_unsettled(page),
        edges=_edges(pieces),
        belongs_to=f"{page.space.lstrip('~')} {space} {page.owner}",
    )


def _edges(pieces: Sequence[PieceEntry]) -> Keys:
    in_order = sorted(pieces, key=lambda piece: piece.position)
    return edges([piece.body for piece in in_order if piece.in_page])


def _piece_entry(evidence_id: str, acl_id: str, piece: _Indexed) -> PieceEntry:
    return PieceEntry(
        evidence_id=evidence_id,
        acl_id=acl_id,
        path=" ".join(piece.heading_path),
        body=piece.text,
        position=piece.position,
        in_page=piece.kind is not Kind.ROW,
    )
