"""Types of follow-up suggestions: an answered question, and what could be asked next."""

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
    """Something to ask: the wordings of one question, the shortest first, and its answer."""

    wordings: Wordings
    about: frozenset[str]  # content words of what is asked for, apart from the page's title
    pages: frozenset[str]  # ids of the pages that may answer
    # Ids of the evidence that answers; empty when it is not known beforehand.
    pieces: frozenset[str] = frozenset()
    answers: tuple[str, ...] = ()  # texts that answer it: who has read one need not ask


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

    @property
    def questions(self) -> list[str]:
        """This question and those before it, the newest first."""
        earlier = [past.question for past in reversed(self.history)]
        return [self.completed.question, *earlier]

    @cached_property
    def cited(self) -> tuple[Hit, ...]:
        """The hits that the answer names; the best one where it names none."""
        ids: set[str] = set()
        for source in self.answer.sources:
            ids.update(source.evidence_ids)
        real = [hit for hit in self.hits if hit.evidence.kind is not Kind.PLACE]
        named = [hit for hit in real if hit.evidence.id in ids]
        return tuple(named or real[:1])

    @cached_property
    def language(self) -> Language | None:
        """Of the question; where its few words show none, of the thread, or else of the pages."""
        cited = [hit.evidence.text for hit in self.cited]
        return language(*self.questions, *cited)
