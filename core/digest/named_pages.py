"""Pages that a digest names, as the index knows them, and who owns them."""

from __future__ import annotations

from collections.abc import Iterable

from sqlmodel import col, select

from core.models import Page
from core.pages import PageKey
from core.policy.acl import OPEN_ID
from core.storage.database import Database
from core.storage.index_tables import PageRow, is_page


def open_pages(database: Database, keys: Iterable[PageKey]) -> dict[PageKey, Page]:
    """Those of the pages that everybody may read, as the index knows them."""
    wanted = set(keys)
    here = select(PageRow).where(is_page(wanted), col(PageRow.visible), PageRow.acl_id == OPEN_ID)
    with database.reading() as session:
        rows = session.exec(here).all()
    return {row.key: Page.model_validate(row.record) for row in rows}
