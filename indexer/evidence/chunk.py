"""Chunks blocks into pieces of a size that ranks well: paragraphs, lists, tables and long rows.

About 80 words: on ConfQuestions that ranks 2 to 4 points better than uncut blocks.
Code is never cut.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.models import Kind
from indexer.evidence.verbalize import (
    Cells,
    announced,
    cells,
    code_raw,
    code_text,
    item_groups,
    row_text,
    table_raw,
    table_text,
    task_text,
)
from indexer.parse import Block, ChildPages, Code, ListBlock, Passage, Table, TableRow, TaskList
from indexer.parse.document.flat import child_pages_line, task_line
from indexer.parse.document.sentences import count, cut, grouped

PIECE_WORDS = 80
TABLE_WORDS = 200
ROW_WORDS = 200


@dataclass(frozen=True)
class Piece:
    """Evidence before it knows its page and its neighbours."""

    kind: Kind
    block: Block
    text: str
    raw: str = ""
    row: int | None = None
    cells: Cells = ()
    acl_id: str = ""
    names: tuple[str, ...] = ()


def pieces_of(blocks: Sequence[Block]) -> Iterator[Piece]:
    """The pieces of every block; consecutive paragraphs are cut together."""
    paragraphs: list[Passage] = []
    for block in blocks:
        if isinstance(block, Passage) and _belongs(block, paragraphs):
            paragraphs.append(block)
            continue
        yield from _passages(paragraphs, block)
        paragraphs = [block] if isinstance(block, Passage) else []
        yield from _cut(block)
    yield from _passages(paragraphs, None)


def _belongs(passage: Passage, paragraphs: Sequence[Passage]) -> bool:
    if not paragraphs:
        return True
    first = paragraphs[0]
    return passage.heading_path == first.heading_path and passage.label == first.label


def _passages(
    paragraphs: Sequence[Passage],
    following: Block | None,
) -> Iterator[Piece]:
    """Paragraphs in pieces, without one that only announces the next block: that is part of it."""
    if not paragraphs:
        return
    texts = [passage.text for passage in paragraphs]
    if following and texts == [following.lead_in] and following.lead_in.endswith(":"):
        return
    first = paragraphs[0]
    label = f"{first.label}: " if first.label else ""
    for group in cut(texts, PIECE_WORDS):
        text, raw = "\n".join(group), "\n\n".join(group)
        yield Piece(Kind.PASSAGE, first, label + text, label + raw)


def _cut(block: Block) -> Iterator[Piece]:
    match block:
        case ListBlock():
            yield from _list_pieces(block)
        case Table():
            yield from _table_pieces(block)
            for row in block.rows:
                yield from _row_pieces(block, row)
        case Code():
            yield Piece(Kind.CODE, block, code_text(block), code_raw(block))
        case TaskList():
            yield from _task_pieces(block)
        case ChildPages():
            yield child_pages_piece(block)


def child_pages_piece(block: ChildPages) -> Piece:
    """A list of child pages in one line; it names them, so it may need an ACL of its own."""
    return Piece(Kind.CHILD_PAGES, block, announced(block, [child_pages_line(block)]))


def _list_pieces(block: ListBlock) -> Iterator[Piece]:
    """A list, or groups of siblings under their parents when it is long."""
    for lines in item_groups(block.items, ordered=block.ordered, size=PIECE_WORDS):
        yield Piece(Kind.LIST, block, announced(block, lines))


def _table_pieces(table: Table) -> Iterator[Piece]:
    """The table, or runs of its rows under the header when it is long."""
    texts = [" ".join([row.group, *row.cells]) for row in table.rows]
    start = 0
    for group in grouped(texts, TABLE_WORDS) or [[]]:
        rows = table.rows[start : start + len(group)]
        start += len(group)
        text, raw = table_text(table, rows), table_raw(table, rows)
        yield Piece(Kind.TABLE, table, text, raw)


def _row_pieces(table: Table, row: TableRow) -> Iterator[Piece]:
    """A row as a sentence, or several that repeat the key column when it is long."""
    is_empty = not any(row.cells)
    is_group = bool(row.group) and not row.cells
    if is_empty and not is_group:
        return
    raw = table_raw(table, [row])
    for shown in _column_groups(cells(table, row)):
        text = row_text(table, row, shown)
        yield Piece(Kind.ROW, table, text, raw, row.number, shown)


def _column_groups(all_cells: Cells) -> Iterator[Cells]:
    key, rest = all_cells[:1], all_cells[1:]
    room = ROW_WORDS - sum(count(value) for _, value in key)
    texts = [f"{name} {value}" for name, value in rest]
    start = 0
    for group in grouped(texts, max(room, ROW_WORDS // 2)) or [[]]:
        yield key + rest[start : start + len(group)]
        start += len(group)


def _task_pieces(block: TaskList) -> Iterator[Piece]:
    start = 0
    texts = [task_text(task) for task in block.tasks]
    for group in grouped(texts, PIECE_WORDS):
        tasks = block.tasks[start : start + len(group)]
        start += len(group)
        raw = announced(block, map(task_line, tasks))
        yield Piece(Kind.TASK, block, announced(block, group), raw)
