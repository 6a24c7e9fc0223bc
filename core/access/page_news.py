"""News of pages: which ones a source told us that they have changed; a set, kept in SQL.

News says nothing but which page to read again. It is struck off when that was done, unless the
page was told again meanwhile: then it may have changed after it was read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sqlmodel import col, delete, select

from core.pages import PageKey
from core.storage import clock
from core.storage.access_tables import PageNewsRow
from core.storage.database import Database


def tell(database: Database, pages: Iterable[PageKey]) -> None:
    """Remember that these pages have to be read again."""
    now = clock.now()
    # Two of the same page at the same time would both find no row.
    with database.one_at_a_time("page news") as session:
        for key in sorted(set(pages)):
            row = PageNewsRow(source=key.source, page_id=key.id, at=now)
            session.merge(row)


def waiting(database: Database, source: str, *, most: int) -> dict[str, float]:
    """The ids of the pages told and when, those told first at the front; at most so many."""
    query = (
        select(PageNewsRow)
        .where(PageNewsRow.source == source)
        .order_by(col(PageNewsRow.at), col(PageNewsRow.page_id))
        .limit(most)
    )
    with database.reading() as session:
        return {row.page_id: row.at for row in session.exec(query).all()}


def strike(database: Database, source: str, read: Mapping[str, float]) -> None:
    """Strike off pages that were read, each with the moment at which it had been told."""
    with database.session() as session:
        for page_id, at in read.items():
            same = (
                col(PageNewsRow.source) == source,
                col(PageNewsRow.page_id) == page_id,
                col(PageNewsRow.at) == at,
            )
            session.exec(delete(PageNewsRow).where(*same))
