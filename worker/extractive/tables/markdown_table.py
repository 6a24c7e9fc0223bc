"""Markdown tables: the rows that answer under the header that the page gives them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from core.evidence.spans import Span
from core.language.sentences import Sentences
from core.structure import TableRow, TableSlice
from worker.extractive.shown import bold, harmless

MOST_COLUMNS = 6
MOST_OF_ONE = 10  # of a single row, all of which is about the one thing
MOST_ROWS = 12


def table_of(span: Span) -> TableSlice:
    """The table that a row stands in.

    Raises:
        ValueError: the span is no row.
    """
    table = span.hit.evidence.table
    if table is None:
        raise ValueError("no row of a table")
    return table


def rows_of(spans: Iterable[Span]) -> list[TableRow]:
    """The rows of these spans of one table in their order, each once, with all that is known."""
    return merged(row for span in spans for row in table_of(span).rows if row.number == span.place)


def merged(rows: Iterable[TableRow]) -> list[TableRow]:
    """Each row of one table once, in their order: a long one is indexed in parts, each with some
    of its columns.
    """
    found: dict[int, TableRow] = {}
    for row in rows:
        known = found.get(row.number)
        found[row.number] = _with_cells(known, row) if known else row
    return [found[number] for number in sorted(found)]


def _with_cells(one: TableRow, two: TableRow) -> TableRow:
    cells = tuple(ours or theirs for ours, theirs in zip(one.cells, two.cells, strict=True))
    return one.model_copy(update={"cells": cells})


@dataclass(frozen=True)
class TableView:
    """What is shown of a table."""

    header: Sequence[str]
    rows: Sequence[TableRow]
    telling: Collection[int] = ()  # places of columns that stay where there is no room for all
    outcomes: Collection[int] = ()  # of columns that say how it went: the next ones
    answer: int | None = None  # the place of the column whose cell answers, of a single row
    is_part: bool = False  # whether to show that the table has further rows


def markdown_table(say: Sentences, part: TableView, room: int) -> str:
    """The rows with the columns that say something; lines where no column has a name.

    `room` is in words; the first row and what is telling are shown whatever their length.
    """
    rows = part.rows[:MOST_ROWS]
    columns = _columns(part, rows, room)
    named = any(part.header[at] for at in columns)
    lines = _table(part, rows, columns) if named else [_line(row, columns) for row in rows]
    left = len(part.rows) - len(rows)
    if left:
        lines += ["", f"… {say('and-more', count=left)}"]
    elif part.is_part:
        lines.append(_bars(["…", *[""] * (len(columns) - 1)]) if named else "- …")
    return "\n".join(lines)


def _table(part: TableView, rows: Sequence[TableRow], columns: Sequence[int]) -> list[str]:
    header = [_cell(part.header[at]) for at in columns]
    lines = [_bars(header), _bars(["---"] * len(columns))]
    group = ""
    for row in rows:
        if row.group and row.group != group:
            lines.append(_bars([bold(_cell(row.group)), *[""] * (len(columns) - 1)]))
        group = row.group
        cells: list[str] = []
        for at in columns:
            cell = _cell(row.cells[at])
            cells.append(bold(cell) if at == part.answer else cell)
        if _bars(cells) != lines[-1]:  # what differs between them is not shown
            lines.append(_bars(cells))
    return lines


def _columns(part: TableView, rows: Sequence[TableRow], room: int) -> list[int]:
    """The places of columns that are not empty: what is telling, then as many as there is room.

    Of the others first what tells the rows apart, then how it went; what is the same in all of them
    comes last.
    """
    every = range(len(part.header))
    filled = [at for at in every if any(row.cells[at] for row in rows)]
    values = {at: len({row.cells[at] for row in rows}) for at in filled}
    naming = max(filled, key=lambda at: (values[at], -at), default=0)
    same = {at for at in filled[1:] if len(rows) > 1 and values[at] == 1}

    def order(at: int) -> tuple[bool, bool, bool, bool, int]:
        return at not in part.telling, at != naming, at not in part.outcomes, at in same, at

    most = MOST_COLUMNS if len(rows) > 1 else MOST_OF_ONE
    shown: list[int] = []
    for at in sorted(filled, key=order):
        room -= sum(len(row.cells[at].split()) for row in rows)
        is_needed = at in part.telling or at == naming or len(shown) < 2
        if len(shown) < most and (room >= 0 or is_needed):
            shown.append(at)
    return sorted(shown)


def _bars(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(value: str) -> str:
    flat = "; ".join(filter(None, map(str.strip, value.splitlines())))
    return harmless(flat).replace("|", "\\|")


def _line(row: TableRow, columns: Sequence[int]) -> str:
    """`**Opening hours**: 9 to 5`"""
    cells = [_cell(row.cells[at]) for at in columns]
    filled = [cell for cell in cells if cell]
    if len(filled) < 2:
        return f"- {''.join(filled)}"
    return f"- {bold(filled[0])}: {'; '.join(filled[1:])}"
