"""Verbalizes blocks: text as it is indexed, and as people read it (Markdown).

A row of a table becomes a sentence, as in RAGonite (Saha Roy et al. 2025):
"Row 2 in Table 1: Member is Alice, and Task is Similarity function". What becomes a piece of its
own is decided in `indexer.evidence.chunk`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from indexer.parse import Block, Code, Item, Table, TableRow, TaskItem
from indexer.parse.document.flat import task_line
from indexer.parse.document.sentences import TOLERANCE, count, parts

PARENT_WORDS = 30  # of a long parent, where it is repeated over its children

Cells = tuple[tuple[str, str], ...]


def announced(block: Block, lines: Iterable[str]) -> str:
    """Lines under what announces them: the panel around the block, and the sentence before it."""
    said = (block.label, block.lead_in)
    above = ": ".join(filter(None, said))
    if above:
        lines = [above, *lines]
    return "\n".join(lines)


def item_lines(
    item: Item,
    number: int | None,
    depth: int = 0,
) -> list[str]:
    """An item and everything under it, one line each, indented by two spaces per level."""
    lines: list[str] = []
    if item.text:
        lines.append(item_line(item.text, number, depth))
        depth += 1
    for position, child in enumerate(item.children, 1):
        mark = position if item.ordered else None
        lines += item_lines(child, mark, depth)
    return lines


def item_line(text: str, number: int | None, depth: int) -> str:
    """`- text` or `3. text`; further lines of the item are indented under it."""
    mark = "- " if number is None else f"{number}. "
    margin = "  " * depth
    indent = margin + " " * len(mark)
    return margin + mark + text.replace("\n", f"\n{indent}")


def item_groups(
    items: Sequence[Item],
    *,
    ordered: bool,
    size: int,
    parents: tuple[str, ...] = (),
) -> Iterator[list[str]]:
    """The lines of a list, in groups of about `size` words under their repeated parents."""
    group: list[str] = []
    for number, item in enumerate(items, 1):
        mark = number if ordered else None
        lines = item_lines(item, mark, len(parents))
        limit = size if number < len(items) else size * TOLERANCE
        together = [*group, *lines]
        if group and not _fit(together, limit):
            yield [*parents, *group]
            group = []
        if _fit(lines, size * TOLERANCE):
            group += lines
        else:
            yield from _long_item(item, mark, size, parents)
    if group:
        yield [*parents, *group]


def _fit(lines: Sequence[str], size: float) -> bool:
    return sum(map(count, lines)) <= size


def _long_item(
    item: Item,
    mark: int | None,
    size: int,
    parents: tuple[str, ...],
) -> Iterator[list[str]]:
    """An item cut into its own text and the groups under it; one with code stays whole."""
    depth = len(parents)
    cut = partial(item_groups, item.children, ordered=item.ordered, size=size)
    if not item.text:
        yield from cut(parents=parents)
        return
    if not item.children or count(item.text) > PARENT_WORDS:
        texts = [item.text]
        if not item.holds_code:
            texts = parts(item.text, size)
        for text in texts:
            yield [*parents, item_line(text, mark, depth)]
    words = item.text.split()
    shown = item.text
    if len(words) > PARENT_WORDS:
        shown = " ".join(words[:PARENT_WORDS]) + " …"
    below = (*parents, item_line(shown, mark, depth))
    yield from cut(parents=below)


def task_text(task: TaskItem) -> str:
    """`[ ] Order the disks (assignee: Anna; due: 2024-05-01)`."""
    known: list[str] = []
    if task.assignee:
        known.append(f"assignee: {task.assignee}")
    if task.due:
        known.append(f"due: {task.due}")
    line = task_line(task)
    return f"{line} ({'; '.join(known)})" if known else line


def code_text(code: Code) -> str:
    """The code under its title."""
    return _titled(code, code.text)


def code_raw(code: Code) -> str:
    """The code in a fence that is longer than any inside it."""
    fence = "```"
    while fence in code.text:
        fence += "`"
    fenced = f"{fence}{code.language}\n{code.text}\n{fence}"
    return _titled(code, fenced)


def _titled(code: Code, text: str) -> str:
    lines = filter(None, (code.title, text))
    return announced(code, lines)


def column_names(table: Table) -> tuple[str, ...]:
    """The names of the columns, `Column 2` for one without a name."""
    names: list[str] = []
    for number, name in enumerate(table.header, 1):
        names.append(name or f"Column {number}")
    return tuple(names)


def cells(table: Table, row: TableRow) -> Cells:
    """(Column name, value) in order; in two columns without header the first holds the names."""
    if _is_pairs(table) and row.cells:
        key, value = row.cells
        return ((key or "Column 2", value),)
    names = column_names(table)
    return tuple(zip(names, row.cells, strict=False))


def _is_pairs(table: Table) -> bool:
    return table.header == ("", "")


def row_text(
    table: Table,
    row: TableRow,
    shown: Cells | None = None,
) -> str:
    """A row as a sentence; `shown` limits it to some of its cells."""
    labels = (table.caption, row.group)
    over = ", ".join(filter(None, labels))
    place = f"Row {row.number} in Table {table.number}"
    if not row.cells:
        return f"{place}: {over}"
    shown = cells(table, row) if shown is None else shown
    key = row.cells[0] if _has_keys(table) else ""
    said = shown[1:] if key else shown
    values = _values(table, said)
    if over:
        place += f" ({over})"
    if key:
        place += f", {key}"
    return f"{place}: {', and '.join(values)}"


def _has_keys(table: Table) -> bool:
    """Whether the first column, without a name, says what each row is about."""
    if not table.header_column or table.header[0]:
        return False
    return not _is_pairs(table)


def _values(table: Table, shown: Cells) -> list[str]:
    if _is_pairs(table):
        return [f"{name}: {value}" for name, value in shown]
    if table.header == ("",):
        return [value for _, value in shown]
    return [f"{name} is {value}" for name, value in shown if value]


def table_text(table: Table, rows: Sequence[TableRow]) -> str:
    """Some rows under the caption and the header, with bars between the cells."""
    lines = [table.caption, _bars(table.header)]
    lines += _with_groups(rows, _bars)
    return announced(table, filter(None, lines))


def table_raw(table: Table, rows: Sequence[TableRow]) -> str:
    """The same as a Markdown table."""
    width = len(table.header)

    def padded(values: Sequence[str]) -> str:
        missing = width - len(values)
        return _pipes([*values, *[""] * missing])

    rule = "|" + " --- |" * width
    grid = [_pipes(table.header), rule]
    grid += _with_groups(rows, padded)
    caption = filter(None, [table.caption])
    above = announced(table, caption)
    under = "\n".join(grid)
    return f"{above}\n\n{under}" if above else under


def _with_groups(
    rows: Sequence[TableRow],
    line: Callable[[Sequence[str]], str],
) -> Iterator[str]:
    """Each row as a line, and one for each merged row that labels those under it."""
    group = ""
    for row in rows:
        if row.group != group and row.group:
            yield line((row.group,))
        group = row.group
        if row.cells:
            yield line(row.cells)


def _bars(values: Sequence[str]) -> str:
    return " | ".join(values) if any(values) else ""


def _pipes(values: Sequence[str]) -> str:
    return f"| {' | '.join(map(_escaped, values))} |"


def _escaped(value: str) -> str:
    without_bars = value.replace("|", "\\|")
    return without_bars.replace("\n", "<br>")
