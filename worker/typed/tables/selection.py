"""The rows of a table that a question names by their cells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from worker.typed.asked import EXTREMES, TypedQuestion, measured_terms, whole_terms
from worker.typed.tables.typed_table import TypedRow, TypedTable
from worker.typed.written import plain


@dataclass(frozen=True)
class Selection:
    """Rows, and the cells by which they are named: one a column."""

    rows: tuple[TypedRow, ...]
    named: Mapping[int, str]
    as_columns: frozenset[str] = frozenset()  # terms of cells that are taken for a column's name

    @property
    def numbers(self) -> Iterator[int]:
        """Of the hits that show these rows."""
        for row in self.rows:
            yield from row.numbers


def selection(asked: TypedQuestion, table: TypedTable) -> Selection | None:
    """All rows where no cell is named; None where two of a column are, or a cell may be a column.

    `How many people lead a team?` names no cell `Team lead`. `Which team has the most people?` asks
    for a column even where a team is called `People`, since of one row nothing is the highest.
    """
    cells = dict(table.named_cells(asked))
    as_columns = frozenset[str]()
    header = frozenset().union(*table.terms)
    for place, found in list(cells.items()):
        if len(found) > 1:
            return None
        if any(_is_noted(cell, table.column(place)) for cell in found):
            return None
        terms = whole_terms(next(iter(found)))
        if header.issuperset(terms):
            is_measured = asked.operation in EXTREMES and measured_terms(asked).issuperset(terms)
            if place != table.names or not is_measured:
                return None
            del cells[place]
            as_columns |= frozenset(terms)
    named = {place: next(iter(found)) for place, found in cells.items()}
    said = [term for cell in named.values() for term in set(whole_terms(cell))]
    if len(set(said)) < len(said):
        return None  # one word of the question, in two columns
    rows = tuple(row for row in table.rows if _has(row, named))
    return Selection(rows, named, as_columns) if rows else None


def _is_noted(cell: str, column: Sequence[str]) -> bool:
    """Whether another cell says the same with the mark of a footnote: `10 years`, `10 years1`."""
    return any(
        other.startswith(cell) and len(other) > len(cell) and not other[len(cell)].isspace()
        for other in column
    )


def _has(row: TypedRow, named: Mapping[int, str]) -> bool:
    return all(row.cells[place].strip() == cell for place, cell in named.items())


def scope(table: TypedTable, selected: Selection) -> str:
    """Of what it is true: `Departments (Site: Porto)`."""
    scope = plain(table.scope)
    return f"{scope} ({cells(table, selected)})" if selected.named else scope


def cells(table: TypedTable, selected: Selection) -> str:
    """The cells that the question names, under the names of their columns."""
    cells = [
        f"{table.header[place]}: {cell}" if table.header[place] else cell
        for place, cell in selected.named.items()
    ]
    return plain("; ".join(cells))
