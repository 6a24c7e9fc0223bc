"""What rows and columns of a table mean: header, header column, numbering, groups, colours."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from core.structure import TableRow
from indexer.parse.document.blocks import Passage, Table
from indexer.parse.document.flow import Flow
from indexer.parse.document.marks import briefly, is_long
from indexer.parse.elements import table_grid as markup
from indexer.parse.elements.table_grid import Cell, Grid
from indexer.parse.markup.xml import Element

_NUMBER_NAMES = {"", "#", "no", "no.", "nr", "nr."}


def table(element: Element, flow: Flow) -> None:
    """`table`: a block of its own, nested tables after it; a single cell is only a frame."""
    flow.close()
    if markup.is_frame(element):
        flow.walk(element)
        flow.close()
        return
    number = flow.page.tables = flow.page.tables + 1  # before those inside it
    found = markup.read(element, flow)
    for rows in markup.beside_each_other([row for row in found.rows if row]):
        built = build(rows, found.caption, number)
        if built.header or built.rows or built.caption:
            flow.emit(built)
        for text in _cut_short(rows, found.caption, built):
            flow.emit(Passage(text))
    for text in found.stray:
        flow.emit(Passage(text))
    for block in found.aside:
        flow.emit(block)


def _cut_short(rows: list[list[Cell]], captions: Sequence[str], built: Table) -> Iterator[str]:
    """What stands over the rows only in part."""
    shown = {cell for row in built.rows for cell in row.cells}
    texts = [*captions, *(cell.text for row in rows for cell in row)]
    yield from (text for text in texts if is_long(text) and text not in shown)


def build(rows: list[list[Cell]], captions: Sequence[str], number: int) -> Table:
    """The table that the markup means."""
    grid = markup.lay_out(rows)
    titles, grid = _split_at(_count_title_rows(grid), grid)
    names_above = (row[0].name for row in titles)
    caption = [*captions, *filter(None, names_above)]
    header, body = _split_at(_count_header_rows(grid), grid)
    header_column = bool(body) and _has_header_column(body)
    if body and not header_column and _is_numbered(header, body):
        header, body = _without_first_column(header), _without_first_column(body)
    names = tuple(map(briefly, map(_column_name, zip(*header, strict=True))))
    if not names and body:
        names = ("",) * len(body[0])
    return Table(
        number,
        names,
        tuple(_rows(body)),
        caption=briefly(" › ".join(caption)),
        header_column=header_column,
    )


def _split_at(count: int, grid: Grid) -> tuple[Grid, Grid]:
    return grid[:count], grid[count:]


def _has_header_column(body: Grid) -> bool:
    return len(body[0]) > 1 and all(row[0].header for row in body)


def _count_title_rows(grid: Grid) -> int:
    """How many merged rows on top are the table's title."""
    count = 0
    while count + 1 < len(grid) and _is_merged(grid[count]):
        count += 1
    return count


def _is_merged(row: list[Cell]) -> bool:
    if len(row) < 2 or row[0].down != 1:
        return False
    return all(cell is row[0] for cell in row)


def _without_first_column(grid: Grid) -> Grid:
    return [row[1:] for row in grid]


def _count_header_rows(grid: Grid) -> int:
    """How many rows on top name the columns.

    Rows of header cells, else a first row that is bold or coloured unlike the next. A merged one
    below them is a heading of the rows that follow.
    """
    count = 0
    while count < len(grid) and _is_header(grid[count]):
        if count and _is_merged(grid[count]):
            break
        count += 1
    if count == len(grid):
        return min(count, 1)
    if count == 0 and len(grid) > 1 and _stands_out(grid[0], grid[1]):
        return 1
    return count


def _is_header(row: list[Cell]) -> bool:
    has_header = False
    for cell in row:
        if cell.header:
            has_header = True
        elif cell.text or cell.colour:
            return False
    return has_header


def _stands_out(first: list[Cell], second: list[Cell]) -> bool:
    """Whether all text of the first row is bold or coloured, and not that of the second."""
    above, below = _filled(first), _filled(second)
    if _all_bold(above) and not _all_bold(below):
        return True
    return _all_coloured(above) and not _all_coloured(below)


def _filled(row: list[Cell]) -> list[Cell]:
    return [cell for cell in row if cell.text]


def _all_bold(cells: list[Cell]) -> bool:
    return bool(cells) and all(cell.bold for cell in cells)


def _all_coloured(cells: list[Cell]) -> bool:
    return bool(cells) and all(cell.colour for cell in cells)


def _column_name(column: Iterable[Cell]) -> str:
    """Several header rows joined as "Legacy › Install"; a spanning cell counts once."""
    texts: list[str] = []
    for cell in column:
        if cell.name and cell.name not in texts[-1:]:
            texts.append(cell.name)
    return " › ".join(texts)


def _is_numbered(header: Grid, body: Grid) -> bool:
    """Whether the first column only counts the rows; merged rows between them are not counted."""
    first = [row[0] for row in body if not _is_merged(row)]
    narrowest = 2 if len(first) == len(body) else 3
    if not first or len(body[0]) < narrowest:
        return False
    named = _column_name(row[0] for row in header)
    if named.lower() not in _NUMBER_NAMES:
        return False
    texts = [cell.text.rstrip(".") for cell in first]
    is_marked = all(cell.numbering and not cell.colour for cell in first)
    if is_marked and not any(texts):
        return True
    numbers = range(1, len(texts) + 1)
    counts = texts == list(map(str, numbers))
    return counts and (bool(header) or is_marked)


def _rows(body: Grid) -> Iterator[TableRow]:
    """The rows with their groups: a merged row labels those under it, or is a row by itself."""
    several = list(map(_has_several_colours, zip(*body, strict=True)))
    number = 1
    group, used = "", True
    for row in body:
        if not _is_merged(row):
            cells = tuple(map(value, row, several))
            yield TableRow(number=number, cells=cells, group=group)
            number += 1
            used = True
            continue
        if group and not used:
            yield TableRow(number=number, group=group)
            number += 1
        group, used = briefly(row[0].name), False
    if group and not used:
        yield TableRow(number=number, group=group)


def _has_several_colours(column: Iterable[Cell]) -> bool:
    colours = {cell.colour for cell in column}
    return len(colours - {""}) > 1


def value(cell: Cell, several: bool) -> str:
    """A cell's text; its colour means something if it is empty, or if its column has several."""
    text = cell.text
    if not cell.colour or (text and not several) or cell.colour in text.lower():
        return text
    return f"{text} ({cell.colour})".strip()
