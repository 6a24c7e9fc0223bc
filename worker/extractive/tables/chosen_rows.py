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
from worker.extractive.tables.markdown_table import MOST_ROWS, merged, rows_of, table_of


class ChosenRows(NamedTuple):
    """Rows of a table in their order."""

    rows: list[TableRow]
    is_part: bool = False  # whether to show that the table has others


def chosen_rows(spans: Sequence[Span], asked: Asked, *, is_named: bool) -> ChosenRows:
    """Of the table in which these spans stand; `is_named`: the question names cells of the best."""
    rows = rows_of(spans)
    if asked.is_composed or asked.completed.kind is QuestionKind.COMPARISON or len(rows) < 2:
        return ChosenRows(rows)
    every = _all_rows(spans[0], asked)
    if len(every) <= MOST_ROWS and not is_named:
        return ChosenRows(every)
    return ChosenRows(rows, is_part=len(every) > len(rows))


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
