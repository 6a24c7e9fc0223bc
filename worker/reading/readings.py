"""What the reader makes of the pieces that were found: each is read once for a question.

A gate, a badge and an excerpt ask for the same ones, and so does an answer that is made again for
its explanation. A piece is read for itself: what is found beside it changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.models import Hit
from core.question import Completed
from worker.reading.reader import AnswerReading, TextReader

REMEMBERED = 8192  # readings; with their texts some 5 MB

Read = tuple[str, str]  # a question and a text


class Readings:
    """The reader, loaded when it is first asked."""

    def __init__(self, load: Callable[[], TextReader]) -> None:
        self._load = load
        self._known: dict[Read, AnswerReading] = {}

    def of(self, completed: Completed, hits: Sequence[Hit]) -> list[AnswerReading]:
        """One for each hit; places are those of the piece's own text.

        An answer that stands in title or headings begins and ends at 0.
        """
        question = " ".join((completed.question, *completed.context))
        pairs = [(question, whole_text(hit)) for hit in hits]
        known = self._readings(question, pairs)
        return [_within(hit, known[pair]) for hit, pair in zip(hits, pairs, strict=True)]

    def _readings(self, question: str, pairs: Sequence[Read]) -> dict[Read, AnswerReading]:
        known = self._known
        new = [pair for pair in dict.fromkeys(pairs) if pair not in known]
        if not new:
            return known
        read = self._load().read(question, [text for _, text in new])
        added = dict(zip(new, read, strict=True))
        # A new dictionary, since other threads may read the old one.
        has_room = len(known) + len(added) <= REMEMBERED
        whole = known | added
        self._known = whole if has_room else added
        return whole


def whole_text(hit: Hit) -> str:
    """A piece under its title and headings: what is read, and what is compared in meaning."""
    return _head(hit) + hit.evidence.text


def _head(hit: Hit) -> str:
    return "".join(f"{part}. " for part in (hit.page.title, *hit.evidence.heading_path))


def _within(hit: Hit, reading: AnswerReading) -> AnswerReading:
    head = len(_head(hit))
    return reading._replace(start=max(reading.start - head, 0), end=max(reading.end - head, 0))
