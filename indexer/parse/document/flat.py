"""Blocks as plain lines: what a table cell or a list item shows of the blocks inside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from indexer.parse.document.blocks import (
    Block,
    ChildPages,
    Code,
    Item,
    ListBlock,
    Passage,
    Table,
    TaskItem,
    TaskList,
)
from indexer.parse.document.marks import marked


def lines(blocks: Sequence[Block]) -> list[str]:
    """Every paragraph, item and task in order; a nested table is a pointer to its own evidence."""
    out: list[str] = []
    label = ""
    for block in blocks:
        own = list(_lines(block))
        if own and block.label and block.label != label:
            own[0] = f"{block.label}: {own[0]}"
        label = block.label
        out.extend(own)
    return out


def _lines(block: Block) -> Iterator[str]:
    match block:
        case Passage(text=text):
            yield text.replace("\n", " ")
        case Code(text=text):
            yield text
        case ListBlock(items=items, ordered=ordered, start=start):
            yield from _items(items, ordered, start)
        case TaskList(tasks=tasks):
            yield from map(task_line, tasks)
        case ChildPages():
            yield child_pages_line(block)
        case Table(number=number):
            yield f"[Table {number}]"


def _items(items: Sequence[Item], ordered: bool, start: int = 1) -> Iterator[str]:
    for number, item in enumerate(items, start):
        yield f"{number}. {item.text}" if ordered else item.text
        yield from _items(item.children, item.ordered)


def task_line(task: TaskItem) -> str:
    """A task as a line of text: `[x] Order the disks`."""
    return task_mark(task) + task.text


def task_mark(task: TaskItem) -> str:
    return "[x] " if task.done else "[ ] "


def child_pages_line(block: ChildPages) -> str:
    """The list of child pages in one line."""
    return "Child pages: " + "; ".join(marked(page.title, page.id) for page in block.pages)


def nested_tables(blocks: Sequence[Block]) -> list[Block]:
    """The tables among the blocks: they do not fit into a cell or an item, and follow it."""
    return [block for block in blocks if isinstance(block, Table)]
