"""Finds what a question says in plain language about the pages it wants: when they changed, whose they are, where they stand.

rules        the conditions that can be found without a model, with a phrase each
times, periods, people, places      the phrases
wording      what tells a filter from what the question is about
vocabulary   what this reader may name: nothing that stands only on pages of others
by_model     asked where a question sounds like a filter that the rules do not understand
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, date, datetime

from core import logs
from core.errors import ModelUnavailable
from core.models import Usage
from core.policy.acl import Reader
from core.question import Completed, Condition, without
from worker.filters.by_model import by_model, has_cue
from worker.filters.rules import by_rules
from worker.filters.vocabulary import Vocabularies, Vocabulary
from worker.generation.chat_model import ChatModel

__all__ = ["Filters", "Vocabularies", "Vocabulary", "by_rules"]

MODEL_S = 10.0  # of the patience at most: an answer without a filter is better than none

log = logs.get(__name__)


def _today() -> date:
    return datetime.now(UTC).date()  # as Confluence counts


class Filters:
    """Question in, conditions out."""

    def __init__(
        self,
        vocabulary_of: Callable[[Reader], Vocabulary],
        model: ChatModel | None = None,
        today: Callable[[], date] = _today,
    ) -> None:
        self._vocabulary_of = vocabulary_of
        self._model = model
        self._today = today

    def find(
        self, completed: Completed, reader: Reader, *, deadline: float
    ) -> tuple[tuple[Condition, ...], Usage]:
        """What is asked of the pages; of a follow-up that rules completed, only what its own words ask."""
        text = completed.text if completed.by else completed.question
        known, today = self._vocabulary_of(reader), self._today()
        found, usage = by_rules(text, known, today), Usage()
        if self._model and has_cue(without(text, found)):
            try:
                more, usage = by_model(
                    self._model, text, known, today, min(deadline, time.time() + MODEL_S)
                )
            except ModelUnavailable as error:
                log.warning("filter.model_unavailable", error=str(error))
                return found, usage
            found += tuple(
                each for each in more if each.field not in {sure.field for sure in found}
            )
        log.info("filtered", fields=[each.field.value for each in found])
        return found, usage
