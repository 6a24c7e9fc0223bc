"""Neighbours of evidence: the end and the beginning of a piece, shortened, for those beside it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from core.models import Evidence, Kind
from core.structure import Neighbour, NeighbourLine

CHARACTERS = 200
MORE = "…"  # where a text was shortened


def ending(piece: Evidence) -> Neighbour:
    """What stands before the next piece."""
    kept: list[NeighbourLine] = []
    room = CHARACTERS
    for line in reversed(list(_lines(piece))):
        if len(line.text) > room:
            rest = line.text[-room:].partition(" ")[2] if room > 0 else ""
            kept.append(_cut(line, f"{MORE}{rest}"))
            break
        kept.append(line)
        room -= len(line.text) + 1
    return _neighbour(piece, reversed(kept))


def beginning(piece: Evidence) -> Neighbour:
    """What stands behind the piece before."""
    kept: list[NeighbourLine] = []
    room = CHARACTERS
    for line in _lines(piece):
        if len(line.text) > room:
            rest = line.text[:room].rpartition(" ")[0] if room > 0 else ""
            kept.append(_cut(line, f"{rest}{MORE}"))
            break
        kept.append(line)
        room -= len(line.text) + 1
    return _neighbour(piece, kept)


def _cut(line: NeighbourLine, text: str) -> NeighbourLine:
    return line.model_copy(update={"text": text})


def _neighbour(piece: Evidence, lines: Iterable[NeighbourLine]) -> Neighbour:
    return Neighbour(
        id=piece.id,
        lines=tuple(lines),
        table=piece.table_number,
        is_list=piece.kind is Kind.LIST,
    )


def _lines(piece: Evidence) -> Iterator[NeighbourLine]:
    """The lines of a piece, each without its own line breaks."""
    for row, text in _as_written(piece):
        flat = " ".join(text.split())
        if flat:
            yield NeighbourLine(text=flat, row=row)


def _as_written(piece: Evidence) -> Iterator[tuple[int | None, str]]:
    if piece.kind is Kind.TABLE and piece.table is not None:
        yield from piece.table.lines
    elif piece.items:
        for item in piece.items:
            yield None, item.line
    else:
        yield piece.row, piece.text
