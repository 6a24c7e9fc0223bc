"""What a run has gathered for a question, and what was made of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from core.models import Hit, Note
from core.question import Completed
from worker.answerability.gate import Judgement
from worker.generation.generator import GeneratedAnswer
from worker.retrieval.live_access import Confirmed
from worker.retrieval.retriever import Retrieved


@dataclass(frozen=True)
class Gathered:
    """What was searched and found, and what of it the reader may certainly be shown."""

    completed: Completed
    found: Retrieved
    confirmed: Confirmed  # with what stands beside it
    ranked: tuple[Hit, ...]  # as the search has found them, before anything was added
    is_second: bool = False  # of several searches, which share no scale

    @property
    def asked(self) -> Completed:
        """Without conditions that no page passed: the answerer is told what was searched."""
        if self.found.conditions_dropped:
            return self.completed.model_copy(update={"conditions": ()})
        return self.completed


class Searched(NamedTuple):
    """What was gathered for a question, and whether that answers it."""

    evidence: Gathered
    judged: Judgement


@dataclass(frozen=True)
class Made:
    """An answer with what it was made from."""

    evidence: Gathered
    judged: Judgement
    draft: GeneratedAnswer

    @property
    def is_refused(self) -> bool:
        return Note.NOT_FOUND in self.draft.answer.notes
