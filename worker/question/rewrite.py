"""Query rewriting: completes a follow-up into a question that stands without its conversation.

By the model where there is one; else by rules: the page that the previous turn was answered from,
and its question. A question that changes the topic is taken as it is. The rules alone reach more
than a model's completion does in the paper; see docs/benchmarks.md.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core import grammar, logs
from core.errors import ModelUnavailable
from core.pages import PageKey
from core.policy.acl import EVERYBODY, Reader
from core.question import Completed
from core.usage import Usage
from worker.generation.chat_model import ChatModel
from worker.prompting import templates
from worker.text import sanitize

_ASKING = grammar.merged().question
# People say so when they change the topic.
_ANOTHER_TOPIC = re.compile(
    rf"^\W*(?:{_ASKING.courtesies}\W+){{0,2}}{_ASKING.another_topic}\b[\s,;:.–-]*",
    re.IGNORECASE,
)

SHOWN = 600  # characters of an earlier answer

log = logs.get(__name__)


@dataclass(frozen=True)
class Past:
    """An earlier turn of the thread; answer and title are empty until it is answered."""

    question: str
    answer: str = ""
    title: str = ""  # of the page it was answered from
    pages: frozenset[PageKey] = frozenset()  # that answer and title give away


Named = Callable[[str, Reader], Sequence[str]]


def _no_titles(_question: str, _reader: Reader) -> Sequence[str]:
    """For use without an index."""
    return ()


class Completer:
    """Question and history in, intent-explicit question out."""

    def __init__(self, model: ChatModel | None, named: Named = _no_titles) -> None:
        """`named` gives the titles that a question names, of pages that the reader may see."""
        self._model = model
        self._named = named

    def complete(
        self,
        question: str,
        history: Sequence[Past],
        *,
        deadline: float,
        reader: Reader = EVERYBODY,
    ) -> tuple[Completed, Usage]:
        if not history:
            return Completed(question=question, text=question), Usage()
        if self._model:
            try:
                return _by_model(self._model, question, history, deadline)
            except ModelUnavailable as error:
                log.warning("complete.model_unavailable", error=str(error))
        return by_rules(question, history, self._named(question, reader)), Usage()


def _by_model(
    model: ChatModel,
    question: str,
    history: Sequence[Past],
    deadline: float,
) -> tuple[Completed, Usage]:
    turns: list[dict[str, str]] = []
    for past in history:
        answer = sanitize.line(past.answer)[:SHOWN]
        turn = {"question": sanitize.line(past.question), "answer": answer}
        turns.append(turn)
    prompt = templates.render("complete_question", turns=turns, question=question)
    pages = frozenset[PageKey]().union(*(past.pages for past in history))
    reply = model.reply(prompt, pages=pages, deadline=deadline)
    text = reply.text.splitlines()[0].strip()
    return Completed(question=question, text=text, by=model.name), reply.usage


def by_rules(
    question: str,
    history: Sequence[Past],
    named: Sequence[str] = (),
) -> Completed:
    """The question, then the title of the page answered from, then the previous question.

    The question alone when it changes the topic: it says so, or names another page.
    """
    previous = history[-1]
    if marked := _ANOTHER_TOPIC.match(question):
        rest = question[marked.end() :]
        return Completed(question=question, text=rest or question)
    if named and previous.title not in named:
        return Completed(question=question, text=question)
    context = tuple(filter(None, (previous.title, previous.question)))
    text = f"{question} ({'; '.join(context)})"
    return Completed(question=question, text=text, context=context)
