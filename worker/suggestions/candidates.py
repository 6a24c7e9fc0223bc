"""What suggestions are made from and for: an answered question, and what could be asked next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from core.models import Answer, Hit, Kind, Note
from core.question import Completed
from worker.question.rewrite import Past
from worker.suggestions.question_templates import Wordings
from worker.text.language import Language, language


@dataclass(frozen=True)
class Candidate:
    """Something to ask: the wordings of one question, the shortest first, and what would answer it."""

    wordings: Wordings
    about: frozenset[str]  # the telling words of what is asked for, apart from the page's title
    pages: frozenset[str]  # ids of the pages that may answer
    pieces: frozenset[str] = (
        frozenset()
    )  # ids of the evidence that answers; empty when it is not known beforehand
    said: tuple[str, ...] = ()  # texts that would answer it: who has read one of them need not ask


@dataclass(frozen=True)
class Answered:
    """A question with its answer, the evidence found for it and what was asked before."""

    completed: Completed
    answer: Answer
    hits: Sequence[Hit]
    history: Sequence[Past] = ()

    @property
    def found(self) -> bool:
        return Note.NOT_FOUND not in self.answer.notes

    @cached_property
    def cited(self) -> tuple[Hit, ...]:
        """The hits that the answer names; the best one where it names none."""
        ids = {found for source in self.answer.sources for found in source.evidence_ids}
        real = [hit for hit in self.hits if hit.evidence.kind is not Kind.PLACE]
        return tuple(hit for hit in real if hit.evidence.id in ids) or tuple(real[:1])

    @cached_property
    def language(self) -> Language | None:
        """Of the question; a few words that show none are taken for what the thread, or else the pages, are written in."""
        asked = [self.completed.question, *(past.question for past in reversed(self.history))]
        return language(*asked, *(hit.evidence.text for hit in self.cited))
