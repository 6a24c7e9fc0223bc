"""A table's markup as a grid of cells, with spans filled in; what rows mean is decided later."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import islice

from indexer.parse.document.blocks import Block
from indexer.parse.document.flat import lines, nested_tables
from indexer.parse.document.flow import Flow
from indexer.parse.document.marks import LONGEST, briefly, is_long
from indexer.parse.document.sentences import collapse_whitespace
from indexer.parse.elements.colours import colour
from indexer.parse.elements.pseudo_headings import only_bold
from indexer.parse.markup.xml import Element, attributes, name

CELLS = ("td", "th")
SECTIONS = ("thead", "tbody", "tfoot", "colgroup")
WIDEST = 100  # columns; a colspan beyond this is a mistake of an editor
MOST_COLUMNS = 1_000  # of one table: a wider one is several, beside each other
# Places that spans fill, for each cell that is written; further spans are none. Each cell of ten
# thousand rows that reaches to the last one would fill a hundred million.
FILLED, FILLED_ANYHOW = 10, 1_000
Grid = list[list["Cell"]]


@dataclass(frozen=True, eq=False)
class Cell:
    """A cell; the same object is at every place it spans."""

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
        if len(self.lines) < 2:
            return self.lines[0] if self.lines else ""
        *above, last = self.lines
        return " ".join([*map(_ended, above), last])

    @property
    def name(self) -> str:
        """The same as the name of a column."""
        return " ".join(" ".join(self.lines).split())


def _ended(line: str) -> str:
    """A line that ends with a mark, so that another one can follow it."""
    return line if line.endswith((".", "!", "?", ":", ";")) else f"{line};"


@dataclass
class Markup:
    """What was found inside a table element."""

    rows: list[list[Cell]] = field(default_factory=list)
    caption: list[str] = field(default_factory=list)
    stray: list[str] = field(default_factory=list)  # text that broken markup left between the cells
    aside: list[Block] = field(default_factory=list)  # nested tables

    def lines(self, blocks: list[Block]) -> list[str]:
        """What blocks show inside the table; tables among them are kept for later."""
        self.aside.extend(nested_tables(blocks))
        return lines(blocks)


def is_frame(table: Element) -> bool:
    """Whether a table has a single cell; it is not read further than to the second."""
    return len(list(islice(_own_cells(table), 2))) == 1


def _own_cells(table: Element) -> Iterator[Element]:
    """The elements that are a table's own cells, not those of a table inside it."""
    for row in _own_rows(table):
        if name(row) in CELLS:  # a cell without its row
            yield row
        elif name(row) == "tr":
            for cell in row:
                if name(cell) in CELLS:
                    yield cell


def _own_rows(table: Element) -> Iterator[Element]:
    """Whatever is in the place of a row, outside sections first."""
    yield from table
    for section in table:
        if name(section) in SECTIONS:
            yield from section


def read(table: Element, flow: Flow) -> Markup:
    """Every row, caption and stray word of a table element."""
    found = Markup()
    _rows(table, flow, found, in_head=False)
    return found


def _rows(
    element: Element,
    flow: Flow,
    found: Markup,
    *,
    in_head: bool,
) -> None:
    _keep_stray(element.text, found)
    for each in element:
        tag = name(each)
        if tag == "tr":
            row = _row(each, flow, found, in_head=in_head)
            found.rows.append(row)
        elif tag == "caption":
            found.caption += found.lines(flow.blocks_inside(each))
        elif tag in CELLS:  # a cell without its row
            cell = _cell(each, flow, found, in_head=in_head)
            found.rows.append([cell])
        elif tag in SECTIONS and name(element) == "table":
            _rows(each, flow, found, in_head=tag == "thead")
        else:
            found.stray += found.lines(flow.blocks_of(each))
        _keep_stray(each.tail, found)


def _row(
    element: Element,
    flow: Flow,
    found: Markup,
    *,
    in_head: bool,
) -> list[Cell]:
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


def _cell(
    element: Element,
    flow: Flow,
    found: Markup,
    *,
    in_head: bool,
) -> Cell:
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


def _shown(
    element: Element,
    flow: Flow,
    found: Markup,
) -> tuple[str, ...]:
    """The lines of a cell; one that holds nothing but words needs no walk."""
    if name(element) not in CELLS:
        return tuple(found.lines(flow.blocks_of(element)))
    if len(element):
        return tuple(found.lines(flow.blocks_inside(element)))
    line = collapse_whitespace(element.text or "").replace("\n", " ")
    return (line,) if line else ()


def _span(written: str) -> int:
    if not written.isascii() or not written.isdigit():
        return 1
    return int(written) if len(written) < 5 else 1


def beside_each_other(rows: list[list[Cell]]) -> Iterator[list[list[Cell]]]:
    """The rows of a table, or those of several where it has too many columns."""
    widest = max(map(len, rows), default=0)
    for start in range(0, max(widest, 1), MOST_COLUMNS):
        yield [row[start : start + MOST_COLUMNS] for row in rows]


def lay_out(rows: list[list[Cell]]) -> Grid:
    """Rows of equal length, with a spanning cell at every place it covers."""
    placed: list[dict[int, Cell]] = [{} for _ in rows]
    room = FILLED_ANYHOW + FILLED * sum(map(len, rows))
    origins: set[int] = set()
    for number, row in enumerate(rows):
        column = 0
        for cell in row:
            while column in placed[number]:
                column += 1
            origins.add(column)
            below = number + (cell.down or len(rows))
            covered = placed[number : below if room > 0 else number + 1]
            size = 1 + sum(map(len, cell.lines)) // LONGEST
            room -= size * _place(cell, covered, column, most=max(room // size, 1))
    empty = Cell()
    columns = sorted(origins)
    return [[places.get(column, empty) for column in columns] for places in placed]


def _in_short(cell: Cell) -> Cell:
    """As it stands in the rows below its first."""
    return replace(cell, lines=(briefly(cell.text),)) if is_long(cell.text) else cell


def _place(
    cell: Cell,
    rows: list[dict[int, Cell]],
    column: int,
    *,
    most: int,
) -> int:
    """How many places it has filled."""
    width = min(max(cell.across, 1), WIDEST, most)
    rows = rows[: max(most // width, 1)]
    shown = cell
    for row in rows:
        for place in range(column, column + width):
            row.setdefault(place, shown)
        shown = _in_short(cell)
    return width * len(rows)
