"""Which sections of pages a reader may be shown, as SQL: readers and conditions decide in there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import BindParameter, ColumnElement, Select, and_, any_, literal, select
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.sql.elements import KeyedColumnElement
from sqlalchemy.types import TypeEngine
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
    found = found.where(is_any(section.acl_id, reader.acls))
    if not conditions and reader.spaces is None:
        return found  # a page that nobody is shown has no sections
    is_of = and_(col(PageRow.source) == page.source, col(PageRow.id) == page.page_id)
    joined = found.join(PAGES, page.number == section.page).join(PageRow, is_of)
    return joined.where(*passed(conditions, reader))


def is_any(column: KeyedColumnElement[Any], values: Iterable[Any]) -> ColumnElement[bool]:
    """Whether it is one of these. The statement is the same for any number, so it is kept."""
    return column == any_(many(values, column.type))


def many(values: Iterable[Any], kind: TypeEngine[Any]) -> BindParameter[Any]:
    return literal(list(values), ARRAY(kind))
