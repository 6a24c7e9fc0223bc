"""Rows of the page table: read in batches, and as the values that a sync works with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from sqlmodel import Session, col, select

from core.confluence import Readers
from core.models import Page
from core.storage.index_tables import PageRow
from indexer.state.plan import IndexedPage, SpaceTreeNode

SQL_BATCH = 500  # values in one IN (…)


def in_batches(values: Iterable[str]) -> Iterator[Sequence[str]]:
    ordered = sorted(values)
    for start in range(0, len(ordered), SQL_BATCH):
        yield ordered[start : start + SQL_BATCH]


def rows_of(session: Session, ids: Iterable[str]) -> Iterator[PageRow]:
    for batch in in_batches(ids):
        yield from session.exec(select(PageRow).where(col(PageRow.id).in_(batch))).all()


def row_of(session: Session, page: Page) -> PageRow:
    """The row of a page; a new one, which readers do not find, where there is none."""
    found = session.get(PageRow, page.id)
    return found or PageRow(
        id=page.id,
        space=page.space,
        title=page.title,
        record=page.model_dump(mode="json"),
        visible=False,
    )


def readers_of(row: PageRow) -> Readers | None:
    return None if row.readers is None else frozenset(row.readers)


def node_of(row: PageRow) -> SpaceTreeNode:
    kind: Mapping[str, str] = row.record
    return SpaceTreeNode(
        row.id,
        kind.get("node") or "page",
        kind.get("parent_id"),
    )


def indexed_page(row: PageRow) -> IndexedPage:
    return IndexedPage(
        page=Page.model_validate(row.record),
        made_by=row.made_by,
        visible=row.visible,
        acl_id=row.acl_id,
        readers=readers_of(row),
        scanned_at=row.scanned_at,
        extras=row.extras,
        names=tuple(tuple(each) for each in row.names),
        missing_since=row.missing_since,
        next_try=row.next_try,
    )
