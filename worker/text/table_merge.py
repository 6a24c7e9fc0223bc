"""Merges rows and parts of one table: the header once, rows with the numbers of their pieces."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.models import Evidence, Kind

_RULE = re.compile(r"\|(?: --- \|)+")

Numbered = tuple[int, Evidence]


@dataclass(frozen=True)
class Grid:
    """Markdown of a table taken apart; rows without the bars at their ends."""

    above: str  # what announces the table
    header: str
    rows: tuple[str, ...]


@dataclass(frozen=True)
class MergedLine:
    """A row to be cited by these numbers; the name of its group may stand on a line above it."""

    numbers: tuple[int, ...]
    text: str


@lru_cache(maxsize=1024)
def grid(piece: Evidence) -> Grid:
    """The table in a piece's Markdown; a piece that holds none is one row without a header."""
    lines = (piece.raw or piece.text).splitlines()
    for at, line in enumerate(lines):
        if at and _RULE.fullmatch(line.strip()):
            above = "\n".join(lines[: at - 1]).strip()
            rows = tuple(map(_bare, lines[at + 1 :]))
            return Grid(above, _bare(lines[at - 1]), rows)
    return Grid("", "", (" ".join(piece.text.split()),))


def merged(pieces: Sequence[Numbered]) -> list[MergedLine]:
    """The rows of these pieces of one table, in order and each once."""
    rows = _rows(pieces)
    placed = [*_of_parts(pieces, rows), *_alone(rows)]
    return [line for _, line in sorted(placed, key=lambda each: each[0])]


@dataclass
class _RowPiece:
    """A row that is a piece of its own, or several when it is long."""

    numbers: tuple[int, ...]
    place: float
    text: str
    group: str
    shown: bool = False


def _rows(pieces: Sequence[Numbered]) -> list[_RowPiece]:
    rows: dict[tuple[int | None, str], _RowPiece] = {}
    for number, piece in pieces:
        if piece.kind is not Kind.TABLE:
            *groups, text = grid(piece).rows or (piece.text,)
            new = _RowPiece((), float(piece.row or 0), text, " / ".join(groups))
            known = rows.setdefault((piece.row, text), new)
            known.numbers = (*known.numbers, number)
    return sorted(rows.values(), key=lambda row: row.place)


def _of_parts(
    pieces: Sequence[Numbered], rows: Sequence[_RowPiece]
) -> Iterator[tuple[float, MergedLine]]:
    """The lines of whole parts of the table; a row that is also a piece keeps its own number."""
    parts = [(number, piece) for number, piece in pieces if piece.kind is Kind.TABLE]
    for number, part in sorted(parts, key=lambda each: each[1].position):
        lines: list[tuple[_RowPiece | None, str]] = []
        for text in grid(part).rows:
            row = next((row for row in rows if row.text == text and not row.shown), None)
            if row is not None:
                row.shown = True
            lines.append((row, text))
        place = next((row.place for row, _ in lines if row), 0.0) - 0.5
        for row, text in lines:
            place = row.place if row else place
            yield place, MergedLine(row.numbers if row else (number,), text)


def _alone(rows: Sequence[_RowPiece]) -> Iterator[tuple[float, MergedLine]]:
    """Rows that stand in no part that is there, under the name of their group where it changes."""
    group = ""
    for row in rows:
        if not row.shown:
            named = f"{row.group}\n" if row.group and row.group != group else ""
            group = row.group
            yield row.place, MergedLine(row.numbers, named + row.text)


def _bare(row: str) -> str:
    return row.strip().removeprefix("|").removesuffix("|").strip()
