"""Writes the postings of pages in place of those they had, in the transaction of the evidence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from sqlalchemy import Table, delete, insert, select, text, update
from sqlalchemy.dialects import postgresql
from sqlmodel import Session

from core.evidence.lexical.analyzer import asked, plain_words
from core.evidence.lexical.builder import Incoming, PageEntries
from core.evidence.lexical.entries import entries
from core.evidence.lexical.host_files import FORMAT
from core.evidence.lexical.page_status import edition_of
from core.evidence.lexical.segments.postings import Floats
from core.evidence.postings.packed import Numbers, packed
from core.pages import PageKey
from core.settings.values import EvidenceEngine
from core.storage.index_tables import is_one_of
from core.storage.postings.tables import (
    PAGE_POSTINGS,
    PAGES,
    PIECE_POSTINGS,
    PIECES,
    SECTIONS,
    SIGNS,
    TABLES,
    WORDS,
    Sign,
)

ENGINE = EvidenceEngine.POSTGRES  # whose words these are
# Of the terms and of their postings: when it changes, a sync writes them anew.
WORDS_FORMAT = 1000 * FORMAT + 1
_LENGTHS = ("title_length", "path_length", "body_length")
_DIGITS = 9  # of a part of an edition: page_status takes no longer ones


def clear(session: Session) -> None:
    """Forget all pages."""
    names = ", ".join(table.name for table in TABLES)
    session.execute(text(f"TRUNCATE {names}"))


def put_in_order(session: Session) -> None:
    """Have the postings of a term stand side by side on disk: read so, they take a third.

    Nobody can search meanwhile. Pages that change later stand wherever there is room.
    """
    for table in (PIECE_POSTINGS, PAGE_POSTINGS):
        session.execute(text(f"CLUSTER {table.name} USING {table.name}_pkey"))


def put(session: Session, pages: Sequence[PageKey], revision: int) -> None:
    """Make these pages findable as they are in this transaction; call it when all is in.

    The session forgets its objects then, as `entries` says.
    """
    session.flush()
    remove(session, pages)
    new = Incoming()
    for page in entries(session, pages, coder=""):
        new.add(page)
    if not new.there:
        return
    terms = new.terms
    on = np.asarray(new.page_of, np.int64)
    found_pages = new.pages.all()
    page_numbers = _put_pages(session, new, found_pages.lengths.astype(int).tolist())
    found = new.pieces.all()
    sections = _put_sections(session, new, page_numbers[on], found.lengths)
    places = np.arange(len(on)) - np.searchsorted(on, on)  # on its page
    columns = (new.piece_ids, page_numbers[on].tolist(), places.tolist(), sections.tolist())
    _copy(session, PIECES, zip(*columns, strict=True))
    of_pieces = packed(found, page_numbers[on], places, sections)
    of_pages = packed(found_pages, page_numbers, np.zeros_like(page_numbers), page_numbers)
    _copy(session, PIECE_POSTINGS, ((terms[term], *rest) for term, *rest in of_pieces))
    _copy(session, PAGE_POSTINGS, ((terms[term], *rest) for term, *rest in of_pages))
    _put_signs(session, new, page_numbers)
    _put_words(session, new.plain, revision)


def remove(session: Session, pages: Iterable[PageKey]) -> None:
    """Nothing of these pages is found any more."""
    found = _numbered(session, pages)
    if not found:
        return
    sections = select(SECTIONS.c.number).where(SECTIONS.c.page.in_(found))
    session.execute(delete(PIECE_POSTINGS).where(PIECE_POSTINGS.c.section.in_(sections)))
    for table in (SECTIONS, PAGE_POSTINGS, PIECES, SIGNS):
        session.execute(delete(table).where(table.c.page.in_(found)))
    session.execute(delete(PAGES).where(PAGES.c.number.in_(found)))


def set_acl(session: Session, pages: Iterable[PageKey], before: str, now: str) -> None:
    """Change who finds what of these pages had the ACL `before`."""
    theirs = SECTIONS.c.page.in_(_numbered(session, pages))
    changed = update(SECTIONS).where(theirs, SECTIONS.c.acl_id == before)
    session.execute(changed.values(acl_id=now))


def _numbered(session: Session, pages: Iterable[PageKey]) -> list[int]:
    here = is_one_of(pages, PAGES.c.source, PAGES.c.page_id)
    return list(session.execute(select(PAGES.c.number).where(here)).scalars())


def _put_pages(session: Session, new: Incoming, lengths: Sequence[Sequence[int]]) -> Numbers:
    """The numbers that the pages got."""
    rows: list[dict[str, Any]] = []
    for page, length in zip(new.there, lengths, strict=True):
        family, edition = ("", "") if page.unsettled else _edition(page)
        rows.append(
            {
                "source": page.key.source,
                "page_id": page.key.id,
                "title": page.title,
                "belongs_to": page.belongs_to,
                "terms": len(_title_terms(page.title)),
                "unsettled": page.unsettled,
                "family": family,
                "edition": edition,
                **dict(zip(_LENGTHS, length, strict=True)),
            }
        )
    return _numbered_anew(session, PAGES, rows)


def _numbered_anew(session: Session, table: Table, rows: Sequence[dict[str, Any]]) -> Numbers:
    """The numbers that these rows got, in their order."""
    put = insert(table).returning(table.c.number, sort_by_parameter_order=True)
    return np.array(session.execute(put, rows).scalars().all(), np.int64)


def _edition(page: PageEntries) -> tuple[str, str]:
    """What the page is an edition of, and which: numbers that compare as texts."""
    family, edition = edition_of(page.title, page.space)
    numbers = edition.split(".") if edition else []
    return family, "".join(number.zfill(_DIGITS) for number in numbers)


def _put_sections(session: Session, new: Incoming, pages: Numbers, lengths: Floats) -> Numbers:
    """The number of each piece's section."""
    of: dict[tuple[int, str], list[int]] = {}
    for piece, section in enumerate(zip(pages.tolist(), new.acls, strict=True)):
        of.setdefault(section, []).append(piece)
    rows: list[dict[str, Any]] = []
    for (page, acl_id), pieces in of.items():
        whole = lengths[pieces].sum(axis=0).astype(int).tolist()
        row: dict[str, Any] = {"page": page, "acl_id": acl_id, "pieces": len(pieces)}
        rows.append(row | dict(zip(_LENGTHS, whole, strict=True)))
    found = np.zeros(len(pages), np.int64)
    numbers = _numbered_anew(session, SECTIONS, rows)
    for number, pieces in zip(numbers.tolist(), of.values(), strict=True):
        found[pieces] = number
    return found


