"""Continued lists: steps that go on behind code or a note are one list.

Confluence's editor cannot always keep code, a panel or a paragraph inside an item: it ends the list
there, and begins the next one with the number that follows (`<ol start="3">`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from indexer.parse.document.blocks import Block, Code, Item, ListBlock, Passage
from indexer.parse.document.flat import lines, of_item
from indexer.parse.document.sentences import count

# What is longer is no part of a step. Of code, words say little: one line may be a whole program.
MOST_WORDS, MOST_CHARACTERS = 80, 600
MOST_ITEMS = 200  # of a list: a page of nothing but beginnings must not take minutes


def with_lists_joined(blocks: Iterable[Block]) -> list[Block]:
    """The blocks, where what stands between a list and its continuation belongs to the item before.

    Only a list whose first number follows on the last one, under the same heading and in the same
    panel, is a continuation.
    """
    found: list[Block] = []
    for block in blocks:
        place = _begun_at(found, block) if isinstance(block, ListBlock) else None
        if isinstance(block, ListBlock) and place is not None:
            found[place:] = [_joined(found[place:], block.items)]
        else:
            found.append(block)
    return found


def _joined(begun: Sequence[Block], items: Sequence[Item]) -> ListBlock:
    """A list with what stands behind it, and the items that go on."""
    first, *between = begun
    assert isinstance(first, ListBlock), "what is begun is a list"
    *before, last = first.items
    whole = _with(last, of_item(between, first.label))
    return replace(first, items=(*before, whole, *items))


def _begun_at(found: Sequence[Block], block: ListBlock) -> int | None:
    """Where the list stands that this one continues."""
    for place in reversed(range(len(found))):
        each = found[place]
        if block.start < 2 or _section(each) != _section(block):
            return None
        if isinstance(each, ListBlock):
            return place if _goes_on(each, block) and _is_short(found[place + 1 :]) else None
        if not isinstance(each, Passage | Code):
            return None
    return None


def _section(block: Block) -> tuple[tuple[str, ...], str]:
    return block.heading_path, block.anchor


def _goes_on(begun: ListBlock, block: ListBlock) -> bool:
    is_next = begun.ordered and begun.start + len(begun.items) == block.start
    return is_next and begun.label == block.label and len(begun.items) <= MOST_ITEMS


def _is_short(between: Sequence[Block]) -> bool:
    said = lines(between)
    return sum(map(count, said)) <= MOST_WORDS and sum(map(len, said)) <= MOST_CHARACTERS


def _with(item: Item, said: Sequence[str]) -> Item:
    """An item with the lines that follow it: behind its own list, where it has one."""
    if item.children:
        *before, last = item.children
        return replace(item, children=(*before, _with(last, said)))
    text = "\n".join([item.text, *said])
    return replace(item, text=text, holds_code=item.holds_code or len(said) > 0)
