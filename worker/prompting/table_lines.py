"""Table lines of a prompt: rows and parts of one table as Markdown, each row once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from core.models import Evidence, Kind
from core.structure import TableRow

Numbered = tuple[int, Evidence]


@dataclass(frozen=True)
class TableLine:
    """A row to be cited by these numbers, below the name of its group where that changes."""

    numbers: tuple[int, ...]
    text: str


@dataclass
class _RowPieces:
    """A row as far as the pieces say it: as pieces of its own, or only as a part of the table."""

    group: str
    cells: list[str] = field(default_factory=list)
    own: list[int] = field(default_factory=list)
    parts: list[int] = field(default_factory=list)

    def add(self, number: int, row: TableRow, *, is_own: bool) -> None:
        (self.own if is_own else self.parts).append(number)
        missing = len(row.cells) - len(self.cells)
        self.cells += [""] * missing
        for at, cell in enumerate(row.cells):
            self.cells[at] = self.cells[at] or cell


def table_lines(pieces: Iterable[Numbered]) -> list[TableLine]:
    """The rows of these pieces of one table, in order; a row that is a piece keeps its number."""
    rows: dict[int, _RowPieces] = {}
    for number, piece in pieces:
        for row in piece.table.rows if piece.table else ():
            known = rows.setdefault(row.number, _RowPieces(row.group))
            known.add(number, row, is_own=piece.kind is Kind.ROW)
    lines: list[TableLine] = []
    group = ""
    for place in sorted(rows):
        found = rows[place]
        named = [found.group] if found.group and found.group != group else []
        group = found.group
        cells = [markdown(found.cells)] if any(found.cells) else []
        numbers = found.own or found.parts[:1]
        lines.append(TableLine(tuple(numbers), "\n".join([*named, *cells])))
    return lines


def markdown(values: Sequence[str]) -> str:
    r"""Cells as a line of a Markdown table, without the bars at its ends.

    >>> markdown(["K4", "a | b", ""])
    'K4 | a \\| b |'
    """
    marked = [value.replace("|", "\\|").replace("\n", "<br>").strip() for value in values]
    return " | ".join(marked).rstrip()
