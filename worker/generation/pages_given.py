"""Which pages a model is given: those that question and evidence give away, and those quoted."""

from __future__ import annotations

from collections.abc import Sequence

from core.models import Answer, Hit, Note
from core.pages import PageKey
from core.question import Completed


def given(completed: Completed, hits: Sequence[Hit]) -> frozenset[PageKey]:
    """All that a question and its evidence give away."""
    return frozenset(completed.pages).union(*(hit.pages for hit in hits))


def quoted(answer: Answer, hits: Sequence[Hit]) -> frozenset[PageKey]:
    """The pages of the evidence that a quoted answer is made of; none when nothing answers."""
    if Note.NOT_FOUND in answer.notes:
        return frozenset()
    ids = set[str]()
    for source in answer.sources:
        ids.update(source.evidence_ids)
    used = [hit.pages for hit in hits if hit.evidence.id in ids]
    return frozenset[PageKey]().union(*used)
