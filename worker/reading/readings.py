"""What the reader makes of the pieces that were found: each is read once for a question.

A gate, a badge and an excerpt ask for the same ones, and so does an answer that is made again for
its explanation. A piece is read for itself: what is found beside it changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b

from core.models import Hit
from core.question import Completed
from worker.reading.reader import AnswerReading, TextReader

REMEMBERED = 8192  # readings, some 2 MB: by a digest of what was read, so no text is kept


class Readings:
    """The reader, loaded when it is first asked."""

    def __init__(self, load: Callable[[], TextReader]) -> None:
        self._load = load
        self._known: dict[bytes, AnswerReading] = {}

    def of(self, completed: Completed, hits: Sequence[Hit]) -> list[AnswerReading]:
        """One for each hit; places are those of the piece's own text.

        An answer that stands in title or headings begins and ends at 0.
        """
        texts = [whole_text(hit) for hit in hits]
        keys = [_digest(completed.question, *completed.context, text) for text in texts]
        known = self._readings(completed, dict(zip(keys, texts, strict=True)))
        return [_within(hit, known[key]) for hit, key in zip(hits, keys, strict=True)]

    def _readings(
        self, completed: Completed, texts: Mapping[bytes, str]
    ) -> Mapping[bytes, AnswerReading]:
        known = self._known
        new = {key: text for key, text in texts.items() if key not in known}
        if not new:
            return known
        read = self._load().read(completed.question, list(new.values()), completed.context)
        added = dict(zip(new, read, strict=True))
        # A new dictionary, since other threads may read the old one.
        has_room = len(known) + len(added) <= REMEMBERED
        whole = known | added
        self._known = whole if has_room else added
        return whole


def whole_text(hit: Hit) -> str:
    """A piece under its title and headings: what is read, and what is compared in meaning."""
    return _head(hit) + hit.evidence.text


def _digest(*texts: str) -> bytes:
    return blake2b(repr(texts).encode(), digest_size=16).digest()


def _head(hit: Hit) -> str:
    return "".join(f"{part}. " for part in (hit.page.title, *hit.evidence.heading_path))


def _within(hit: Hit, reading: AnswerReading) -> AnswerReading:
    head = len(_head(hit))
    return reading._replace(start=max(reading.start - head, 0), end=max(reading.end - head, 0))
