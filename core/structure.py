"""Structured evidence: tables, lists and code as the page has them, from the parser to a prompt.

Markdown is written from these where something is shown to people or to a model, and nowhere read.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from core.value import Value

Cells = tuple[tuple[str, str], ...]  # (column name, value), in order
Columns = Collection[int]  # places of columns, from 0


class TableRow(Value):
    """One row under the header; `group` is the merged row above it that labels it."""

    number: int  # 1-based, in the whole table
    cells: tuple[str, ...] = ()  # one a column; none where the page shows only the group's name
    group: str = ""


class TableSlice(Value):
    """Rows of a table, some or all, under its header."""

    number: int  # of the table, 1-based, on its page
    header: tuple[str, ...]  # one a column, empty where it has no name
    rows: tuple[TableRow, ...]
    above: str = ""  # what announces the table: its panel, the sentence before it, its caption
    # Of a piece of a long row: what columns it says; its other cells are empty. Empty: all.
    columns: tuple[int, ...] = ()

    @property
    def is_pairs(self) -> bool:
        """Two columns without names: the first names what the second says."""
        return self.header == ("", "")

    def cells(self, row: TableRow) -> Cells:
        """A row's cells under their names, `Column 2` for one without; of pairs, one cell."""
        if self.is_pairs and row.cells:
            key, value = row.cells
            return ((key or "Column 2", value),)
        said = self.columns or range(len(row.cells))
        return tuple((self.header[at] or f"Column {at + 1}", row.cells[at]) for at in said)

    @property
    def lines(self) -> Iterator[tuple[int | None, str]]:
        """The table as lines with bars; each with the number of its row, if it is one.

        >>> rows = (TableRow(number=3, cells=("K4", "12 t"), group="North"),)
        >>> list(TableSlice(number=1, header=("Crane", "Load"), rows=rows).lines)
        [(None, 'Crane | Load'), (None, 'North'), (3, 'K4 | 12 t')]
        """
        if self.above:
            yield None, self.above
        yield None, bars(self.header)
        group = ""
        for row in self.rows:
            if row.group and row.group != group:
                yield None, row.group
            group = row.group
            yield row.number, bars(row.cells)

    @property
    def text(self) -> str:
        """The table as it is indexed: lines with bars between the cells."""
        return "\n".join(line for _, line in self.lines if line)

    def only(self, rows: Sequence[TableRow]) -> TableSlice:
        return self.model_copy(update={"rows": tuple(rows)})

    def without(self, gone: Mapping[int, Columns]) -> TableSlice:
        """Without these columns of these rows, by number; a row of which nothing is left goes."""
        left: list[TableRow] = []
        for row in self.rows:
            columns = gone.get(row.number)
            if columns is None:
                left.append(row)
                continue
            rest = tuple("" if at in columns else cell for at, cell in enumerate(row.cells))
            if any(rest):
                left.append(row.model_copy(update={"cells": rest}))
        return self.only(left)


def bars(values: Sequence[str]) -> str:
    """Cells as a line; nothing where all are empty."""
    return " | ".join(values) if any(values) else ""


class ListItem(Value):
    """One line of a list or of tasks: in reading order, these are its outline."""

    text: str
    depth: int = 0  # from 0; -1 for what announces the list
    mark: str = ""  # `- `, `3. `, `[x] `

    @property
    def line(self) -> str:
        """As it is indexed: indented, with its mark; further lines of it stand under its text."""
        margin = "  " * max(self.depth, 0)
        indent = margin + " " * len(self.mark)
        return margin + self.mark + self.text.replace("\n", f"\n{indent}")


class CodeText(Value):
    """Preformatted text with its newlines."""

    text: str
    language: str = ""
    above: str = ""  # what announces it: its panel, the sentence before it, its title
    # A part of a longer one: its first line is the rest of the line that the part before ends with.
    goes_on: bool = False

    @property
    def fenced(self) -> str:
        """As Markdown, in a fence that is longer than any inside it."""
        fence = "```"
        while fence in self.text:
            fence += "`"
        block = f"{fence}{self.language}\n{self.text}\n{fence}"
        return f"{self.above}\n{block}" if self.above else block


class NeighbourLine(Value):
    """A line of a piece, on one line; `row` is its number where it is a row of a table."""

    text: str
    row: int | None = None


class Neighbour(Value):
    """The end, or the beginning, of the piece that stands before, or after, another one."""

    id: str = ""  # of that piece
    lines: tuple[NeighbourLine, ...] = ()
    table: int | None = None  # the number of its table
    is_list: bool = False

    @property
    def text(self) -> str:
        return " ".join(line.text for line in self.lines)


NO_NEIGHBOUR = Neighbour()
