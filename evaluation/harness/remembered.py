"""A measured turn as its thread remembers it, for the follow-ups that are completed by rules."""

from __future__ import annotations

from collections.abc import Sequence

from core.models import Answer, Hit, Record, Source
from core.question import Completed
from worker.generation.confidence import with_confidence
from worker.question.rewrite import Past


def as_past(completed: Completed, hits: Sequence[Hit]) -> Past:
    """The turn as the product remembers it: answered from the first page, as surely as it found it.

    Of its answer nothing is said.
    """
    sources = [
        Source(number=1, title=hit.page.title, url=hit.page.url, evidence_ids=(hit.evidence.id,))
        for hit in hits[:1]
    ]
    answer = with_confidence(Answer(text="", sources=tuple(sources)), hits)
    return Past.of(completed.question, Record(completed=completed, answer=answer, hits=hits))
