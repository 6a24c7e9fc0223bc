"""A table's markup as a grid of cells: spans filled in, nothing decided yet about what a row means."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice

from indexer.parse.document.blocks import Block
from indexer.parse.document.flat import hoisted, lines
from indexer.parse.document.flow import Flow
from indexer.parse.document.sentences import tidy
from indexer.parse.elements.colours import colour
from indexer.parse.elements.pseudo_headings import only_bold
from indexer.parse.markup.xml import Element, attributes, name

CELLS = ("td", "th")
SECTIONS = ("thead", "tbody", "tfoot", "colgroup")
WIDEST = 100  # columns; a colspan beyond this is a mistake of an editor
Grid = list[list["Cell"]]


@dataclass(frozen=True, eq=False)
class Cell:
    """A cell; the same object stands everywhere it spans."""

    lines: tuple[str, ...] = ()
    header: bool = False
    bold: bool = False
    colour: str = ""
    numbering: bool = False
    across: int = 1
    down: int = 1

    @property
    def text(self) -> str:
        """Its paragraphs and items in one line, as a value: "Fail; MLE tripped on reboot"."""
        ended = [
            line if line.endswith((".", "!", "?", ":", ";")) else f"{line};"
            for line in self.lines[:-1]
        ]
        return " ".join([*ended, *self.lines[-1:]])

    @property
    def name(self) -> str:
        """The same as the name of a column."""
        return " ".join(" ".join(self.lines).split())


@dataclass
class Markup:
    """What was found inside a table element."""

    rows: list[list[Cell]] = field(default_factory=list)
    caption: list[str] = field(default_factory=list)
    stray: list[str] = field(default_factory=list)  # text that broken markup left between the cells
    aside: list[Block] = field(default_factory=list)  # nested tables

    def lines(self, blocks: list[Block]) -> list[str]:
        """What blocks show inside the table; tables among them are kept for later."""
        self.aside.extend(hoisted(blocks))
        return lines(blocks)


def is_frame(table: Element) -> bool:
    """Whether a table has a single cell; it is not read further than to the second."""
    return len(list(islice(_own_cells(table), 2))) == 1


def _own_cells(table: Element) -> Iterator[Element]:
    """The elements that are a table's own cells, not those of a table inside it."""
    for section in _sections(table):
        for each in section:
            if name(each) in CELLS:
                yield each
            elif name(each) == "tr":
                yield from (cell for cell in each if name(cell) in CELLS)


def _sections(table: Element) -> Iterator[Element]:
    yield table
    yield from (each for each in table if name(each) in SECTIONS)


def read(table: Element, flow: Flow) -> Markup:
    """Every row, caption and stray word of a table element."""
    found = Markup()
    _rows(table, flow, found, in_head=False)
    return found


def _rows(element: Element, flow: Flow, found: Markup, *, in_head: bool) -> None:
    _keep_stray(element.text, found)
    for each in element:
        tag = name(each)
        if tag == "tr":
            found.rows.append(_row(each, flow, found, in_head=in_head))
        elif tag == "caption":
            found.caption.extend(found.lines(flow.inside(each)))
        elif tag in CELLS:  # a cell without its row
            found.rows.append([_cell(each, flow, found, in_head=in_head)])
        elif tag in SECTIONS and name(element) == "table":
            _rows(each, flow, found, in_head=tag == "thead")
        else:
            found.stray.extend(found.lines(flow.alone(each)))
        _keep_stray(each.tail, found)


def _row(element: Element, flow: Flow, found: Markup, *, in_head: bool) -> list[Cell]:
    _keep_stray(element.text, found)
    row = []
    for each in element:
        if name(each):
            row.append(_cell(each, flow, found, in_head=in_head))
        _keep_stray(each.tail, found)
    return row


def _keep_stray(text: str | None, found: Markup) -> None:
    if text and text.strip():
        found.stray.append(" ".join(text.split()))


def _cell(element: Element, flow: Flow, found: Markup, *, in_head: bool) -> Cell:
    tag, written = name(element), attributes(element)
    return Cell(
        lines=_shown(element, flow, found),
        header=in_head or tag == "th",
        bold=only_bold(element),
        colour=colour(written),
        numbering="numberingColumn" in written.get("class", ""),
        across=_span(written.get("colspan", "")),
        down=_span(written.get("rowspan", "")),
    )


def _shown(element: Element, flow: Flow, found: Markup) -> tuple[str, ...]:
    """The lines of a cell; one that holds nothing but words needs no walk."""
    if name(element) not in CELLS:
        return tuple(found.lines(flow.alone(element)))
    if len(element):
        return tuple(found.lines(flow.inside(element)))
    line = tidy(element.text or "").replace("\n", " ")
    return (line,) if line else ()


def _span(written: str) -> int:
    return int(written) if written.isascii() and written.isdigit() and len(written) < 5 else 1


def lay_out(rows: list[list[Cell]]) -> Grid:
    """Rows of equal length, with a spanning cell at every place it covers."""
    placed: list[dict[int, Cell]] = [{} for _ in rows]
    origins: set[int] = set()
    for number, row in enumerate(rows):
        column = 0
        for cell in row:
            while column in placed[number]:
                column += 1
            origins.add(column)
            _place(cell, placed[number : number + (cell.down or len(rows))], column)
    empty = Cell()
    return [[places.get(column, empty) for column in sorted(origins)] for places in placed]


def _place(cell: Cell, rows: list[dict[int, Cell]], column: int) -> None:
    for row in rows:
        for place in range(column, min(column + max(cell.across, 1), column + WIDEST)):
            row.setdefault(place, cell)
