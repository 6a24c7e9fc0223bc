"""Attachments in SQL: which files wait, what became of the others, and texts by content.

A file that was refused is remembered by its content, so that the same bytes are never opened again
by the same converter, on whichever page they turn up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from enum import StrEnum

from sqlalchemy import ColumnElement
from sqlmodel import Session, col, delete, exists, select, update

from core.page_source import Attachment
from core.storage import clock
from core.storage.database import Database
from core.storage.index_tables import AttachmentRow, ConversionRow, PageRow
from core.storage.upsert import put
from indexer.attachments.convert import converter_version

FIRST_RETRY_S = 60.0  # doubles with each failed download
LAST_RETRY_S = 6 * 3600.0
LONGEST_NAME = 200


class State(StrEnum):
    """Of one version of a file."""

    WAITING = "waiting"
    READ = "read"
    REFUSED = "refused"  # by its content or its size: not tried again
    FAILED = "failed"  # its download: tried again


def shown_name(name: str) -> str:
    """A file's name as people and terminals can be shown it: one short line of visible letters."""
    visible = "".join(letter if letter.isprintable() else "�" for letter in name)
    return visible[:LONGEST_NAME]


class Outcomes:
    """The attachments of one source."""

    def __init__(self, database: Database, source: str) -> None:
        self._database = database
        self._source = source

    def listed(
        self,
        page_id: str,
        files: Sequence[Attachment],
        *,
        most_bytes: int,
    ) -> dict[str, AttachmentRow]:
        """Take over what a page has now: rows by id, those of other versions waiting anew."""
        ids = [file.id for file in files]
        mine = (col(AttachmentRow.source) == self._source, col(AttachmentRow.page_id) == page_id)
        with self._database.session() as session:
            session.exec(delete(AttachmentRow).where(*mine, col(AttachmentRow.id).not_in(ids)))
            for file in files:
                self._take_over(session, page_id, file, most_bytes)
        with self._database.reading() as session:
            rows = session.exec(select(AttachmentRow).where(*mine)).all()
        return {row.id: row for row in rows}

    def _take_over(
        self,
        session: Session,
        page_id: str,
        file: Attachment,
        most_bytes: int,
    ) -> None:
        row = session.get(AttachmentRow, (self._source, file.id))
        is_too_large = file.size > most_bytes
        reason = f"it has {file.size:,} bytes, more than CONFLUENCE_ATTACHMENT_MB" * is_too_large
        by_size = row is not None and row.state == State.REFUSED and not row.data_hash
        is_same = row is not None and (row.version, row.page_id) == (file.version, page_id)
        if is_same and by_size == is_too_large:
            return
        session.merge(
            AttachmentRow(
                source=self._source,
                id=file.id,
                page_id=page_id,
                name=file.title,
                version=file.version,
                size=file.size,
                download=file.download,
                state=State.REFUSED if is_too_large else State.WAITING,
                reason=reason,
            )
        )

    def text(self, row: AttachmentRow) -> str | None:
        """The text of a file as storage format; None as long as there is none."""
        if not row.data_hash:
            return None
        with self._database.reading() as session:
            found = session.get(ConversionRow, (row.data_hash, row.converter))
        return None if found is None or found.reason else found.text

    def waiting(self) -> list[AttachmentRow]:
        """What is due, spaces and pages in turn: one with many starves none.

        The first file of each page of a space comes before the second of any, and a space's first
        before the second of another space; among equals comes whoever has waited longest since one
        of theirs was tried. What failed before comes after what was never tried.
        """
        mine = select(AttachmentRow, PageRow.space).join(PageRow, page_of_file())
        with self._database.reading() as session:
            of_source = mine.where(AttachmentRow.source == self._source, col(PageRow.visible))
            return in_turn(session.exec(of_source).all(), clock.now())

    def known(self, data_hash: str) -> ConversionRow | None:
        """What became of the same content before."""
        with self._database.reading() as session:
            return session.get(ConversionRow, (data_hash, converter_version()))

    def save(self, row: AttachmentRow, conversion: ConversionRow) -> None:
        """A file was read, or refused for good."""
        with self._database.session() as session:
            put(session, conversion)
            self._update(
                session,
                row,
                state=State.REFUSED if conversion.reason else State.READ,
                reason=conversion.reason,
                data_hash=conversion.data_hash,
                converter=conversion.converter,
                failures=0,
            )

    def save_failure(self, row: AttachmentRow, error: str) -> None:
        """A download failed; the wait before the next one doubles."""
        wait = min(FIRST_RETRY_S * 2**row.failures, LAST_RETRY_S)
        with self._database.session() as session:
            self._update(
                session,
                row,
                state=State.FAILED,
                reason=error,
                failures=row.failures + 1,
                next_try=clock.now() + wait,
            )

    def _update(self, session: Session, row: AttachmentRow, **values: object) -> None:
        """Only while it is the same version: a sync may have seen another meanwhile."""
        same = (
            col(AttachmentRow.source) == row.source,
            col(AttachmentRow.id) == row.id,
            col(AttachmentRow.version) == row.version,
        )
        values["tried_at"] = clock.now()
        session.exec(update(AttachmentRow).where(*same).values(**values))

    def clear(self) -> list[str]:
        """Forget all files of this source, which are not wanted any more; ids of their pages."""
        mine = col(AttachmentRow.source) == self._source
        with self._database.session() as session:
            page_ids = session.exec(select(AttachmentRow.page_id).where(mine).distinct()).all()
            if page_ids:
                session.exec(delete(AttachmentRow).where(mine))
        if page_ids:
            self.tidy()
        return list(page_ids)

    def tidy(self) -> None:
        """Let another converter try again; forget files of pages that nobody is shown."""
        made_by = col(AttachmentRow.converter)
        other = (made_by != "", made_by != converter_version())
        shown = exists().where(page_of_file(), col(PageRow.visible))
        used = exists().where(
            col(AttachmentRow.data_hash) == col(ConversionRow.data_hash),
            col(AttachmentRow.converter) == col(ConversionRow.converter),
        )
        mine = col(AttachmentRow.source) == self._source
        with self._database.session() as session:
            session.exec(update(AttachmentRow).where(mine, *other).values(state=State.WAITING))
            session.exec(delete(AttachmentRow).where(mine, ~shown))
            session.exec(delete(ConversionRow).where(~used))


