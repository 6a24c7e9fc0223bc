"""The indexer's side of the page table: what is indexed, what failed and when it is tried again, and each run."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sqlmodel import Session, col, select, update

from core.confluence import Readers
from core.evidence.dense.collections import locked_state
from core.models import Page
from core.policy import acl
from core.policy.acl import Clauses
from core.storage.database import Database
from core.storage.index_tables import PageRow
from indexer.state.plan import IndexedPage, SpaceTreeNode

FIRST_RETRY_S = 60.0  # doubles with each failure
LAST_RETRY_S = 6 * 3600.0
SQL_BATCH = 500  # values in one IN (…)


@dataclass(frozen=True)
class Failure:
    """A page that could not be brought up to date."""

    page: Page
    error: str
    failures: int
    next_try: float


class PageState:
    """Reads and writes what the indexer must remember between runs."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._saved_acls: set[Clauses] = set()

    def rows(self, ids: Iterable[str]) -> dict[str, IndexedPage]:
        """What is known of these pages."""
        with self.database.reading() as session:
            found = [
                row
                for batch in in_batches(ids)
                for row in session.exec(select(PageRow).where(col(PageRow.id).in_(batch))).all()
            ]
        return {row.id: _indexed(row) for row in found}

    def indexed(self, space: str, page_ids: Iterable[str]) -> dict[str, IndexedPage]:
        """What is known of a space and of these pages, wherever they stood before; folders are not among them."""
        with self.database.reading() as session:
            here = session.exec(select(PageRow).where(PageRow.space == space)).all()
        rows = {
            row.id: _indexed(row) for row in here if row.record.get("kind") in ("page", "blogpost")
        }
        return rows | self.rows(set(page_ids) - rows.keys())

    def nodes(self, ids: Iterable[str]) -> dict[str, tuple[SpaceTreeNode, Readers | None, float]]:
        """What is known of folders and other unlisted parents and of what is above them: the node, its readers, when they were read."""
        found: dict[str, tuple[SpaceTreeNode, Readers | None, float]] = {}
        wanted = set(ids)
        with self.database.reading() as session:
            while wanted:
                rows = [
                    row
                    for batch in in_batches(wanted)
                    for row in session.exec(select(PageRow).where(col(PageRow.id).in_(batch))).all()
                ]
                found |= {row.id: (_node(row), _readers(row), row.scanned_at) for row in rows}
                wanted = (
                    {node.parent_id for node, _, _ in found.values() if node.parent_id}
                    - found.keys()
                    - wanted
                )
        return found

    def save_acl(self, clauses: Clauses) -> str:
        """Make an ACL known to readers; its id."""
        if clauses and clauses not in self._saved_acls:
            with self.database.session() as session:
                acl.save(session, clauses)
            self._saved_acls.add(clauses)
        return acl.acl_id(clauses)

    def save_scan(self, page: Page, *, readers: Readers | None, extras: str) -> None:
        """Remember who alone may read a page by its own restriction; one seen for the first time gets its row."""
        with self.database.session() as session:
            row = _row(session, page)
            row.readers = None if readers is None else sorted(readers)
            row.scanned_at, row.extras = time.time(), extras
            session.add(row)

    def scanned(self, page_ids: Iterable[str]) -> None:
        """The listing itself has just shown all there is to know of these pages."""
        with self.database.session() as session:
            for batch in in_batches(page_ids):
                session.exec(
                    update(PageRow).where(col(PageRow.id).in_(batch)).values(scanned_at=time.time())
                )

    def save_node(self, space: str, node: SpaceTreeNode, readers: Readers | None) -> None:
        """Remember a folder, or another parent that no listing shows; a page of another space is that space's business."""
        with self.database.session() as session:
            empty = Page(id=node.id, kind=node.kind, space=space, title="", url="")
            row = session.get(PageRow, node.id) or PageRow(
                id=node.id, space=space, visible=False, record=empty.model_dump(mode="json")
            )
            if row.visible:
                return
            row.record = {**row.record, "parent_id": node.parent_id, "node": node.kind}
            row.readers, row.scanned_at = None if readers is None else sorted(readers), time.time()
            session.add(row)

    def outdate(self, page_ids: Iterable[str]) -> None:
        """Mark pages as due before the work on them begins: should it be interrupted, the next sync begins with them."""
        with self.database.session() as session:
            for batch in in_batches(page_ids):
                session.exec(update(PageRow).where(col(PageRow.id).in_(batch)).values(made_by=""))

    def relist(self, pages: Iterable[Page]) -> None:
        """Another place, address, owner or label: what readers are shown of the page changes, its evidence does not."""
        moved = list(pages)
        if not moved:
            return
        with self.database.session() as session:
            state = locked_state(session)
            state.revision += 1  # whoever keeps a tree of the pages hears of it
            for page in moved:
                row = session.get_one(PageRow, page.id)
                row.record, row.revision = page.model_dump(mode="json"), state.revision

    def save_page(self, page: Page, *, made_by: str, names: Sequence[Sequence[str]]) -> None:
        """A new version with the same evidence: only what the listing says of it has changed."""
        with self.database.session() as session:
            state = locked_state(session)
            state.revision += 1
            row = session.get_one(PageRow, page.id)
            row.record, row.space, row.revision = (
                page.model_dump(mode="json"),
                page.space,
                state.revision,
            )
            row.made_by, row.names = made_by, [list(each) for each in names]

    def missed(self, page_id: str) -> None:
        """The listing lacks it, and Confluence did not say clearly why; that it failed before does not matter any more."""
        with self.database.session() as session:
            row = session.get_one(PageRow, page_id)
            row.missing_since = row.missing_since or time.time()
            row.error, row.failures, row.next_try = "", 0, 0.0

    def remove(self, page: Page) -> None:
        """Forget all that is known of a page that is hidden already; its row stays, so that every reader hears of it."""
        with self.database.session() as session:
            row = session.get_one(PageRow, page.id)
            empty = Page(
                id=page.id, kind=page.kind, space=page.space, title="", url="", status=page.status
            )
            row.record, row.title, row.readers, row.missing_since, row.scanned_at = (
                empty.model_dump(mode="json"),
                "",
                None,
                None,
                0.0,
            )
            row.error, row.failures, row.next_try = "", 0, 0.0

    def succeeded(self, page_id: str) -> None:
        with self.database.session() as session:
            row = session.get_one(PageRow, page_id)
            row.error, row.failures, row.next_try = "", 0, 0.0

    def failed(self, page: Page, error: str) -> None:
        """Write the failure down; the old evidence stays, and the wait before the next try doubles."""
        with self.database.session() as session:
            row = _row(session, page)
            row.failures += 1
            row.error = error
            row.next_try = time.time() + min(FIRST_RETRY_S * 2 ** (row.failures - 1), LAST_RETRY_S)
            session.add(row)

    def body_hash(self, page_id: str) -> str:
        with self.database.reading() as session:
            row = session.get(PageRow, page_id)
            return row.body_hash if row else ""

    def failures(self) -> list[Failure]:
        with self.database.reading() as session:
            rows = session.exec(select(PageRow).where(PageRow.failures > 0)).all()
            return [
                Failure(Page.model_validate(row.record), row.error, row.failures, row.next_try)
                for row in rows
            ]


def _row(session: Session, page: Page) -> PageRow:
    found = session.get(PageRow, page.id)
    return found or PageRow(
        id=page.id,
        space=page.space,
        title=page.title,
        record=page.model_dump(mode="json"),
        visible=False,
    )


def in_batches(values: Iterable[str]) -> Iterable[Sequence[str]]:
    ordered = sorted(values)
    return (ordered[start : start + SQL_BATCH] for start in range(0, len(ordered), SQL_BATCH))


def _readers(row: PageRow) -> Readers | None:
    return None if row.readers is None else frozenset(row.readers)


def _node(row: PageRow) -> SpaceTreeNode:
    kind: Mapping[str, str] = row.record
    return SpaceTreeNode(row.id, kind.get("node") or "page", kind.get("parent_id"))


def _indexed(row: PageRow) -> IndexedPage:
    return IndexedPage(
        page=Page.model_validate(row.record),
        made_by=row.made_by,
        visible=row.visible,
        acl_id=row.acl_id,
        readers=_readers(row),
        scanned_at=row.scanned_at,
        extras=row.extras,
        names=tuple(tuple(each) for each in row.names),
        missing_since=row.missing_since,
        next_try=row.next_try,
    )
