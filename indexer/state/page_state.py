"""The indexer's side of the page table: what is indexed, what failed, and when it is retried."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlmodel import select, update

from core.models import Page
from core.page_source import Readers
from core.pages import PageKey, PageKind
from core.policy import acl
from core.policy.acl import Clauses
from core.storage import clock
from core.storage.database import Database
from core.storage.index_epoch import next_revision
from core.storage.index_tables import PageRow, is_page
from indexer.state.mentions import Mention
from indexer.state.page_rows import (
    KnownNode,
    indexed_page,
    keys_in_batches,
    known_node,
    row_of,
    rows_of,
)
from indexer.state.plan import IndexedPage, SpaceTreeNode

FIRST_RETRY_S = 60.0  # doubles with each failure
LAST_RETRY_S = 6 * 3600.0


@dataclass(frozen=True)
class Failure:
    """A page that could not be brought up to date."""

    page: Page
    error: str
    failures: int
    next_try: float


class PageState:
    """Reads and writes what the indexer must remember of one source between runs."""

    def __init__(self, database: Database, source: str) -> None:
        self.database = database
        self.source = source
        self._saved_acls: set[Clauses] = set()

    def rows(self, ids: Iterable[str]) -> dict[str, IndexedPage]:
        """What is known of these pages."""
        with self.database.reading() as session:
            return {row.id: indexed_page(row) for row in rows_of(session, self.source, ids)}

    def indexed(
        self,
        space: str,
        page_ids: Iterable[str],
    ) -> dict[str, IndexedPage]:
        """What is known of the pages of a space and of these, wherever they were; no folders."""
        of_space = select(PageRow).where(PageRow.source == self.source, PageRow.space == space)
        with self.database.reading() as session:
            here = session.exec(of_space).all()
        known: dict[str, IndexedPage] = {}
        for row in here:
            if PageKind(row.record["kind"]).is_indexed:
                known[row.id] = indexed_page(row)
        return known | self.rows(set(page_ids) - known.keys())

    def nodes(self, ids: Iterable[str]) -> dict[str, KnownNode]:
        """What is known of folders and other unlisted parents, and of all that is above them."""
        found: dict[str, KnownNode] = {}
        wanted = set(ids)
        with self.database.reading() as session:
            while wanted:
                above: set[str] = set()
                for row in rows_of(session, self.source, wanted):
                    found[row.id] = known_node(row)
                    above.add(found[row.id].node.parent_id or "")
                wanted = above - found.keys() - wanted - {""}
        return found

    def save_acl(self, clauses: Clauses) -> str:
        """Make an ACL known to readers; its id."""
        if clauses and clauses not in self._saved_acls:
            with self.database.session() as session:
                acl.save(session, clauses)
            self._saved_acls.add(clauses)
        return acl.acl_id(clauses)

    def save_scan(
        self,
        page: Page,
        *,
        readers: Readers | None,
        extras: str,
    ) -> None:
        """Remember a page's own read restriction; a new page gets its row."""
        with self.database.session() as session:
            row = row_of(session, page)
            row.readers = None if readers is None else sorted(readers)
            row.scanned_at, row.extras = clock.now(), extras
            session.add(row)

    def scanned(self, page_ids: Iterable[str]) -> None:
        """The listing itself has just shown all there is to know of these pages."""
        with self.database.session() as session:
            for batch in keys_in_batches(self.source, page_ids):
                chosen = update(PageRow).where(is_page(batch))
                session.exec(chosen.values(scanned_at=clock.now()))

    def save_node(
        self,
        space: str,
        node: SpaceTreeNode,
        readers: Readers | None,
    ) -> None:
        """Remember a folder or another unlisted parent, unless it is a page that readers find."""
        with self.database.session() as session:
            empty = Page(
                source=self.source,
                id=node.id,
                kind=node.kind,
                space=space,
                title="",
                url="",
            )
            row = row_of(session, empty)
            if row.visible:
                return
            row.record = {**row.record, "parent_id": node.parent_id, "node": node.kind}
            row.readers = None if readers is None else sorted(readers)
            row.scanned_at = clock.now()
            session.add(row)

    def mark_outdated(self, page_ids: Iterable[str]) -> None:
        """Mark pages as due before work on them begins, so that an interrupted sync resumes."""
        with self.database.session() as session:
            for batch in keys_in_batches(self.source, page_ids):
                chosen = update(PageRow).where(is_page(batch))
                session.exec(chosen.values(made_by=""))

    def save_listed(self, pages: Iterable[Page]) -> None:
        """Save another place, address, owner or label of pages whose evidence stays."""
        moved = list(pages)
        if not moved:
            return
        with self.database.session() as session:
            state = next_revision(session)  # caches of the page tree reload on it
            for page in moved:
                row = session.get_one(PageRow, page.key)
                row.record = page.model_dump(mode="json")
                row.revision = state.revision

    def save_page(
        self,
        page: Page,
        *,
        made_by: str,
        mentions: Sequence[Mention],
    ) -> None:
        """A new version with the same evidence: only what the listing says of it has changed."""
        with self.database.session() as session:
            state = next_revision(session)
            row = session.get_one(PageRow, page.key)
            row.record = page.model_dump(mode="json")
            row.space = page.space
            row.revision = state.revision
            row.made_by = made_by
            row.names = [each.model_dump(mode="json") for each in mentions]

    def mark_missing(self, page_id: str) -> None:
        """The listing lacks it and the source did not say clearly why; its failures are cleared."""
        with self.database.session() as session:
            row = session.get_one(PageRow, self._key(page_id))
            row.missing_since = row.missing_since or clock.now()
            _clear_failure(row)

    def remove(self, page: Page) -> None:
        """Forget a page that is hidden already; its row stays as a tombstone for every reader."""
        with self.database.session() as session:
            row = session.get_one(PageRow, page.key)
            empty = Page(
                source=page.source,
                id=page.id,
                kind=page.kind,
                space=page.space,
                title="",
                url="",
                status=page.status,
            )
            row.record = empty.model_dump(mode="json")
            row.title = ""
            row.readers = None
            row.missing_since = None
            row.scanned_at = 0.0
            _clear_failure(row)

    def clear_failure(self, page_id: str) -> None:
        with self.database.session() as session:
            row = session.get_one(PageRow, self._key(page_id))
            _clear_failure(row)

    def save_failure(self, page: Page, error: str) -> None:
        """Save a failure; the old evidence stays, and the wait before the next try doubles."""
        with self.database.session() as session:
            row = row_of(session, page)
            wait = FIRST_RETRY_S * 2**row.failures
            row.failures += 1
            row.error = error
            row.next_try = clock.now() + min(wait, LAST_RETRY_S)
            session.add(row)

    def body_hash(self, page_id: str) -> str:
        with self.database.reading() as session:
            row = session.get(PageRow, self._key(page_id))
            return row.body_hash if row else ""

    def _key(self, page_id: str) -> PageKey:
        return PageKey(self.source, page_id)


def failures(database: Database) -> list[Failure]:
    """The pages of all sources that failed last time."""
    with database.reading() as session:
        rows = session.exec(select(PageRow).where(PageRow.failures > 0)).all()
        return [_failure(row) for row in rows]


def _clear_failure(row: PageRow) -> None:
    row.error = ""
    row.failures = 0
    row.next_try = 0.0


def _failure(row: PageRow) -> Failure:
    page = Page.model_validate(row.record)
    return Failure(page, row.error, row.failures, row.next_try)