def in_turn(rows: Sequence[tuple[AttachmentRow, str]], now: float) -> list[AttachmentRow]:
    """Those that are due, of all files with their spaces, in the order of Outcomes.waiting."""
    of_page: dict[str, float] = {}  # when one was tried last
    of_space: dict[str, float] = {}
    for row, space in rows:
        of_page[row.page_id] = max(row.tried_at, of_page.get(row.page_id, 0.0))
        of_space[space] = max(row.tried_at, of_space.get(space, 0.0))
    due = [
        (row, space)
        for row, space in sorted(rows, key=lambda each: (each[0].since, each[0].id))
        if row.state in (State.WAITING, State.FAILED) and row.next_try <= now
    ]
    in_page: Counter[str] = Counter()
    placed = []
    for row, space in due:
        in_page[row.page_id] += 1
        placed.append(((in_page[row.page_id], of_page[row.page_id]), space, row))
    placed.sort(key=lambda each: each[0])
    in_space: Counter[str] = Counter()
    found = []
    for _, space, row in placed:
        in_space[space] += 1
        found.append(((row.failures, in_space[space], of_space[space]), row))
    return [row for _, row in sorted(found, key=lambda each: each[0])]


def page_of_file() -> ColumnElement[bool]:
    """What joins a file with its page."""
    return (col(AttachmentRow.source) == col(PageRow.source)) & (
        col(AttachmentRow.page_id) == col(PageRow.id)
    )
