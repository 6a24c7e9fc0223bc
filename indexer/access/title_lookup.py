"""Looks pages up by the names that other pages give them, and the titles that pages show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlmodel import col, select

from core.pages import PageKey
from core.policy import acl
from core.policy.acl import Clauses
from core.storage.database import Database
from core.storage.index_tables import PageRow
from indexer.parse import PageName
from indexer.state.page_rows import in_batches


@dataclass(frozen=True)
class NamedPage:
    """A page that another one names."""

    id: str
    title: str
    clauses: Clauses


def look_up_pages(
    database: Database, source: str, names: Sequence[PageName], own_space: str
) -> dict[PageName, NamedPage | None]:
    """What the index holds of a source under these names, by id where there is one.

    None where it holds nothing.
    """
    ids: set[str] = set()
    titles: set[str] = set()
    for name in names:
        if name.id:
            ids.add(name.id)
        else:
            titles.add(name.title)
    rows: list[PageRow] = []
    with database.reading() as session:
        for column, values in ((PageRow.id, ids), (PageRow.title, titles)):
            for batch in in_batches(values):
                named = select(PageRow).where(PageRow.source == source, col(column).in_(batch))
                rows += session.exec(named.where(col(PageRow.visible))).all()
    by_id: dict[str, PageRow] = {}
    by_title: dict[tuple[str, str], PageRow] = {}
    for row in rows:
        by_id[row.id] = row
        by_title[row.space, row.title] = row
    found: dict[PageName, NamedPage | None] = {}
    for name in names:
        in_space = (name.space or own_space, name.title)
        held = by_id.get(name.id) if name.id else by_title.get(in_space)
        found[name] = _named_page(database, held) if held else None
    return found


def titles_shown_elsewhere(
    database: Database,
    source: str,
    space: str,
) -> dict[PageKey, set[str]]:
    """The titles of other pages that pages of other spaces show; a source names only its own."""
    names = select(PageRow.id, PageRow.names).where(PageRow.source == source)
    elsewhere = names.where(PageRow.space != space, col(PageRow.visible))
    with database.reading() as session:
        rows = session.exec(elsewhere).all()
    titles: dict[PageKey, set[str]] = {}
    for page_id, mentions in rows:
        if mentions:
            titles[PageKey(source, page_id)] = {each["shown"] for each in mentions}
    return titles


def _named_page(database: Database, row: PageRow) -> NamedPage | None:
    clauses = acl.clauses_of(database, row.acl_id)
    return None if clauses is None else NamedPage(row.id, row.title, clauses)
