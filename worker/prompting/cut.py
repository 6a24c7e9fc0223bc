"""Cuts a piece that does not fit into the context window: behind a row, a sentence, a word."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import NamedTuple

from core.models import Kind
from core.structure import TableSlice
from worker.prompting.evidence_blocks import Shown
from worker.text import sanitize

CUT = "… (cut)"
LEAST = 200  # characters of the best piece where there is no room at all

# Where a piece may be cut, from the best place to the worst.
_LINES = re.compile(r"(?<=\n)")
_SENTENCES = re.compile(r"(?<=[.!?…])(?<!\d\.)\s+|(?<=\n)")
_CELLS = re.compile(r"(?=, and )|(?<=\n)")
_WORDS = re.compile(r"(?<=\s)")
_ANYWHERE = re.compile("")
_BOUNDARY = {
    Kind.PASSAGE: _SENTENCES,
    Kind.PLACE: _SENTENCES,
    Kind.ROW: _CELLS,
}


class WayToCut(NamedTuple):
    """A piece in parts; `cut` gives the piece with its first few, visibly cut."""

    parts: int
    cut: Callable[[int], Shown]


def ways(whole: Shown, *, anywhere: bool) -> Iterator[WayToCut]:
    """The ways to cut a piece, the best first; the last ones only if it may be cut `anywhere`."""
    piece = whole.hit.evidence
    finer = (_WORDS, _ANYWHERE) if anywhere else ()
    if piece.kind is Kind.TABLE and piece.table is not None and piece.table.rows:
        yield _by_rows(whole, piece.table)
        yield from (_by_cells(whole, piece.table, place) for place in finer)
    else:
        for place in (_BOUNDARY.get(piece.kind, _LINES), *finer):
            yield _by_text(whole, place)


def least(whole: Shown) -> Shown:
    """What is shown of the best piece where there is no room at all."""
    table = whole.hit.evidence.table
    no_rows = table.only(()) if table is not None else None
    return _cut(whole, whole.text[:LEAST], no_rows)


def _by_text(whole: Shown, place: re.Pattern[str]) -> WayToCut:
    parts = _split(place, whole.text)
    table = whole.hit.evidence.table
    return WayToCut(len(parts), lambda count: _cut(whole, "".join(parts[:count]), table))


def _by_rows(whole: Shown, table: TableSlice) -> WayToCut:
    """Behind a row of a table."""

    def cut(count: int) -> Shown:
        rows = table.only(table.rows[:count])
        return _cut(whole, sanitize.data(rows.text), rows)

    return WayToCut(len(table.rows), cut)


def _by_cells(
    whole: Shown,
    table: TableSlice,
    place: re.Pattern[str],
) -> WayToCut:
    """Within the first row of a table."""
    first = table.rows[0]
    parts: list[tuple[int, str]] = []
    for column, cell in enumerate(first.cells):
        parts += [(column, part) for part in _split(place, cell)]

    def cut(count: int) -> Shown:
        cells = [""] * len(first.cells)
        for column, part in parts[:count]:
            cells[column] += part
        row = first.model_copy(update={"cells": tuple(map(str.rstrip, cells))})
        rows = table.only((row,))
        return _cut(whole, sanitize.data(rows.text).rstrip(" |"), rows)

    return WayToCut(len(parts), cut)


def _split(place: re.Pattern[str], text: str) -> list[str]:
    """The text in parts that give it back when joined."""
    parts: list[str] = []
    start = 0
    for match in place.finditer(text):
        end = match.end()
        if 0 < end < len(text):
            parts.append(text[start:end])
            start = end
    return [*parts, text[start:]]


def _cut(
    whole: Shown,
    beginning: str,
    table: TableSlice | None,
) -> Shown:
    return replace(whole, text=f"{beginning.rstrip()} {CUT}", is_cut=True, table=table)
