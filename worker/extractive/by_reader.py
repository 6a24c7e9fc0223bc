"""What the reader adds to a span: its piece answers, and with the words that stand in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from core.evidence.spans import Span
from core.question import Completed
from worker.reading.reader import AnswerReading, says
from worker.reading.readings import Readings

# Against full coverage of the question's words: of how likely the piece answers …
PIECE_WEIGHT = 0.5
# … and of that again, for the span in which the likeliest answer stands.
SAID_WEIGHT = 0.6

LIKELY = 0.5  # from here on a piece rather answers than not


class ReadSpan(NamedTuple):
    """What the text reader makes of a span."""

    added: float = 0.0  # to its score
    answers: bool = False  # the likeliest answer of a piece that likely has one stands in it


def of_spans(
    readings: Readings | None, completed: Completed, spans: Sequence[Span]
) -> list[ReadSpan]:
    """One for each; nothing is added without a reader."""
    if readings is None:
        return [ReadSpan()] * len(spans)
    hits = {span.hit.evidence.id: span.hit for span in spans}
    read = dict(zip(hits, readings.of(completed, list(hits.values())), strict=True))
    return [_read(span, read[span.hit.evidence.id]) for span in spans]


def _read(span: Span, reading: AnswerReading) -> ReadSpan:
    answer = span.hit.evidence.text[reading.start : reading.end]
    is_said = says(" ".join((span.text, *(value for _, value in span.cells))), answer)
    added = reading.likely * (PIECE_WEIGHT + SAID_WEIGHT * is_said)
    return ReadSpan(added, is_said and reading.likely >= LIKELY)