def _put_signs(session: Session, new: Incoming, pages: Numbers) -> None:
    rows: list[tuple[str, str, int]] = []
    for number, page in zip(pages.tolist(), new.there, strict=True):
        rows += [(Sign.TERM.value, term, number) for term in _title_terms(page.title)]
        rows += [(Sign.WORD.value, word, number) for word in plain_words(page.title)]
        rows += [(Sign.EDGE.value, str(key), number) for key in set(page.edges)]
    _copy(session, SIGNS, rows)


def _title_terms(title: str) -> set[str]:
    return {word.terms[0] for word in asked(title)}


def _put_words(session: Session, words: Iterable[str], revision: int) -> None:
    """Those that are new. In order, or of two who insert the same ones each waits for the other."""
    rows = [{"word": word, "since": revision} for word in sorted(words)]
    if rows:
        new = postgresql.insert(WORDS).on_conflict_do_nothing()
        session.connection().execute(new, rows)


def _copy(session: Session, table: Table, rows: Iterable[Sequence[Any]]) -> None:
    """Ten times as fast as INSERT."""
    names = ", ".join(column.name for column in table.columns)
    # Of Postgres' own driver: SQLAlchemy has no word for it.
    cursor: Any = session.connection().connection.cursor()
    with cursor, cursor.copy(f"COPY {table.name} ({names}) FROM STDIN") as copy:
        for row in rows:
            copy.write_row(row)
