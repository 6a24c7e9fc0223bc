"""Cut lists: a long list is indexed in parts, which are found again and joined here.

Of eleven steps a search may find the sixth to the ninth; who does them needs all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.models import Evidence, Kind
from core.structure import ListItem

LONG = 80  # words: what is longer is cut; see indexer.evidence.chunk
CUT = " …"  # ends a parent that is repeated over its children, where it is long


def announces_list(piece: Evidence) -> bool:
    """Whether it ends with what announces the list that follows."""
    is_text = piece.kind is Kind.PASSAGE
    return is_text and piece.after.is_list and piece.text.rstrip().endswith(":")


def parts_of_list(piece: Evidence, pieces: Iterable[Evidence]) -> list[Evidence]:
    """The parts of the list that `piece` is one of, in their order, as far as they are given.

    The piece alone where it is a whole list, or none.
    """
    if piece.kind is not Kind.LIST:
        return [piece]
    known = {each.position: each for each in pieces if each.page_id == piece.page_id}
    known[piece.position] = piece
    parts = [piece]
    while (before := known.get(parts[0].position - 1)) and _goes_on(before, parts[0]):
        parts.insert(0, before)
    while (after := known.get(parts[-1].position + 1)) and _goes_on(parts[-1], after):
        parts.append(after)
    return parts


def joined(parts: Sequence[Evidence]) -> tuple[ListItem, ...]:
    """The items of a list from its parts, each once: what announces it, and what others stand
    under, is said by each part again.
    """
    items = list(parts[0].items)
    for part in parts[1:]:
        items += part.items[_repeated(items, part.items) :]
    return tuple(items)


def _goes_on(one: Evidence, two: Evidence) -> bool:
    """Whether the second is the next part of the list of the first."""
    if one.kind is not Kind.LIST or two.kind is not Kind.LIST:
        return False
    if (one.heading_path, one.acl_id) != (two.heading_path, two.acl_id):
        return False
    return _announcement(one) == _announcement(two) and _counts_on(one, two)


def _announcement(piece: Evidence) -> list[str]:
    return [item.text for item in piece.items if item.depth < 0]


def _counts_on(one: Evidence, two: Evidence) -> bool:
    """Whether the outermost items go on: 6 after 5; where they may be another list's, a dot after
    a dot or 5 again, both together must be longer than a part.
    """
    marks = [_outermost(one)[-1:], _outermost(two)[:1]]
    if not all(marks):
        return False
    last, first = (mark[0].strip().rstrip(".") for mark in marks)
    if last.isdigit() and first.isdigit() and int(first) == int(last) + 1:
        return True
    return last == first and len(one.text.split()) + len(two.text.split()) > LONG


def _outermost(piece: Evidence) -> list[str]:
    return [item.mark for item in piece.items if item.depth == 0]


def _repeated(known: Sequence[ListItem], items: Sequence[ListItem]) -> int:
    """How many items at the beginning of a part are said already."""
    for count, item in enumerate(items):
        if item.depth >= 0 and not (is_parent(items, count) and _is_said(item, known)):
            return count
    return len(items)


def _is_said(item: ListItem, known: Sequence[ListItem]) -> bool:
    """Whether it is the last item of its depth; of one without a number its words must be."""
    last = next((each for each in reversed(known) if each.depth == item.depth), None)
    if last is None or last.mark != item.mark:
        return False
    return item.mark[:1].isdigit() or begins_with(last.text, item.text)


def is_parent(items: Sequence[ListItem], at: int) -> bool:
    """Whether something stands under this item."""
    return at + 1 < len(items) and items[at + 1].depth > items[at].depth


def begins_with(text: str, said: str) -> bool:
    """Whether a text is said there, perhaps cut, as long ones are above what stands under them.

    >>> begins_with("Stop the winch\\nand wait", "Stop the winch …"), begins_with("Stop it", "Stop")
    (True, False)
    """
    whole, part = " ".join(text.split()), " ".join(said.split())
    return whole.startswith(part.removesuffix(CUT)) if part.endswith(CUT) else whole == part
