"""Context window: packs hits into the evidence of a prompt, within a budget of tokens.

The best hits go in first, each at least as the piece that was found; the first that does not fit
whole is cut at a boundary, visibly (so is one that would take more than half of the room, such as a
long file of code), and what ranks behind it stays out. So the numbers of the prompt are the places
of the hits that are given. What room is left goes to the blocks that pieces were cut from, a piece
for each hit in turn, and then to the texts before and after. Rows and parts of one table are
written as one, in the place of its best.

Hits can be frozen as they were given. Explain packs some of them again, and the room that the
others leave must change nothing.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.models import Evidence, Hit
from core.pages import PageKey
from core.structure import NO_NEIGHBOUR
from worker.prompting.cut import WayToCut, least, ways
from worker.prompting.evidence_blocks import Frozen, PromptBlock, Shown, blocks, data, groups, size
from worker.text import sanitize


@dataclass(frozen=True)
class Packed:
    """The hits that are given, best first, and how the prompt shows them, numbered by place."""

    hits: tuple[Hit, ...]
    blocks: tuple[PromptBlock, ...]


def pack(hits: Sequence[Hit], room: int) -> Packed:
    """As much of these hits as `room` tokens hold, the best one in any case.

    What was given packs again into the same, and frozen hits are shown as they were, whatever the
    room.
    """
    frozen = [hit for hit in hits if isinstance(hit, Frozen)]
    shown = list(map(_as_frozen, frozen))
    if len(frozen) < len(hits):
        shown = _given(hits, room)
    given = tuple(each.hit for each in shown)
    return Packed(given, tuple(blocks(shown)))


def freeze(hits: Sequence[Hit], room: int) -> tuple[Frozen, ...]:
    """The hits that `pack` gives, each to look the same when only some of them are packed again."""
    shown = _given(hits, room)
    frozen: dict[int, Frozen] = {}
    for group in groups(shown):
        for number, each in group:
            frozen[number] = _frozen(each, in_table=len(group) > 1)
    return tuple(frozen[number] for number in sorted(frozen))


def _frozen(each: Shown, *, in_table: bool) -> Frozen:
    own = each.hit.evidence
    shown: dict[str, object] = {
        "before": own.before if each.before else NO_NEIGHBOUR,
        "after": own.after if each.after else NO_NEIGHBOUR,
    }
    if each.is_cut:
        shown |= {"text": each.text, "table": each.table}
    fields = dict(each.hit)
    fields["evidence"] = own.model_copy(update=shown)
    fields["block"] = each.block
    return Frozen(**fields, in_table=in_table, uncut=own if each.is_cut else None)


def _as_frozen(hit: Frozen) -> Shown:
    own = hit.evidence
    return Shown(
        hit,
        _text(own, hit.block),
        block=hit.block,
        before=sanitize.line(own.before.text),
        after=sanitize.line(own.after.text),
    )


def _given(hits: Sequence[Hit], room: int) -> list[Shown]:
    shown = _best(hits, room)
    while len(shown) < len(hits):  # without those that stay out the others may fit whole
        hits = [each.hit for each in shown]
        shown = _best(hits, room)
    return _with_neighbours(_with_blocks(shown, room), room)


def _best(hits: Sequence[Hit], room: int) -> list[Shown]:
    """The hits that fit as the pieces that were found, the last of them perhaps cut.

    One never takes more than half of the room from the others.
    """
    whole = [Shown(hit, data(hit.evidence)) for hit in hits]
    fits = len(hits) == 1 or size(whole) <= room
    most = room if fits else room // 2
    given: list[Shown] = []
    for each in whole:
        shown = each
        if size([each]) > most:
            shown = _beginning([], each, most)[0]
        if size([*given, shown]) > room:
            return given + _beginning(given, each, room)
        given.append(shown)
    return given


def _beginning(given: Sequence[Shown], whole: Shown, room: int) -> list[Shown]:
    """As much of a piece as fits; of another than the best none rather than half a sentence."""
    for way in ways(whole, anywhere=not given):
        fitting = _fitting(given, way, room)
        if fitting:
            return [way.cut(fitting)]
    return [] if given else [least(whole)]


def _fitting(given: Sequence[Shown], way: WayToCut, room: int) -> int:
    """How many of its parts the cut piece can have; never all, since then it is not cut."""

    def length(count: int) -> int:
        return size([*given, way.cut(count)])

    counts = range(1, way.parts)
    return bisect_right(counts, room, key=length)


def _with_blocks(shown: list[Shown], room: int) -> list[Shown]:
    """A piece of its block for each hit in turn, the nearest first, as long as there is room."""
    turns = max((len(each.hit.block) for each in shown), default=0)
    for turn in range(turns):
        for place, each in enumerate(shown):
            if turn == len(each.block) < len(each.hit.block) and not each.is_cut:
                shown = _if_it_fits(shown, place, _wider(each, turn), room)
    return shown


def _wider(each: Shown, turn: int) -> Shown:
    """With the piece of its block that is the next in distance."""
    own = each.hit.evidence

    def distance(piece: Evidence) -> int:
        return abs(piece.position - own.position)

    nearest = sorted(each.hit.block, key=distance)[turn]
    block = _in_order([*each.block, nearest])
    return replace(each, block=tuple(block), text=_text(own, block))


def _text(own: Evidence, block: Sequence[Evidence]) -> str:
    """A piece as data, within what is shown of its block."""
    return _joined(_in_order([own, *block]), own.heading_path) if block else data(own)


def _in_order(pieces: Sequence[Evidence]) -> list[Evidence]:
    return sorted(pieces, key=lambda piece: piece.position)


def _joined(pieces: Sequence[Evidence], path: Sequence[str]) -> str:
    """Pieces of one block in their order, under their headings where those are not `path`.

    Lines that each repeats above its own, such as the parents of list items, stand once.
    """
    lines: list[str] = []
    last: list[str] = []
    for number, piece in enumerate(pieces):
        if piece.heading_path != path:
            path = piece.heading_path
            lines += ["", sanitize.line(" › ".join(path))]
        own = data(piece).splitlines()
        if number and piece.position != pieces[number - 1].position + 1:
            lines.append("…")
        lines += own[_shared(last, own) :]
        last = own
    return "\n".join(lines)


def _shared(one: Sequence[str], two: Sequence[str]) -> int:
    """How many lines both begin with."""
    count = 0
    for a, b in zip(one, two, strict=False):
        if a != b:
            break
        count += 1
    return count


def _with_neighbours(shown: list[Shown], room: int) -> list[Shown]:
    """The texts before and after, where the piece that holds them is not shown anyway."""
    given: set[tuple[PageKey, int]] = set()
    for each in shown:
        for piece in (each.hit.evidence, *each.block):
            given.add((each.hit.page.key, piece.position))
    for group in groups(shown):
        if len(group) > 1:
            continue
        number, each = group[0]
        place = number - 1
        own, page = each.hit.evidence, each.hit.page.key
        if own.before.lines and (page, own.position - 1) not in given:
            before = sanitize.line(own.before.text)
            wider = replace(shown[place], before=before)
            shown = _if_it_fits(shown, place, wider, room)
        is_given = (page, own.position + 1) in given
        if own.after.lines and not is_given and not each.is_cut:
            after = sanitize.line(own.after.text)
            wider = replace(shown[place], after=after)
            shown = _if_it_fits(shown, place, wider, room)
    return shown


def _if_it_fits(shown: list[Shown], place: int, wider: Shown, room: int) -> list[Shown]:
    changed = list(shown)
    changed[place] = wider
    return changed if size(changed) <= room else shown
