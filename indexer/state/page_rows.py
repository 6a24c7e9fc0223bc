"""Rows of the page table: read in batches, and as the values that a sync works with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from sqlmodel import Session, select

from core.models import Page
from core.page_source import Readers
from core.pages import PageKey, PageKind
from core.storage.database import take_turns
from core.storage.index_tables import PageRow, is_page
from indexer.state import mentions
from indexer.state.plan import IndexedPage, SpaceTreeNode

SQL_BATCH = 500  # values in one IN (…)


@dataclass(frozen=True)
class KnownNode:
    """A node of the tree as it was read last."""

    node: SpaceTreeNode
    readers: Readers | None  # None: unknown
    scanned_at: float


def in_batches(values: Iterable[str]) -> Iterator[Sequence[str]]:
    ordered = sorted(values)
    for start in range(0, len(ordered), SQL_BATCH):
        yield ordered[start : start + SQL_BATCH]


def keys_in_batches(source: str, ids: Iterable[str]) -> Iterator[Sequence[PageKey]]:
    for batch in in_batches(ids):
        yield [PageKey(source, each) for each in batch]


def rows_of(session: Session, source: str, ids: Iterable[str]) -> Iterator[PageRow]:
    for batch in keys_in_batches(source, ids):
        yield from session.exec(select(PageRow).where(is_page(batch))).all()


def row_of(session: Session, page: Page) -> PageRow:
    """The row of a page; a new one, which readers do not find, where there is none.

    Nobody else makes one before this transaction ends.
    """
    take_turns(session, f"page:{page.key}")
    found = session.get(PageRow, page.key)
    return found or PageRow(
        source=page.source,
        id=page.id,
        space=page.space,
        title=page.title,
        record=page.model_dump(mode="json"),
        visible=False,
    )


def readers_of(row: PageRow) -> Readers | None:
    return None if row.readers is None else frozenset(row.readers)


def known_node(row: PageRow) -> KnownNode:
    kind = PageKind(row.record.get("node") or PageKind.PAGE)
    node = SpaceTreeNode(row.id, kind, row.record.get("parent_id"))
    return KnownNode(node, readers_of(row), row.scanned_at)


def indexed_page(row: PageRow) -> IndexedPage:
    return IndexedPage(
        page=Page.model_validate(row.record),
        made_by=row.made_by,
        visible=row.visible,
        acl_id=row.acl_id,
        readers=readers_of(row),
        scanned_at=row.scanned_at,
        extras=row.extras,
        mentions=mentions.stored(row.names),
        missing_since=row.missing_since,
        next_try=row.next_try,
    )
