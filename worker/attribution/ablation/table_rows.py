"""Ablation of table rows: takes removed rows out of the pieces that are left of their table.

A part of a table says each row twice: on a line of its Markdown (`raw`) and on one of its text,
with bars. A long row is several pieces, each of which keeps the Markdown of the whole row: where
only some of them go, the cells of those become empty.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, takewhile

from core.models import Evidence, Kind
from worker.attribution.ablation.table_markdown import (
    bars,
    cells,
    markdown,
    marked,
    segments,
    table_text,
)
from worker.prompting.context_window import CUT
from worker.text.table_merge import grid


@dataclass(frozen=True)
class Rest:
    """What is left of a table: the pieces that stay, by id, and how many rows went altogether."""

    pieces: Mapping[str, Evidence] = field(default_factory=dict)
    rows_lost: int = 0


NOTHING_LOST = Rest()


@dataclass(frozen=True)
class _RemovedRow:
    """A row that goes; `instead` is its line where only some of its cells do."""

    number: int | None
    line: str
    group: str
    instead: str = ""


@dataclass(frozen=True)
class _PartLine:
    """A row in a part of a table; `group` is the line above it that names its group, if any."""

    part: int
    at: int
    text: str
    group: str


def without_rows(left: Sequence[Evidence], gone: Sequence[Evidence]) -> Rest:
    """The pieces of one table that are left, without these rows of it."""
    kept = [piece for piece in left if piece.kind is Kind.ROW]
    parts = [piece for piece in left if piece.kind is Kind.TABLE]
    parts.sort(key=lambda part: part.position)
    rows = list(_rows(gone, kept))
    kept = [_with_empty_cells(piece, rows) for piece in kept]
    pieces = [*kept, *_parts_without(parts, rows, kept)]
    rows_lost = sum(not row.instead for row in rows)
    return Rest({piece.id: piece for piece in pieces}, rows_lost)


def holds(part: Evidence, row: Evidence) -> bool:
    """Whether a part of a table says this row."""
    return line_of(row) in grid(part).rows


def line_of(row: Evidence) -> str:
    """A row's line in the Markdown of its table, without the bars at its ends."""
    lines = grid(row).rows if row.raw else ()
    return lines[-1] if lines else markdown([value for _, value in row.cells])


def _group_of(row: Evidence) -> str:
    lines = grid(row).rows if row.raw else ()
    return lines[0] if len(lines) > 1 else ""


def _rows(gone: Sequence[Evidence], kept: Sequence[Evidence]) -> Iterator[_RemovedRow]:
    """The rows that these pieces are, each once."""
    pieces: dict[tuple[int | None, str], list[Evidence]] = {}
    for piece in gone:
        pieces.setdefault((piece.row, line_of(piece)), []).append(piece)
    for (number, line), own in pieces.items():
        others = [piece for piece in kept if piece.row == number and line_of(piece) == line]
        instead = _emptied(line, own, others) if others else ""
        yield _RemovedRow(number, line, _group_of(own[0]), instead)


def _emptied(
    line: str,
    gone: Sequence[Evidence],
    kept: Sequence[Evidence],
) -> str:
    """The line without the cells that only the removed pieces of the row say."""
    going: set[int] = set()
    for piece in gone:
        going.update(_columns(piece))
    for piece in kept:
        going.difference_update(_columns(piece))
    values = cells(line)
    for column in going:
        values[column] = ""
    return " | ".join(values)


def _columns(piece: Evidence) -> list[int]:
    """Which columns of its row a piece says: the first, and some that stand together."""
    own_names = [marked(name) for name, _ in piece.cells[1:]]
    own_values = [marked(value) for _, value in piece.cells[1:]]
    values = cells(line_of(piece))
    names = cells(grid(piece).header)
    for start in range(1, len(values) - len(own_values) + 1):
        end = start + len(own_values)
        if values[start:end] == own_values and _are_named(names[start:end], own_names):
            return [0, *range(start, end)]
    return []


def _are_named(names: Sequence[str], own_names: Sequence[str]) -> bool:
    """Whether the columns have these names, or none."""
    return all(name in ("", own) for name, own in zip(names, own_names, strict=True))


