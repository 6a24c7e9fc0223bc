"""The indexer's side of the page table: what is indexed, what failed and when it is tried again, and each run."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass

from sqlmodel import col, or_, select, update

from core.database import Database
from core.models import Page
from core.tables import PageRow, SyncRow
from indexer.plan import Indexed

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


class Ledger:
    """Reads and writes what the indexer must remember between runs."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def indexed(self, space: str, page_ids: Iterable[str]) -> dict[str, Indexed]:
        """What is known of a space and of these pages, wherever they stood before."""
        ids = list(page_ids)
        rows: dict[str, PageRow] = {}
        with self._database.reading() as session:
            for start in range(0, max(1, len(ids)), SQL_BATCH):
                wanted = or_(col(PageRow.space) == space, col(PageRow.id).in_(ids[start : start + SQL_BATCH]))
                rows |= {row.id: row for row in session.exec(select(PageRow).where(wanted)).all()}
        return {page_id: _indexed(row) for page_id, row in rows.items()}

    def save_restriction(self, page: Page, restricted: bool | None) -> None:
        """Remember whether the page itself is restricted; a page seen for the first time gets its row."""
        with self._database.session() as session:
            row = session.get(PageRow, page.id) or PageRow(id=page.id, space=page.space, record=page.model_dump(mode="json"), visible=False)
            row.restricted, row.restrictions_read_at = restricted, time.time()
            session.add(row)

    def outdate(self, page_ids: Iterable[str]) -> None:
        """Mark pages as due before the work on them begins: should it be interrupted, the next sync begins with them."""
        ids = list(page_ids)
        with self._database.session() as session:
            for start in range(0, len(ids), SQL_BATCH):
                session.exec(update(PageRow).where(col(PageRow.id).in_(ids[start : start + SQL_BATCH])).values(made_by=""))

    def relist(self, page: Page) -> None:
        """Another address or owner: what readers are shown of the page changes, its evidence does not."""
        with self._database.session() as session:
            session.get_one(PageRow, page.id).record = page.model_dump(mode="json")

    def save_page(self, page: Page, *, made_by: str) -> None:
        """A new version with the same evidence: only what the listing says of it has changed."""
        with self._database.session() as session:
            row = session.get_one(PageRow, page.id)
            row.record, row.space, row.made_by = page.model_dump(mode="json"), page.space, made_by

    def succeeded(self, page_id: str) -> None:
        with self._database.session() as session:
            row = session.get_one(PageRow, page_id)
            row.error, row.failures, row.next_try = "", 0, 0.0

    def failed(self, page: Page, error: str) -> None:
        """Write the failure down; the old evidence stays, and the wait before the next try doubles."""
        with self._database.session() as session:
            row = session.get(PageRow, page.id) or PageRow(id=page.id, space=page.space, record=page.model_dump(mode="json"), visible=False)
            row.failures += 1
            row.error = error
            row.next_try = time.time() + min(FIRST_RETRY_S * 2 ** (row.failures - 1), LAST_RETRY_S)
            session.add(row)

    def body_hash(self, page_id: str) -> str:
        with self._database.reading() as session:
            row = session.get(PageRow, page_id)
            return row.body_hash if row else ""

    def failures(self) -> list[Failure]:
        with self._database.reading() as session:
            rows = session.exec(select(PageRow).where(PageRow.failures > 0)).all()
            return [Failure(Page.model_validate(row.record), row.error, row.failures, row.next_try) for row in rows]

    def save_run(self, run: SyncRow) -> None:
        with self._database.session() as session:
            session.merge(run)


def _indexed(row: PageRow) -> Indexed:
    return Indexed(
        page=Page.model_validate(row.record),
        made_by=row.made_by,
        visible=row.visible,
        restricted=row.restricted,
        restrictions_read_at=row.restrictions_read_at,
        next_try=row.next_try,
    )
