"""What the reader makes of the pieces that were found: each is read once for a question.

A gate, a badge and an excerpt ask for the same ones, and so does an answer that is made again for
its explanation. A piece is read for itself: what is found beside it changes nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import NamedTuple

from core.evidence.lexical.analyzer import words
from core.evidence.query.thesaurus import in_words_of
from core.models import Evidence, Hit, Kind
from core.question import Completed
from worker.reading.reader import AnswerReading, TextReader, probability

FIRST = 8  # hits that gate and excerpt read: what answers is often not among the first three
REMEMBERED = 8192  # readings, some 2 MB: by a digest of what was read, so no text is kept


class PieceReading(NamedTuple):
    """What the reader makes of a piece."""

    answers: float  # log-odds that it does
    said: str  # the words that answer; none where they stand in its title or headings

    @property
    def likely(self) -> float:
        """How likely the piece answers, 0 to 1."""
        return probability(self.answers)


class Readings:
    """The reader, loaded when it is first asked."""

    def __init__(self, load: Callable[[], TextReader]) -> None:
        self._load = load
        self._known: dict[bytes, AnswerReading] = {}

    def of(self, completed: Completed, hits: Sequence[Hit]) -> list[PieceReading]:
        """One for each hit: the better one of the question as asked and as the piece puts it.

        A reader of some million weights has seldom met a `brekkie`.
        """
        texts = [read_text(hit) for hit in hits]
        asked = [_wordings(completed.question, text) for text in texts]
        known = self._readings(completed.context, zip(asked, texts, strict=True))
        found: list[PieceReading] = []
        for hit, text, questions in zip(hits, texts, asked, strict=True):
            read = (known[_digest(each, *completed.context, text)] for each in questions)
            best = max(read, key=lambda reading: reading.answers)
            found.append(_within(hit, text, best))
        return found

    def _readings(
        self, context: Sequence[str], asked: Iterable[tuple[Sequence[str], str]]
    ) -> Mapping[bytes, AnswerReading]:
        """Each text, read for each of its questions."""
        known = self._known
        new: dict[str, dict[bytes, str]] = defaultdict(dict)
        for questions, text in asked:
            for question in questions:
                key = _digest(question, *context, text)
                if key not in known:
                    new[question][key] = text
        added: dict[bytes, AnswerReading] = {}
        for question, texts in new.items():
            read = self._load().read(question, list(texts.values()), context)
            added |= zip(texts, read, strict=True)
        if not added:
            return known
        # A new dictionary, since other threads may read the old one.
        has_room = len(known) + len(added) <= REMEMBERED
        whole = {**known, **added}
        self._known = whole if has_room else added
        return whole


def whole_text(hit: Hit) -> str:
    """A piece under its title and headings, which is compared in meaning."""
    return _head(hit) + hit.evidence.text


def read_text(hit: Hit) -> str:
    """A piece under its title and headings as the reader reads it.

    A row is read under the header of its table. As the sentence that it is found by, "Row 2 in
    Table 1: Case is no show, and Agent is £40", the reader hardly knows it for an answer.
    """
    return _head(hit) + _body(hit.evidence)


def _body(piece: Evidence) -> str:
    return piece.table.text if piece.kind is Kind.ROW and piece.table else piece.text


def _wordings(question: str, text: str) -> list[str]:
    """The question, and how this text puts it, where that is something else."""
    return list(dict.fromkeys((question, in_words_of(question, frozenset(words(text))))))


def _digest(*texts: str) -> bytes:
    return blake2b(repr(texts).encode(), digest_size=16).digest()


def _head(hit: Hit) -> str:
    return "".join(f"{part}. " for part in (hit.page.title, *hit.evidence.heading_path))


def _within(hit: Hit, text: str, reading: AnswerReading) -> PieceReading:
    head = len(_head(hit))
    return PieceReading(reading.answers, text[max(reading.start, head) : max(reading.end, head)])
