"""The rows that are shown of a table: those that a question names, or all of a small one.

Rows that are only alike to a question were chosen by their words, so the one that answers may be
among those left out: `which roles get no access` has the same words as the rows of those that do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from core.evidence.spans import Span
from core.question import QuestionKind
from core.structure import TableRow
from worker.extractive.context import Asked
from worker.extractive.table_rows import named_cells
from worker.extractive.tables.markdown_table import MOST_ROWS, merged, rows_of, table_of
from worker.extractive.tables.rows_meant import ReadTable, rows_meant


class ChosenRows(NamedTuple):
    """Rows of a table in their order."""

    rows: list[TableRow]
    is_part: bool = False  # whether to show that the table has others


def chosen_rows(spans: Sequence[Span], asked: Asked, table: ReadTable) -> ChosenRows:
    """Of the table in which these spans stand."""
    rows = rows_of(spans)
    if asked.is_composed or asked.completed.kind is QuestionKind.COMPARISON:
        return ChosenRows(rows)
    if numbers := rows_meant(asked.completed, table):
        return ChosenRows([row for row in table.rows if row.number in numbers])
    if len(rows) > 1 and not table.named:
        if coded := table.with_code(asked.completed.question):
            return ChosenRows(coded)
        if len(table.rows) <= MOST_ROWS:
            return ChosenRows(list(table.rows))
    if len(rows) > 1 and len(called := table.called) <= MOST_ROWS and _holds(called, rows):
        return ChosenRows(called)
    return ChosenRows(rows, is_part=1 < len(rows) < len(table.rows))


def _holds(rows: Sequence[TableRow], others: Sequence[TableRow]) -> bool:
    return {row.number for row in others} <= {row.number for row in rows}


def read_table(span: Span, asked: Asked) -> ReadTable:
    """The table that a row stands in, with all its rows that were found."""
    return ReadTable(
        header=table_of(span).header,
        rows=_all_rows(span, asked),
        above=span.context_terms,
        named=list(named_cells(span, asked.completed, asked.rarity)),
    )


def _all_rows(span: Span, asked: Asked) -> list[TableRow]:
    """All that were found of the span's table."""
    page, table = span.hit.page.key, table_of(span).number
    found = [
        row
        for hit in asked.hits
        if hit.page.key == page and hit.evidence.table and hit.evidence.table.number == table
        for row in hit.evidence.table.rows
    ]
    return merged(found)
