"""Takes rows out of the pieces that are left of their table.

A part of a table says each row twice: on a line of its Markdown (`raw`) and on one of its text, with bars. A long row is several pieces,
each of which keeps the Markdown of the whole row: where only some of them go, the cells of those become empty.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

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
    """What is left of a table: those of its pieces that stay, by their ids, and how many rows went altogether."""

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
    """A row in a part of a table; `group` is the line above it that names its group, if it is one."""

    part: int
    at: int
    text: str
    group: str


def without_rows(left: Sequence[Evidence], gone: Sequence[Evidence]) -> Rest:
    """The pieces of one table that are left, without these rows of it."""
    kept = [piece for piece in left if piece.kind is Kind.ROW]
    rows = list(_rows(gone, kept))
    kept = [_with_empty_cells(piece, rows) for piece in kept]
    parts = sorted(
        (piece for piece in left if piece.kind is Kind.TABLE), key=lambda part: part.position
    )
    pieces = [*kept, *_parts_without(parts, rows, kept)]
    return Rest({piece.id: piece for piece in pieces}, sum(not row.instead for row in rows))


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
        yield _RemovedRow(
            number, line, _group_of(own[0]), _emptied(line, own, others) if others else ""
        )


def _emptied(line: str, gone: Sequence[Evidence], kept: Sequence[Evidence]) -> str:
    """The line without the cells that only the removed pieces of the row say."""
    staying = {column for piece in kept for column in _columns(piece)}
    going = {column for piece in gone for column in _columns(piece)} - staying
    return " | ".join("" if column in going else value for column, value in enumerate(cells(line)))


def _columns(piece: Evidence) -> list[int]:
    """Which columns of its row a piece says: the first, and some that stand together."""
    own = [marked(value) for _, value in piece.cells]
    values = cells(line_of(piece))
    names = cells(grid(piece).header)
    for start in range(1, len(values) - len(own) + 2):
        columns = range(start, start + len(own) - 1)
        named = all(
            names[column] in ("", marked(name))
            for column, (name, _) in zip(columns, piece.cells[1:], strict=True)
        )
        if named and [values[column] for column in columns] == own[1:]:
            return [0, *columns]
    return []


def _with_empty_cells(piece: Evidence, rows: Sequence[_RemovedRow]) -> Evidence:
    """A piece of a long row of which other pieces go."""
    line = line_of(piece)
    row = next(
        (row for row in rows if row.instead and (row.number, row.line) == (piece.row, line)), None
    )
    if row is None or not piece.raw:
        return piece
    *above, _ = piece.raw.splitlines()
    return piece.model_copy(update={"raw": "\n".join([*above, f"| {row.instead} |"])})


def _parts_without(
    parts: Sequence[Evidence], rows: Sequence[_RemovedRow], kept: Sequence[Evidence]
) -> Iterator[Evidence]:
    """The parts of the table, in their order, without these rows and without the names of groups that have no row any more."""
    lines = [line for number, part in enumerate(parts) for line in _lines(number, grid(part).rows)]
    changed: dict[_PartLine, str] = {}
    for row in rows:
        same = [line for line in lines if line not in changed and line.text == row.line]
        in_group = [
            line for line in same if line.group == row.group
        ]  # a row of one cell looks like the name of a group
        changed |= dict.fromkeys(_own(in_group or same, row, kept), row.instead)
    for number, part in enumerate(parts):
        own = [line for line in lines if line.part == number]
        gone = {line.at: changed[line] for line in own if line in changed}
        gone |= {line.at: "" for line in _empty_groups(own, gone, {row.group for row in rows})}
        yield _part_without(part, gone) if gone else part


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
    """Those of the lines that go with a row: all, but one for each row beside it that says the same by itself."""
    twins = {
        piece.row or 0
        for piece in kept
        if (line_of(piece), _group_of(piece)) == (row.line, row.group) and piece.row != row.number
    }
    if row.instead:
        return same[:1]
    if twins and min(twins) < (row.number or 0):
        return same[len(twins) :]
    return same[: max(len(same) - len(twins), 0)]


def _empty_groups(
    lines: Sequence[_PartLine], gone: Mapping[int, str], groups: set[str]
) -> list[_PartLine]:
    """The lines that name one of these groups and have lost the last row under them."""
    heads = [line for line in lines if line.text in groups and _names_group(line.text)]
    return [
        head
        for head in heads
        if (own := _under(head, lines)) and all(gone.get(line.at) == "" for line in own)
    ]


def _under(head: _PartLine, lines: Sequence[_PartLine]) -> list[_PartLine]:
    following = lines[head.at + 1 :]
    end = next(
        (place for place, line in enumerate(following) if _names_group(line.text)), len(following)
    )
    return list(following[:end])


def _part_without(part: Evidence, gone: Mapping[int, str]) -> Evidence:
    """A part with other lines in these places, or none."""
    lines = part.raw.splitlines()
    head = len(lines) - len(grid(part).rows)
    body = [
        f"| {gone[at]} |" if gone.get(at) else line
        for at, line in enumerate(lines[head:])
        if gone.get(at, line)
    ]
    raw = "\n".join([*lines[:head], *body])
    return part.model_copy(
        update={"raw": raw, "text": _text_without(part, gone) or table_text(raw)}
    )


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
