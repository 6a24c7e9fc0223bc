"""What the reader adds to a span: its piece answers, and with the words that stand in it.

To read a piece takes longer than all else, so the likeliest are read first, and the rest is left
unread when nothing that the reader could say would bring it near the best span. What the search
found first is read all the same: the gate has read it before, and it may be seconded.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from core.evidence.spans import Span
from core.question import Completed
from worker.reading.reader import says
from worker.reading.readings import FIRST, PieceReading, Readings

# Against full coverage of the question's words: of how likely the piece answers …
PIECE_WEIGHT = 0.5
# … and of that again, for the span in which the likeliest answer stands.
SAID_WEIGHT = 0.6
MOST = PIECE_WEIGHT + SAID_WEIGHT

LIKELY = 0.5  # from here on a piece rather answers than not
AT_ONCE = 3  # pieces
BESIDE = 0.3  # below the best span: most of what may be quoted beside it is read, too
UNREAD = float("-inf")


class ReadSpan(NamedTuple):
    """What the text reader makes of a span."""

    added: float = 0.0  # to its score
    answers: bool = False  # the likeliest answer of a piece that likely has one stands in it
    piece: float = UNREAD  # log-odds that its piece answers
    said: str = ""  # the likeliest answer of the piece, where it stands in the span


NOT_READ = ReadSpan()


def of_spans(
    readings: Readings | None,
    completed: Completed,
    spans: Sequence[Span],
    unread: Sequence[float],
) -> list[ReadSpan]:
    """One for each; `unread` are their scores without it. Nothing is added without a reader.

    The best span is the same as if every piece were read.
    """
    read = [NOT_READ] * len(spans)
    if readings is None:
        return read
    best = float("-inf")
    pieces = _best_first(spans, unread)
    for start in range(0, len(pieces), AT_ONCE):
        together = pieces[start : start + AT_ONCE]
        if best > unread[together[0][0]] + MOST + BESIDE:
            together = [places for places in together if spans[places[0]].number <= FIRST]
        hits = [spans[places[0]].hit for places in together]
        for places, reading in zip(together, readings.of(completed, hits), strict=True):
            for place in places:
                read[place] = _read(spans[place], reading)
                best = max(best, unread[place] + read[place].added)
    return read


def _best_first(spans: Sequence[Span], unread: Sequence[float]) -> list[list[int]]:
    """The places of each piece's spans, each piece by its best one."""
    pieces: dict[str, list[int]] = {}
    for place in sorted(range(len(spans)), key=lambda place: -unread[place]):
        pieces.setdefault(spans[place].hit.evidence.id, []).append(place)
    return list(pieces.values())


def _read(span: Span, reading: PieceReading) -> ReadSpan:
    is_said = says(" ".join((span.text, *(value for _, value in span.cells))), reading.said)
    added = reading.likely * (PIECE_WEIGHT + SAID_WEIGHT * is_said)
    said = reading.said if is_said else ""
    return ReadSpan(added, is_said and reading.likely >= LIKELY, reading.answers, said)
