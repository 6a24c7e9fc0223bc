"""What an excerpt is made for: the question, and what is known of its pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.language.sentences import Sentences, sentences
from core.models import Hit
from core.question import Completed
from worker.extractive.noise import Boilerplate, never
from worker.extractive.ranking.rank import ScoredSpan
from worker.extractive.table_rows import Rarity

SURE = 0.5  # of what was asked: a span that covers so much of it is set in bold


@dataclass(frozen=True)
class Asked:
    """The question, and what is known of the words and the sentences of its pages."""

    completed: Completed
    rarity: Rarity
    boilerplate: Boilerplate = never
    hits: Sequence[Hit] = ()  # all that was found
    is_composed: bool = False  # whether a lead stands above

    @property
    def say(self) -> Sentences:
        return sentences(self.completed.language)


def is_sure(scored: Sequence[ScoredSpan]) -> bool:
    """Whether the best of these spans surely answers."""
    return scored[0].asked >= SURE or scored[0].read.answers
