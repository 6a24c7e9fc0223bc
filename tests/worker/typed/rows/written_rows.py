"""Tables written as lines, a bar between their cells."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from core.structure import TableRow
from worker.typed.rows.by_amount import rows_by_amount
from worker.typed.rows.in_time import rows_in_time

TODAY = date(2026, 11, 29)  # a Sunday, the last day of week 48


def rows(*lines: str) -> list[TableRow]:
    cells = [tuple(cell.strip() for cell in line.split("|")) for line in lines]
    return [TableRow(number=place, cells=each) for place, each in enumerate(cells, start=1)]


def in_time(question: str, table: Sequence[str]) -> set[int] | None:
    header, *lines = table
    found = rows_in_time(question, TODAY, _names(header), rows(*lines))
    return None if found is None else set(found)


def by_amount(question: str, table: Sequence[str]) -> set[int] | None:
    header, *lines = table
    found = rows_by_amount(question, _names(header), rows(*lines))
    return None if found is None else set(found)


def _names(header: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in header.split("|"))
