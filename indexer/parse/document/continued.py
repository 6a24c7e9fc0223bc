"""Continued lists: steps that go on behind code or a note are one list.

Confluence's editor cannot always keep code, a panel or a paragraph inside an item: it ends the list
there, and begins the next one with the number that follows (`<ol start="3">`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from indexer.parse.document.blocks import Block, Code, Item, ListBlock, Passage
from indexer.parse.document.flat import lines
from indexer.parse.document.marks import briefly
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
        if isinstance(block, ListBlock) and (begun := _begun(found, block)):
            between = _taken_after(found, begun)
            block = _joined(begun, between, block)
        found.append(block)
    return found


def _begun(found: Sequence[Block], block: ListBlock) -> ListBlock | None:
    """The list that this one continues."""
    between: list[Block] = []
    for each in reversed(found):
        if block.start < 2 or _section(each) != _section(block):
            return None
        if isinstance(each, ListBlock):
            return each if _goes_on(each, block) and _is_short(between) else None
        if not isinstance(each, Passage | Code):
            return None
        between.append(each)
    return None


def _taken_after(found: list[Block], begun: ListBlock) -> list[Block]:
    """What stands behind a list; both are taken out."""
    between: list[Block] = []
    while (last := found.pop()) is not begun:
        between.insert(0, last)
    return between


def _joined(begun: ListBlock, between: Sequence[Block], block: ListBlock) -> ListBlock:
    *before, last = begun.items
    return replace(begun, items=(*before, _with(last, between, begun.label), *block.items))


def _section(block: Block) -> tuple[tuple[str, ...], str]:
    return block.heading_path, block.anchor


def _goes_on(begun: ListBlock, block: ListBlock) -> bool:
    is_next = begun.ordered and begun.start + len(begun.items) == block.start
    return is_next and begun.label == block.label and len(begun.items) <= MOST_ITEMS


def _is_short(between: Sequence[Block]) -> bool:
    said = lines(between)
    return sum(map(count, said)) <= MOST_WORDS and sum(map(len, said)) <= MOST_CHARACTERS


def _with(item: Item, between: Sequence[Block], label: str) -> Item:
    """An item with what follows it: behind its own list, where it has one.

    What is in the panel of the list, which has this label, does not name it again.
    """
    if item.children:
        *before, last = item.children
        return replace(item, children=(*before, _with(last, between, label)))
    shown = [replace(each, label="") if each.label == label else each for each in between]
    said = lines([_as_text(each) if isinstance(each, Code) else each for each in shown])
    holds_code = item.holds_code or any(isinstance(each, Code) for each in between)
    return replace(item, text="\n".join([item.text, *said]), holds_code=holds_code)


def _as_text(code: Code) -> Code:
    """Under its title and in backticks, which keep it as it stands on the page.

    >>> _as_text(Code(text="make all\\nls", title="build.sh")).text
    'build.sh\\n`make all`\\n`ls`'
    """
    spans = [_span(line) for line in code.text.split("\n")]
    return replace(code, text="\n".join(filter(None, [briefly(code.title), *spans])))


def _span(line: str) -> str:
    return line if "`" in line or not line.strip() else f"`{line}`"
