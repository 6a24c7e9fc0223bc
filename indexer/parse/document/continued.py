"""Continued lists: steps that go on behind code or a note are one list.

Confluence's editor cannot always keep code, a panel or a paragraph inside an item: it ends the list
there, and begins the next one with the number that follows (`<ol start="3">`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from indexer.parse.document.blocks import Block, Code, Item, ListBlock, Passage
from indexer.parse.document.flat import lines
from indexer.parse.document.sentences import count

MOST_BETWEEN = 80  # words: what is longer is no part of a step


def with_lists_joined(blocks: Iterable[Block]) -> list[Block]:
    """The blocks, where what stands between a list and its continuation belongs to the item before.

    Only a list whose first number follows on the last one is a continuation.
    """
    found: list[Block] = []
    for block in blocks:
        place = _begun_at(found, block)
        if place is None:
            found.append(block)
            continue
        begun, between = found[place], found[place + 1 :]
        assert isinstance(begun, ListBlock), "what is begun is a list"
        assert isinstance(block, ListBlock), "and so is what goes on"
        items = (*begun.items[:-1], _with(begun.items[-1], between), *block.items)
        found[place:] = [replace(begun, items=items)]
    return found


def _begun_at(found: Sequence[Block], block: Block) -> int | None:
    """Where the list stands that this block continues."""
    if not isinstance(block, ListBlock) or block.start < 2:
        return None
    for place in reversed(range(len(found))):
        each = found[place]
        if _section(each) != _section(block):
            return None
        if isinstance(each, ListBlock):
            is_last = each.ordered and each.start + len(each.items) == block.start
            return place if is_last and _is_short(found[place + 1 :]) else None
        if not isinstance(each, Passage | Code):
            return None
    return None


def _section(block: Block) -> tuple[tuple[str, ...], str]:
    return block.heading_path, block.anchor


def _is_short(between: Sequence[Block]) -> bool:
    return sum(map(count, lines(between))) <= MOST_BETWEEN


def _with(item: Item, between: Sequence[Block]) -> Item:
    """An item with what follows it; below its own list, where it has one."""
    if not between:
        return item
    said = lines(between)
    holds_code = any(isinstance(block, Code) for block in between)
    if item.children:
        return replace(
            item, children=(*item.children, Item("\n".join(said), holds_code=holds_code))
        )
    text = "\n".join([item.text, *said])
    return replace(item, text=text, holds_code=item.holds_code or holds_code)
