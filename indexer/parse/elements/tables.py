"""What the rows and columns of a table mean: header, header column, numbering, groups, colours that are values."""

from __future__ import annotations

from indexer.parse.document.blocks import Passage, Table, TableRow
from indexer.parse.document.flow import Flow
from indexer.parse.elements import table_grid as markup
from indexer.parse.elements.table_grid import Cell, Grid
from indexer.parse.markup.xml import Element

_NUMBER_NAMES = {"", "#", "no", "no.", "nr", "nr."}


def table(element: Element, flow: Flow) -> None:
    """`table`: a block of its own; nested tables come after it. A single cell is only a frame around its content."""
    flow.close()
    if markup.is_frame(element):
        flow.walk(element)
        flow.close()
        return
    flow.page.tables += 1
    number = flow.page.tables
    found = markup.read(element, flow)
    built = build(found, number)
    if built.header or built.rows or built.caption:
        flow.emit(built)
    for text in found.stray:
        flow.emit(Passage(text))
    for block in found.aside:
        flow.emit(block)


def build(found: markup.Markup, number: int) -> Table:
    """The table that the markup means."""
    grid = markup.lay_out([row for row in found.rows if row])
    titles, grid = _titles(grid)
    count = _header_rows(grid)
    header, body = grid[:count], grid[count:]
    header_column = bool(body) and len(body[0]) > 1 and all(row[0].header for row in body)
    if body and not header_column and _numbers_rows(header, body):
        header, body = [row[1:] for row in header], [row[1:] for row in body]
    names = tuple(map(_name, zip(*header, strict=True))) or ("",) * (len(body[0]) if body else 0)
    caption = " › ".join([*found.caption, *titles])
    return Table(number, names, _rows(body), caption=caption, header_column=header_column)


def _titles(grid: Grid) -> tuple[list[str], Grid]:
    """Merged rows on top are the table's title."""
    start = 0
    while start + 1 < len(grid) and _merged(grid[start]):
        start += 1
    return [row[0].name for row in grid[:start] if row[0].name], grid[start:]


def _merged(row: list[Cell]) -> bool:
    return len(row) > 1 and row[0].down == 1 and all(cell is row[0] for cell in row)


def _header_rows(grid: Grid) -> int:
    """How many rows on top name the columns: rows of header cells, else a first row that is bold or coloured unlike the next."""
    count = next((number for number, row in enumerate(grid) if not _is_header(row)), len(grid))
    if count == len(grid):
        return min(count, 1)
    if (
        count == 0
        and len(grid) > 1
        and any(_stands_out(grid[0], grid[1], trait) for trait in ("bold", "colour"))
    ):
        return 1
    return count


def _is_header(row: list[Cell]) -> bool:
    return any(cell.header for cell in row) and all(
        cell.header or not (cell.text or cell.colour) for cell in row
    )


def _stands_out(first: list[Cell], second: list[Cell], trait: str) -> bool:
    def has(row: list[Cell]) -> bool:
        filled = [cell for cell in row if cell.text]
        return bool(filled) and all(getattr(cell, trait) for cell in filled)

    return has(first) and not has(second)


def _name(column: tuple[Cell, ...]) -> str:
    """Several header rows joined as "Legacy › Install"; a spanning cell counts once."""
    texts: list[str] = []
    for cell in column:
        if cell.name and cell.name not in texts[-1:]:
            texts.append(cell.name)
    return " › ".join(texts)


def _numbers_rows(header: Grid, body: Grid) -> bool:
    """Whether the first column only counts the rows; merged rows between them are not counted."""
    counted = [row[0] for row in body if not _merged(row)]
    if (
        len(body[0]) < (2 if len(counted) == len(body) else 3)
        or _name(tuple(row[0] for row in header)).lower() not in _NUMBER_NAMES
    ):
        return False
    texts = [cell.text.rstrip(".") for cell in counted]
    numbering = all(cell.numbering and not cell.colour for cell in counted)
    counts = texts == [str(number) for number in range(1, len(texts) + 1)] and (
        bool(header) or numbering
    )
    return bool(counted) and (counts or (numbering and not any(texts)))


def _rows(body: Grid) -> tuple[TableRow, ...]:
    """The rows with their groups: a merged row labels those under it, and stands for itself when there are none."""
    several = [
        len({cell.colour for cell in column if cell.colour}) > 1
        for column in zip(*body, strict=True)
    ]
    rows: list[TableRow] = []
    group, used = "", True
    for row in body:
        if _merged(row):
            rows.extend(_lonely(group, used, len(rows)))
            group, used = row[0].name, False
        else:
            cells = tuple(
                value(cell, several=many) for cell, many in zip(row, several, strict=True)
            )
            rows.append(TableRow(len(rows) + 1, cells, group))
            used = True
    rows.extend(_lonely(group, used, len(rows)))
    return tuple(rows)


def _lonely(group: str, used: bool, count: int) -> list[TableRow]:
    return [] if used or not group else [TableRow(count + 1, (), group)]


def value(cell: Cell, *, several: bool) -> str:
    """What a cell says: an empty coloured cell is its colour; with several colours in a column each says something."""
    if not cell.colour or (cell.text and not several) or cell.colour in cell.text.lower():
        return cell.text
    return f"{cell.text} ({cell.colour})".strip()
