"""Lists in excerpts: whole where there is room, else with a sign where items are left out."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.evidence.cut_lists import begins_with, is_parent, joined, parts_of_list
from core.evidence.spans import Span
from core.language.sentences import Sentences
from core.models import Evidence, Kind
from core.structure import ListItem
from worker.extractive.shown import Around, bold

MOST_ITEMS = 12  # of a list, and rows of a table
LONGEST = 2  # times the room is the most that a list may take that was asked for whole …
BEGINNING = 1.5  # … and its beginning, where it takes more
OF_STEPS = 1.3  # times the room is what steps have that were asked for: who does them needs all
SHORT = 30  # words of a list that is shown whole, whatever room is left
REST = 8  # words at most that are not left out of a list that is shown all but whole
GAP = "…"  # in place of items that are left out


def listing(say: Sentences, shown: Around) -> str:
    """The whole list where there is room; else the items that answer, and what is around them.

    A long list is found in parts, so it is joined first: nobody begins with the sixth step.
    """
    piece = shown.best.hit.evidence
    items = joined(parts_of_list(piece, shown.pieces))
    answering = [at for at, item in enumerate(items) if _answers(item, shown.spans)]
    kept = set(range(len(items)))
    if answering and not _fits(items, shown.room):
        kept = _kept(items, answering, shown.room)
    if not answering:
        room = shown.room * (OF_STEPS if shown.steps else 1)
        kept = _whole(items, piece.items, round(room))
    mark = "- " if piece.kind is Kind.TASK else ""
    best = answering[0] if shown.sure and len(kept) > 1 and answering else None
    return "\n".join(_lines(say, items, kept, _Marks(mark, best, is_begun=not answering)))


def announced(say: Sentences, first: Evidence, pieces: Sequence[Evidence], room: int) -> list[str]:
    """Lines of the list that begins with `first`, from its beginning, without its announcement."""
    items = [item for item in joined(parts_of_list(first, pieces)) if item.depth >= 0]
    return _lines(say, items, _from(items, 0, room), _Marks(is_begun=True))


@dataclass(frozen=True)
class _Marks:
    """How items are written down."""

    item: str = ""  # before each
    best: int | None = None  # the place of the one in bold
    is_begun: bool = False  # what is left out behind the last one is counted


def _lines(
    say: Sentences, items: Sequence[ListItem], kept: Collection[int], marks: _Marks
) -> list[str]:
    lines: list[str] = []
    for before, at in pairwise([-1, *sorted(kept), len(items)]):
        left = at - before - 1
        is_end = at == len(items)
        if is_end and left and marks.is_begun:
            lines.append(f"… {say('and-more', count=left)}")
        elif left or (not is_end and _is_later(items, at)):
            lines.append(GAP)
        if not is_end:
            line = _bold_item(items[at]) if at == marks.best else items[at].line
            lines.append(marks.item + line if items[at].depth >= 0 else line)
    return lines


def _is_later(items: Sequence[ListItem], at: int) -> bool:
    """Whether it is the first item that is known, and the list has others before it."""
    is_first = items[at].depth == 0 and not any(item.depth == 0 for item in items[:at])
    number = items[at].mark.strip().rstrip(".")
    return is_first and number.isdigit() and int(number) > 1


def _answers(item: ListItem, spans: Sequence[Span]) -> bool:
    return any(begins_with(item.line.strip(), span.text) for span in spans)


def _fits(items: Sequence[ListItem], room: int) -> bool:
    return sum(map(_words, items)) <= max(room, SHORT) and len(items) <= MOST_ITEMS


def _words(item: ListItem) -> int:
    return len(item.line.split())


def _whole(items: Sequence[ListItem], found: Sequence[ListItem], room: int) -> set[int]:
    """The places of a list that was asked for, or of its beginning; else from what was found on."""
    beginning = _from(items, 0, room)
    wanted = [at for at in range(len(items)) if _is_found(items, at, found)]
    if not wanted or beginning.issuperset(wanted):
        return beginning
    return _from(items, wanted[0], room) | set(_above(items, wanted[0]))


def _is_found(items: Sequence[ListItem], at: int, found: Sequence[ListItem]) -> bool:
    """Not what is only said again above what was found under it."""
    if items[at].depth < 0 or items[at] not in found:
        return False
    return not is_parent(items, at) or items[at + 1] in found


def _from(items: Sequence[ListItem], start: int, room: int) -> set[int]:
    """Items in their order, as many as there is room, under what announces them."""
    announced = [at for at, item in enumerate(items) if item.depth < 0]
    if sum(map(_words, items)) <= LONGEST * room and len(items) <= len(announced) + MOST_ITEMS:
        return set(range(len(items)))
    kept = set(announced)
    left = BEGINNING * room - sum(_words(items[at]) for at in announced)
    for at in range(max(start, len(announced)), len(items)):
        left -= _words(items[at])
        if len(kept) > len(announced) and (left < 0 or len(kept) >= len(announced) + MOST_ITEMS):
            break
        kept.add(at)
    return kept


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
    rest = [items[at] for at in range(len(items)) if at not in kept]
    if len(items) <= MOST_ITEMS and sum(map(_words, rest)) <= REST:
        return set(range(len(items)))
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
