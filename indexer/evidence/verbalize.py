"""Blocks as text: as it is indexed, and as people read it (Markdown).

A row of a table becomes a sentence, as in RAGonite (Saha Roy et al. 2025):
"Row 2 in Table 1: Member is Alice, and Task is Similarity function". What becomes a piece of its own is `indexer.evidence.chunk`' business.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from indexer.parse import Block, Code, Item, Table, TableRow, TaskItem
from indexer.parse.document.flat import task_line
from indexer.parse.document.sentences import SLACK, count, parts

PARENT_WORDS = 30  # of a long parent, where it is repeated over its children

Cells = tuple[tuple[str, str], ...]


def announced(block: Block, lines: Iterable[str]) -> str:
    """Lines under what announces them: the panel around the block, and the sentence before it."""
    above = ": ".join(filter(None, (block.label, block.lead_in)))
    return "\n".join([above, *lines] if above else lines)


def item_lines(item: Item, number: int | None, depth: int = 0) -> list[str]:
    """An item and everything under it, one line each, indented by two spaces per level."""
    own = [item_line(item.text, number, depth)] if item.text else []
    children = enumerate(item.children, 1)
    return own + [
        line
        for n, each in children
        for line in item_lines(each, n if item.ordered else None, depth + len(own))
    ]


def item_line(text: str, number: int | None, depth: int) -> str:
    """`- text` or `3. text`; further lines of the item are indented under it."""
    mark = "- " if number is None else f"{number}. "
    margin = "  " * depth
    return margin + mark + text.replace("\n", "\n" + margin + " " * len(mark))


def item_groups(
    items: Sequence[Item], *, ordered: bool, size: int, parents: tuple[str, ...] = ()
) -> Iterator[list[str]]:
    """The lines of a list, or of groups of siblings of about `size` words with their parents repeated above them."""
    group: list[str] = []
    for number, item in enumerate(items, 1):
        mark = number if ordered else None
        lines = item_lines(item, mark, len(parents))
        if group and not _fit([*group, *lines], size if number < len(items) else size * SLACK):
            yield [*parents, *group]
            group = []
        if _fit(lines, size * SLACK):
            group += lines
        else:
            yield from _long_item(item, mark, size, parents)
    if group:
        yield [*parents, *group]


def _fit(lines: Sequence[str], size: float) -> bool:
    return sum(map(count, lines)) <= size


def _long_item(
    item: Item, mark: int | None, size: int, parents: tuple[str, ...]
) -> Iterator[list[str]]:
    """An item cut into its own text and the groups under it; one with code stays whole."""
    depth = len(parents)
    if not item.text:
        yield from item_groups(item.children, ordered=item.ordered, size=size, parents=parents)
        return
    if not item.children or count(item.text) > PARENT_WORDS:
        for text in [item.text] if item.holds_code else parts(item.text, size):
            yield [*parents, item_line(text, mark, depth)]
    words = item.text.split()
    shown = item.text if len(words) <= PARENT_WORDS else " ".join(words[:PARENT_WORDS]) + " …"
    yield from item_groups(
        item.children,
        ordered=item.ordered,
        size=size,
        parents=(*parents, item_line(shown, mark, depth)),
    )


def task_text(task: TaskItem) -> str:
    """`[ ] Order the disks (assignee: Anna; due: 2024-05-01)`."""
    known = [
        f"{name}: {value}"
        for name, value in (("assignee", task.assignee), ("due", task.due))
        if value
    ]
    return task_line(task) + (f" ({'; '.join(known)})" if known else "")


def code_text(code: Code) -> str:
    """The code under its title."""
    return announced(code, filter(None, (code.title, code.text)))


def code_raw(code: Code) -> str:
    """The code in a fence that is longer than any inside it."""
    fence = "```"
    while fence in code.text:
        fence += "`"
    return announced(
        code, filter(None, (code.title, f"{fence}{code.language}\n{code.text}\n{fence}"))
    )


def column_names(table: Table) -> tuple[str, ...]:
    """The names of the columns, `Column 2` for one without a name."""
    return tuple(name or f"Column {number}" for number, name in enumerate(table.header, 1))


def cells(table: Table, row: TableRow) -> Cells:
    """(Column name, value) in order; in a table of two columns without header, the first column holds the names."""
    if _is_pairs(table) and row.cells:
        key, value = row.cells
        return ((key or "Column 2", value),)
    return tuple(zip(column_names(table), row.cells, strict=False))


def _is_pairs(table: Table) -> bool:
    return not any(table.header) and len(table.header) == 2


def row_text(table: Table, row: TableRow, shown: Cells | None = None) -> str:
    """A row as a sentence; `shown` limits it to some of its cells."""
    over = ", ".join(filter(None, (table.caption, row.group)))
    place = f"Row {row.number} in Table {table.number}"
    if not row.cells:
        return f"{place}: {over}"
    shown = cells(table, row) if shown is None else shown
    key = (
        row.cells[0] if table.header_column and not table.header[0] and not _is_pairs(table) else ""
    )
    said = _said(table, shown[1:] if key else shown)
    return (
        f"{place}{f' ({over})' if over else ''}{f', {key}' if key else ''}: {', and '.join(said)}"
    )


def _said(table: Table, shown: Cells) -> list[str]:
    if _is_pairs(table):
        return [f"{name}: {value}" for name, value in shown]
    if table.header == ("",):
        return [value for _, value in shown]
    return [f"{name} is {value}" for name, value in shown if value]


def table_text(table: Table, rows: Sequence[TableRow]) -> str:
    """Some rows under the caption and the header, with bars between the cells."""
    lines = [table.caption, _bars(table.header)]
    return announced(
        table, [line for line in lines if line] + [line for line in _grouped(rows, _bars) if line]
    )


def table_raw(table: Table, rows: Sequence[TableRow]) -> str:
    """The same as a Markdown table."""
    above = announced(table, filter(None, [table.caption]))
    width = len(table.header)
    grid = [
        _pipes(table.header),
        "|" + " --- |" * width,
        *_grouped(rows, lambda row: _pipes([*row, *[""] * (width - len(row))])),
    ]
    return "\n\n".join(filter(None, (above, "\n".join(grid))))


def _grouped(rows: Sequence[TableRow], written: Callable[[Sequence[str]], str]) -> list[str]:
    out: list[str] = []
    group = ""
    for row in rows:
        if row.group != group and row.group:
            out.append(written((row.group,)))
        group = row.group
        if row.cells:
            out.append(written(row.cells))
    return out


def _bars(values: Sequence[str]) -> str:
    return " | ".join(values) if any(values) else ""


def _pipes(values: Sequence[str]) -> str:
    return (
        "| "
        + " | ".join(value.replace("|", "\\|").replace("\n", "<br>") for value in values)
        + " |"
    )
