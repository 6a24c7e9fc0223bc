"""Chunks blocks into pieces of a size that ranks well: paragraphs, lists, tables and long rows.

About 80 words: on ConfQuestions that ranks 2 to 4 points better than uncut blocks.
Code is cut only where it is longer than a screen or two.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.models import Kind
from core.structure import Cells, CodeText, ListItem, TableRow, TableSlice
from indexer.evidence.code_parts import code_parts
from indexer.evidence.verbalize import (
    announced,
    code_text,
    item_groups,
    row_text,
    table_slice,
    task_item,
)
from indexer.parse import Block, ChildPages, Code, ListBlock, Passage, Table, TaskList
from indexer.parse.document.flat import child_pages_line
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
    table: TableSlice | None = None
    items: tuple[ListItem, ...] = ()
    code: CodeText | None = None
    acl_id: str = ""


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
    place, first_place = (passage.part, passage.heading_path), (first.part, first.heading_path)
    return place == first_place and passage.label == first.label


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
        yield Piece(Kind.PASSAGE, first, label + "\n".join(group))


def _cut(block: Block) -> Iterator[Piece]:
    match block:
        case ListBlock():
            yield from _list_pieces(block)
        case Table():
            yield from _table_pieces(block)
            for row in block.rows:
                yield from _row_pieces(block, row)
        case Code():
            yield from _code_pieces(block)
        case TaskList():
            yield from _task_pieces(block)
        case ChildPages():
            yield child_pages_piece(block)


def child_pages_piece(block: ChildPages) -> Piece:
    """A list of child pages in one line; it names them, so it may need an ACL of its own."""
    return Piece(Kind.CHILD_PAGES, block, announced(block, [child_pages_line(block)]))


def _code_pieces(block: Code) -> Iterator[Piece]:
    for code in code_parts(code_text(block)):
        text = "\n".join(filter(None, (code.above, code.text)))
        yield Piece(Kind.CODE, block, text, code=code)


def _list_pieces(block: ListBlock) -> Iterator[Piece]:
    """A list, or groups of siblings under their parents when it is long."""
    groups = item_groups(block.items, ordered=block.ordered, size=PIECE_WORDS, start=block.start)
    for group in groups:
        yield _outline_piece(Kind.LIST, block, group)


def _outline_piece(
    kind: Kind,
    block: Block,
    group: Sequence[ListItem],
) -> Piece:
    """Lines of a list or of tasks under what announces them."""
    above = announced(block, ())
    items = (ListItem(text=above, depth=-1), *group) if above else tuple(group)
    text = "\n".join(item.line for item in items)
    return Piece(kind, block, text, items=items)


def _table_pieces(table: Table) -> Iterator[Piece]:
    """The table, or runs of its rows under the header when it is long."""
    texts = [" ".join([row.group, *row.cells]) for row in table.rows]
    start = 0
    for group in grouped(texts, TABLE_WORDS) or [[]]:
        rows = table.rows[start : start + len(group)]
        start += len(group)
        part = table_slice(table, rows)
        yield Piece(Kind.TABLE, table, part.text, part)


def _row_pieces(table: Table, row: TableRow) -> Iterator[Piece]:
    """A row as a sentence, or several that repeat the key column when it is long."""
    is_empty = not any(row.cells)
    is_group = bool(row.group) and not row.cells
    if is_empty and not is_group:
        return
    whole = table_slice(table, [row])
    for columns in _column_groups(whole.cells(row)):
        shown = table_slice(table, [row], columns)
        yield Piece(Kind.ROW, table, row_text(table, shown), shown)


def _column_groups(cells: Cells) -> Iterator[tuple[int, ...]]:
    """The columns of each piece of a row; none where one piece holds them all."""
    key, rest = cells[:1], cells[1:]
    room = ROW_WORDS - sum(count(value) for _, value in key)
    texts = [f"{name} {value}" for name, value in rest]
    groups = list(grouped(texts, max(room, ROW_WORDS // 2)))
    if len(groups) < 2:
        yield ()
        return
    start = 1
    for group in groups:
        yield (0, *range(start, start + len(group)))
        start += len(group)


def _task_pieces(block: TaskList) -> Iterator[Piece]:
    start = 0
    items = list(map(task_item, block.tasks))
    for group in grouped([item.line for item in items], PIECE_WORDS):
        shown = items[start : start + len(group)]
        start += len(group)
        yield _outline_piece(Kind.TASK, block, shown)
