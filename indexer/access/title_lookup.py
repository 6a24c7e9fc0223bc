"""Pages as other pages name them: what the index holds under a title, and where a title is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlmodel import col, select

from core.policy import acl
from core.policy.acl import Clauses
from core.storage.database import Database
from core.storage.index_tables import PageRow
from indexer.parse import PageName
from indexer.state.page_state import in_batches


@dataclass(frozen=True)
class NamedPage:
    """A page that another one names."""

    title: str
    clauses: Clauses


def places(
    database: Database, names: Sequence[PageName], own_space: str
) -> dict[PageName, NamedPage | None]:
    """What the index holds under these names, by id where there is one; None for what it does not hold."""
    ids, titles = (
        {name.id for name in names if name.id},
        {name.title for name in names if not name.id},
    )
    rows: list[PageRow] = []
    with database.reading() as session:
        for column, values in ((PageRow.id, ids), (PageRow.title, titles)):
            for batch in in_batches(values):
                rows += session.exec(
                    select(PageRow).where(col(column).in_(batch), col(PageRow.visible))
                ).all()
    found = {row.id: row for row in rows} | {(row.space, row.title): row for row in rows}
    return {
        name: _place(database, found.get(name.id or (name.space or own_space, name.title)))
        for name in names
    }


def said_elsewhere(database: Database, space: str) -> dict[str, set[str]]:
    """The titles of other pages that pages of other spaces show, by page id."""
    with database.reading() as session:
        rows = session.exec(
            select(PageRow.id, PageRow.names).where(PageRow.space != space, col(PageRow.visible))
        ).all()
    return {page_id: {each[-1] for each in names} for page_id, names in rows if names}


def _place(database: Database, row: PageRow | None) -> NamedPage | None:
    clauses = acl.clauses_of(database, row.acl_id) if row else None
    return NamedPage(row.title, clauses) if row and clauses is not None else None
