"""Which sections of pages a reader may be shown, as SQL: readers and conditions decide in there."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Select, and_, select
from sqlmodel import col

from core.evidence.filters import passed
from core.policy.acl import Reader
from core.question import Condition
from core.storage.index_tables import PageRow
from core.storage.postings.tables import PAGES, SECTIONS


def readable_sections(
    reader: Reader, conditions: Sequence[Condition]
) -> Select[tuple[int, int, int]]:
    """The number, the page and the number of pieces of each of them."""
    section, page = SECTIONS.c, PAGES.c
    found = select(section.number, section.page, section.pieces)
    found = found.where(section.acl_id.in_(reader.acls))
    if not conditions and reader.spaces is None:
        return found  # a page that nobody is shown has no sections
    is_of = and_(col(PageRow.source) == page.source, col(PageRow.id) == page.page_id)
    joined = found.join(PAGES, page.number == section.page).join(PageRow, is_of)
    return joined.where(*passed(conditions, reader))