def _with_empty_cells(piece: Evidence, rows: Sequence[_RemovedRow]) -> Evidence:
    """A piece of a long row of which other pieces go."""
    if not piece.raw:
        return piece
    own = (piece.row, line_of(piece))
    for row in rows:
        if row.instead and (row.number, row.line) == own:
            *above, _ = piece.raw.splitlines()
            raw = "\n".join([*above, f"| {row.instead} |"])
            return piece.model_copy(update={"raw": raw})
    return piece


def _parts_without(
    parts: Sequence[Evidence],
    rows: Sequence[_RemovedRow],
    kept: Sequence[Evidence],
) -> Iterator[Evidence]:
    """The parts of the table, in order, without these rows and the names of emptied groups."""
    lines = [list(_lines(number, grid(part).rows)) for number, part in enumerate(parts)]
    changed = _changed_lines(list(chain(*lines)), rows, kept)
    groups = {row.group for row in rows}
    for part, own in zip(parts, lines, strict=True):
        gone = {line.at: changed[line] for line in own if line in changed}
        for head in _empty_groups(own, gone, groups):
            gone[head.at] = ""
        yield _part_without(part, gone) if gone else part


def _changed_lines(
    lines: Sequence[_PartLine],
    rows: Sequence[_RemovedRow],
    kept: Sequence[Evidence],
) -> dict[_PartLine, str]:
    """The lines of these rows, each with what stands there instead."""
    changed: dict[_PartLine, str] = {}
    for row in rows:
        same = [line for line in lines if line not in changed and line.text == row.line]
        # A row of one cell looks like the name of a group.
        in_group = [line for line in same if line.group == row.group]
        for line in _own(in_group or same, row, kept):
            changed[line] = row.instead
    return changed


def _lines(part: int, rows: Sequence[str]) -> Iterator[_PartLine]:
    group = ""
    for at, text in enumerate(rows):
        yield _PartLine(part, at, text, group)
        group = text if _names_group(text) else group


def _names_group(line: str) -> bool:
    first, *others = cells(line)
    return bool(first) and bool(others) and not any(others)


def _own(
    same: Sequence[_PartLine], row: _RemovedRow, kept: Sequence[Evidence]
) -> Sequence[_PartLine]:
    """Those of the lines that go with a row: all, but one for each kept row that says the same."""
    if row.instead:
        return same[:1]
    twins: set[int] = set()
    for piece in kept:
        says_same = (line_of(piece), _group_of(piece)) == (row.line, row.group)
        if says_same and piece.row != row.number:
            twins.add(piece.row or 0)
    if twins and min(twins) < (row.number or 0):
        return same[len(twins) :]
    return same[: max(len(same) - len(twins), 0)]


def _empty_groups(
    lines: Sequence[_PartLine],
    gone: Mapping[int, str],
    groups: set[str],
) -> Iterator[_PartLine]:
    """The lines that name one of these groups and have lost the last row under them."""
    for head in lines:
        if head.text in groups and _names_group(head.text):
            under = list(_under(head, lines))
            if under and all(gone.get(line.at) == "" for line in under):
                yield head


def _under(head: _PartLine, lines: Sequence[_PartLine]) -> Iterator[_PartLine]:
    """The rows of a group: those between its name and the next group's."""
    return takewhile(lambda line: not _names_group(line.text), lines[head.at + 1 :])


def _part_without(part: Evidence, gone: Mapping[int, str]) -> Evidence:
    """A part with other lines in these places, or none."""
    lines = part.raw.splitlines()
    head = len(lines) - len(grid(part).rows)
    left = lines[:head]
    for at, line in enumerate(lines[head:]):
        if at not in gone:
            left.append(line)
        elif gone[at]:
            left.append(f"| {gone[at]} |")
    raw = "\n".join(left)
    text = _text_without(part, gone) or table_text(raw)
    return part.model_copy(update={"raw": raw, "text": text})


def _text_without(part: Evidence, gone: Mapping[int, str]) -> str:
    """The text of the part without these lines; none where its lines cannot be told apart."""
    places = segments(part)
    if not part.text.endswith(CUT) and not places.keys() >= gone.keys():
        return ""
    text = part.text
    for at in sorted(gone.keys() & places.keys(), reverse=True):
        start, end = places[at]
        before = text[:start] if gone[at] else text[:start].removesuffix("\n")
        text = before + bars(gone[at]) + text[end:]
    return text
