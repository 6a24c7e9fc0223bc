"""Lists in excerpts: whole where there is room, else with a sign where items are left out."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from core.evidence.spans import Span
from core.language.sentences import Sentences
from core.models import Kind
from core.structure import ListItem
from worker.extractive.shown import Around, bold

MOST_ITEMS = 12  # of a list, and rows of a table
LONGEST = 2  # times the room is the most that a list may take that was asked for whole
SHORT = 30  # words of a list that is shown whole, whatever room is left
GAP = "…"  # in place of items that are left out


def listing(say: Sentences, shown: Around) -> str:
    """The whole list where there is room; else the items that answer, and what is around them."""
    piece = shown.best.hit.evidence
    items = piece.items
    answering = [at for at, item in enumerate(items) if _answers(item, shown.spans)]
    kept = set(range(len(items)))
    if answering and not _fits(items, shown.room):
        kept = _kept(items, answering, shown.room)
    shown_items = _whole(items, shown.room) if not answering else sorted(kept)
    mark = "- " if piece.kind is Kind.TASK else ""
    best = answering[0] if shown.sure and len(kept) > 1 and answering else None
    lines: list[str] = []
    for before, at in pairwise([-1, *shown_items, len(items)]):
        if at != before + 1 and answering:
            lines.append(GAP)
        if at < len(items):
            line = _bold_item(items[at]) if at == best else items[at].line
            lines.append(mark + line if items[at].depth >= 0 else line)
    left = len(items) - len(shown_items)
    if not answering and left:
        lines.append(f"… {say('and-more', count=left)}")
    return "\n".join(lines)


def _answers(item: ListItem, spans: Sequence[Span]) -> bool:
    return any(item.line.strip() == span.text for span in spans)


def _fits(items: Sequence[ListItem], room: int) -> bool:
    return sum(map(_words, items)) <= max(room, SHORT) and len(items) <= MOST_ITEMS


def _words(item: ListItem) -> int:
    return len(item.line.split())


def _whole(items: Sequence[ListItem], room: int) -> Sequence[int]:
    """The places of a list that was asked for, or of its beginning."""
    left = LONGEST * room
    announced = sum(item.depth < 0 for item in items)
    most = announced + MOST_ITEMS
    for at, item in enumerate(items[:most]):
        left -= _words(item)
        if left < 0 and at > announced:
            return range(at)
    return range(min(len(items), most))


def _kept(items: Sequence[ListItem], answering: Sequence[int], room: int) -> set[int]:
    """The items that answer under what they stand under, then those beside them."""
    kept: set[int] = set()
    for at in answering:
        kept |= {at, *_above(items, at), *_below(items, at)}
    left = room - sum(_words(items[at]) for at in kept)
    for at in (*range(max(answering) + 1, len(items)), *range(min(answering) - 1, -1, -1)):
        if at in kept:
            continue
        left -= _words(items[at])
        if left < 0 or len(kept) >= MOST_ITEMS:
            break
        kept.add(at)
    return kept


def _above(items: Sequence[ListItem], at: int) -> list[int]:
    """The places of what an item stands under."""
    found: list[int] = []
    depth = items[at].depth
    for place in range(at - 1, -1, -1):
        if items[place].depth < depth:
            found.append(place)
            depth = items[place].depth
    return found


def _below(items: Sequence[ListItem], at: int) -> list[int]:
    found: list[int] = []
    for place in range(at + 1, len(items)):
        if items[place].depth <= items[at].depth:
            break
        found.append(place)
    return found


def _bold_item(item: ListItem) -> str:
    if item.depth < 0:
        return item.line
    start = len(item.line) - len(item.line.lstrip()) + len(item.mark)
    return item.line[:start] + bold(item.line[start:])
