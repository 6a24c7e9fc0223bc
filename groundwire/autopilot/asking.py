"""Asks the questions as everybody may ask them, one after the other, with seconds and badge."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

from core.models import Note, Record
from core.policy.acl import EVERYBODY
from core.storage import clock
from core.value import Value
from groundwire.autopilot.posing import PosedQuestion
from groundwire.golden.asking import GoldenVerdict, judged
from worker.bootstrap import WorkerParts


class TriedQuestion(Value):
    """A question that was asked, and what became of it."""

    question: str
    is_answerable: bool
    verdict: str  # groundwire.golden.asking.GoldenVerdict
    seconds: float
    page: str  # the title of the page that answers it
    address: str
    badge: str = ""  # core.models.Confidence; empty: none
    cited: tuple[str, ...] = ()  # titles of the sources
    missing: tuple[str, ...] = ()  # of what it should say

    @property
    def is_right(self) -> bool:
        """Found on its page; or not found, where no page answers it."""
        wanted = GoldenVerdict.RIGHT if self.is_answerable else GoldenVerdict.NOT_FOUND
        return self.verdict == wanted

    @property
    def is_tried(self) -> bool:
        return self.verdict != GoldenVerdict.NOT_TRIED


def ask(parts: WorkerParts, posed: Sequence[PosedQuestion]) -> Iterator[TriedQuestion]:
    for each in posed:
        began = time.monotonic()
        record = parts.pipeline.answer(
            each.golden.question,
            [],
            deadline=clock.now() + parts.settings.answer_patience_s,
            reader=EVERYBODY,
            manner=each.manner,
        )
        yield _tried(each, record, time.monotonic() - began)


def _tried(posed: PosedQuestion, record: Record, seconds: float) -> TriedQuestion:
    found, answer, page = judged(posed.golden, record), record.answer, posed.page
    is_shown = Note.NOT_FOUND not in answer.notes
    return TriedQuestion(
        question=posed.golden.question,
        is_answerable=posed.is_answerable,
        verdict=found.verdict.value,
        seconds=round(seconds, 2),
        badge=answer.confidence.value if answer.confidence else "",
        page=page.title,
        address=page.url,
        cited=tuple(source.title for source in answer.sources) if is_shown else (),
        missing=found.missing,
    )
