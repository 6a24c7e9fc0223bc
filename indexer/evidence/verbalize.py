"""Verbalizes blocks: their structure as evidence keeps it, and a row as a sentence.

A row of a table becomes a sentence, as in RAGonite (Saha Roy et al. 2025):
"Row 2 in Table 1: Member is Alice, and Task is Similarity function". What becomes a piece of its
own is decided in `indexer.evidence.chunk`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial

from core.structure import Cells, CodeText, ListItem, TableRow, TableSlice
from indexer.parse import Block, Code, Item, Table, TaskItem
from indexer.parse.document.flat import task_mark
from indexer.parse.document.marks import briefly
from indexer.parse.document.sentences import TOLERANCE, count, parts
from indexer.parse.elements.inline import UNKNOWN_PERSON

_LANGUAGE = re.compile(r"[\w+#./-]{0,40}")  # all else would end or break the fence of Markdown
PARENT_WORDS = 30  # of a long parent, where it is repeated over its children

Outline = tuple[ListItem, ...]


def announced(block: Block, lines: Iterable[str]) -> str:
    """Lines under what announces them: the panel around the block, and the sentence before it."""
    said = (block.label, block.lead_in)
    above = ": ".join(filter(None, said))
    if above:
        lines = [above, *lines]
    return "\n".join(lines)


def outline(
    item: Item,
    number: int | None,
    depth: int = 0,
) -> list[ListItem]:
    """An item and everything under it, in reading order."""
    found: list[ListItem] = []
    if item.text:
        found.append(_outlined(item.text, number, depth))
        depth += 1
    for position, child in enumerate(item.children, 1):
        mark = position if item.ordered else None
        found += outline(child, mark, depth)
    return found


def _outlined(text: str, number: int | None, depth: int) -> ListItem:
    mark = "- " if number is None else f"{number}. "
    return ListItem(text=text, depth=depth, mark=mark)


def item_groups(
    items: Sequence[Item],
    *,
    ordered: bool,
    size: int,
    parents: Outline = (),
    start: int = 1,
) -> Iterator[Outline]:
    """A list in groups of about `size` words under their repeated parents."""
    group: Outline = ()
    for number, item in enumerate(items, start):
        mark = number if ordered else None
        whole = tuple(outline(item, mark, len(parents)))
        limit = size * TOLERANCE if item is items[-1] else size
        if group and not _fit((*group, *whole), limit):
            yield (*parents, *group)
            group = ()
        if _fit(whole, size * TOLERANCE):
            group += whole
        else:
            yield from _long_item(item, mark, size, parents)
    if group:
        yield (*parents, *group)


def _fit(items: Outline, size: float) -> bool:
    return sum(count(item.line) for item in items) <= size


def _long_item(
    item: Item,
    mark: int | None,
    size: int,
    parents: Outline,
) -> Iterator[Outline]:
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
            yield (*parents, _outlined(text, mark, depth))
    words = item.text.split()
    shown = item.text
    if len(words) > PARENT_WORDS:
        shown = " ".join(words[:PARENT_WORDS]) + " …"
    yield from cut(parents=(*parents, _outlined(shown, mark, depth)))


def task_item(task: TaskItem) -> ListItem:
    """`[ ] Order the disks (assignee: Anna; due: 2024-05-01)`; not again what its text says."""
    known: list[str] = []
    is_known = task.assignee.removeprefix("@") != UNKNOWN_PERSON
    if task.assignee and is_known and not _says(task.text, task.assignee):
        known.append(f"assignee: {task.assignee}")
    if task.due and not _says(task.text, task.due):
        known.append(f"due: {task.due}")
    text = f"{task.text} ({'; '.join(known)})" if known else task.text
    return ListItem(text=text, mark=task_mark(task))


def _says(text: str, value: str) -> bool:
    """Whole: Ana is not in `analysis`."""
    return re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text) is not None


def code_text(code: Code) -> CodeText:
    """The code under its title."""
    above = announced(code, filter(None, [briefly(code.title)]))
    language = code.language if _LANGUAGE.fullmatch(code.language) else ""
    return CodeText(text=code.text, language=language, above=above)


def table_slice(
    table: Table,
    rows: Sequence[TableRow],
    columns: tuple[int, ...] = (),
) -> TableSlice:
    """Some rows of a table, with what announces it; of these columns, if some are given."""
    if columns:
        rows = [_of_columns(row, columns) for row in rows]
    return TableSlice(
        number=table.number,
        header=table.header,
        rows=tuple(rows),
        above=announced(table, filter(None, [table.caption])),
        columns=columns,
    )


def _of_columns(row: TableRow, columns: Collection[int]) -> TableRow:
    cells = tuple(cell if at in columns else "" for at, cell in enumerate(row.cells))
    return row.model_copy(update={"cells": cells})


def row_text(table: Table, shown: TableSlice) -> str:
    """The row of a slice as a sentence, as far as the slice says it."""
    (row,) = shown.rows
    labels = (table.caption, row.group)
    over = ", ".join(filter(None, labels))
    place = f"Row {row.number} in Table {table.number}"
    if not row.cells:
        return f"{place}: {over}"
    cells = shown.cells(row)
    key = row.cells[0] if _has_keys(table, shown) else ""
    values = _values(shown, cells[1:] if key else cells)
    if over:
        place += f" ({over})"
    if key:
        place += f", {key}"
    return f"{place}: {', and '.join(values)}"


def _has_keys(table: Table, shown: TableSlice) -> bool:
    """Whether the first column, without a name, says what each row is about."""
    if not table.header_column or table.header[0]:
        return False
    return not shown.is_pairs


def _values(shown: TableSlice, cells: Cells) -> list[str]:
    if shown.is_pairs:
        return [f"{name}: {value}" for name, value in cells]
    if shown.header == ("",):
        return [value for _, value in cells]
    return [f"{name} is {value}" for name, value in cells if value]
