"""Metadata filters in plain language: when pages changed, whose they are, where they stand.

rules        the conditions that can be found without a model, with a phrase each
told         those in what a message tells beside its question
times, periods, people, places      the phrases
wording      what tells a filter from what the question is about
vocabulary   what this reader may name: nothing that stands only on pages of others
shown        what of them an answer may say
by_model     asked where a question sounds like a filter that the rules do not understand
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime

from core import logs
from core.errors import ModelUnavailable
from core.policy.acl import Reader
from core.question import Completed, Condition, without
from core.storage import clock
from core.usage import Usage
from worker.filters.by_model import by_model, has_cue
from worker.filters.rules import by_rules
from worker.filters.shown import as_shown
from worker.filters.told import by_told
from worker.filters.vocabulary import Vocabularies, Vocabulary
from worker.generation.chat_model import ChatModel

__all__ = ["Filters", "Vocabularies", "Vocabulary", "as_shown", "by_rules"]

MODEL_S = 10.0  # timeout: an answer without a filter is better than none

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
        """The conditions; of a follow-up that rules completed, only those of its own words.

        What the question asks for itself counts before what its message tells beside it.
        """
        text = completed.text if completed.by else completed.message
        known = self._vocabulary_of(reader)
        today = self._today()
        found = by_rules(completed.text if completed.by else completed.question, known, today)
        if completed.is_told_more:
            found = _and(found, by_told(" ".join(completed.context), known, today))
        usage = Usage()
        told = self._told(reader) if has_cue(without(text, found)) else None
        if self._model and told:
            until = min(deadline, clock.now() + MODEL_S)
            try:
                more, usage = by_model(
                    self._model, text, told, pages=completed.pages, today=today, deadline=until
                )
            except ModelUnavailable as error:
                log.warning("filter.model_unavailable", error=str(error))
                return found, usage
            found = _and(found, more)
        fields = [condition.field.value for condition in found]
        log.info("filtered", fields=fields)
        return found, usage

    def _told(self, reader: Reader) -> Vocabulary | None:
        """What the model may be told that there is; None for nothing."""
        if self._model is None:
            return None
        routing = self._model.routing
        tellable = routing.tellable(reader) if routing else reader
        return self._vocabulary_of(tellable) if tellable else None


def _and(found: tuple[Condition, ...], more: tuple[Condition, ...]) -> tuple[Condition, ...]:
    """Those that were found, and more of other fields."""
    fields = {condition.field for condition in found}
    return (*found, *(each for each in more if each.field not in fields))
