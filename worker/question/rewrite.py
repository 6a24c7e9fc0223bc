"""Query rewriting: completes a follow-up into a question that stands without its conversation.

By the model where there is one; else by rules: the previous question, and the page that it was
answered from if that answer was sure of it, so that one wrong page does not carry a whole thread,
and if the question names no subject of other pages. One that changes the topic is taken as it is.
The rules alone reach more than a model's completion does in the paper; see docs/benchmarks.md.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Protocol

from core import grammar, logs
from core.errors import ModelUnavailable
from core.models import Confidence
from core.pages import PageKey
from core.policy.acl import EVERYBODY, Reader
from core.question import Completed
from core.usage import Usage
from worker.generation.chat_model import ChatModel
from worker.prompting import templates
from worker.question.asked_part import AskedPart, asked_part, points_back
from worker.question.completed_by_model import is_the_question
from worker.question.correction import Meant, as_meant
from worker.question.past import Past
from worker.question.wording import worded
from worker.text import sanitize

_ASKING = grammar.merged().question
# People say so when they change the topic.
_ANOTHER_TOPIC = re.compile(
    rf"^\W*(?:{_ASKING.courtesies}\W+){{0,2}}{_ASKING.another_topic}\b[\s,;:.–-]*",
    re.IGNORECASE,
)

SHOWN = 600  # characters of an earlier answer

log = logs.get(__name__)

__all__ = ["Completer", "Past", "Titles", "by_rules"]

_NO_PAGES = frozenset[PageKey]()


class Titles(Protocol):
    """What the titles of pages that the reader may see say of a question; nobody is shown them."""

    def named(self, question: str, reader: Reader) -> Sequence[str]:
        """The titles that it names."""

    def has_new_subject(self, question: str, known: Collection[PageKey], reader: Reader) -> bool:
        """Whether it names a subject that other pages are about, and the known ones lack."""


class Completer:
    """Question and history in, intent-explicit question out."""

    def __init__(self, model: ChatModel | None, titles: Titles | None = None) -> None:
        """`titles` decide whether a question changes the topic; None: without an index."""
        self._model = model
        self._titles = titles

    def complete(
        self,
        question: str,
        history: Sequence[Past],
        *,
        deadline: float,
        reader: Reader = EVERYBODY,
        origin: frozenset[PageKey] = _NO_PAGES,
    ) -> tuple[Completed, Usage]:
        """`origin` are the pages that the question itself gives away, if a button asked it."""
        if not history:
            alone = tuple(sorted(origin))
            first = _first(asked_part(question))
            return first.model_copy(update={"pages": alone, "origin": alone}), Usage()
        own = Past(question, pages=origin, origin=origin)
        completed, used = self._completed(own, history, deadline, reader)
        pages = {*completed.pages, *origin}
        own_pages = {*completed.origin, *origin}
        given_away = {"pages": tuple(sorted(pages)), "origin": tuple(sorted(own_pages))}
        return completed.model_copy(update=given_away), used

    def _completed(
        self,
        asked: Past,
        history: Sequence[Past],
        deadline: float,
        reader: Reader,
    ) -> tuple[Completed, Usage]:
        used = Usage()
        if self._model:
            try:
                completed, used = _by_model(self._model, asked, history, deadline)
            except ModelUnavailable as error:
                log.warning("complete.model_unavailable", error=str(error))
            else:
                answers = [past.answer for past in history]
                if is_the_question(completed.text, asked.question, answers):
                    return completed, used
                log.warning("complete.no_question")
        if self._titles is None:
            return by_rules(asked.question, history), used
        named = self._titles.named(asked.question, reader)
        *earlier, previous = history
        known = previous.page
        if previous.topic and self._titles.has_new_subject(asked.question, known, reader):
            history = [*earlier, replace(previous, confidence=Confidence.LOW)]
        return by_rules(asked.question, history, named), used


def _by_model(
    model: ChatModel,
    asked: Past,
    history: Sequence[Past],
    deadline: float,
) -> tuple[Completed, Usage]:
    turns: list[dict[str, str]] = []
    question, pages = " ".join(asked.question.split()), set(asked.pages)
    for past in history:
        pages |= past.pages  # it may repeat whatever it read
        answer = sanitize.line(past.answer)[:SHOWN]
        turn = {"question": sanitize.line(past.question), "answer": answer}
        turns.append(turn)
    prompt = templates.render("complete_question", turns=turns, question=question)
    reply = model.reply(prompt, pages=frozenset(pages), deadline=deadline)
    text = reply.text.splitlines()[0].strip()
    completed = Completed(question=question, text=text, pages=tuple(pages), by=model.name)
    return completed, reply.usage


def by_rules(
    question: str,
    history: Sequence[Past],
    named: Sequence[str] = (),
) -> Completed:
    """The question as one about the page answered from, after the previous question.

    Where that page was not surely the right one, after the first and the previous question. The
    question alone when it changes the topic: it says so, or names another page. Without what it
    takes back.
    """
    if _ANOTHER_TOPIC.match(question):
        part = asked_part(question)
        rest = _ANOTHER_TOPIC.sub("", part.asked)
        return _first(part).model_copy(update={"text": rest or part.asked})
    known = _in_full(history)
    meant = as_meant(question, [past.question for past in known])
    part, kept = asked_part(meant.question), known[: meant.turns]
    origin = _taken_over(known, meant)
    is_first = not kept or (named and kept[-1].title not in named)
    completed = _first(part) if is_first else _going_on(part, kept)
    pages = origin.union(completed.pages)
    added = {"pages": tuple(pages), "origin": tuple(origin), "fragment": meant.fragment}
    return completed.model_copy(update=added)


def _going_on(part: AskedPart, history: Sequence[Past]) -> Completed:
    previous = history[-1]
    title = previous.topic
    leaned_on = (previous,) if title else (history[0], previous)
    earlier = list(dict.fromkeys(_said(past.question) for past in leaned_on))
    pages = previous.page if title else _NO_PAGES
    return Completed(
        question=part.asked,
        text=worded(part.asked, title, earlier),
        context=tuple(filter(None, (title, *reversed(earlier), part.told))),
        pages=tuple(pages.union(*(past.origin for past in leaned_on))),
    )


def _in_full(history: Sequence[Past]) -> Sequence[Past]:
    """The conversation since its topic was last changed, each question as it was meant."""
    known: list[Past] = []
    for past in history:
        if _ANOTHER_TOPIC.match(past.question):
            rest = _ANOTHER_TOPIC.sub("", past.question)
            known = [replace(past, question=rest or past.question)]
            continue
        meant = as_meant(past.question, [each.question for each in known])
        origin = past.origin | _taken_over(known, meant)
        known = [*known[: meant.turns], replace(past, question=meant.question, origin=origin)]
    return known


def _taken_over(known: Sequence[Past], meant: Meant) -> frozenset[PageKey]:
    """What a question gives away that has words of those before it."""
    return _NO_PAGES.union(*(past.origin for past in known[meant.turns :]))


def _said(earlier: str) -> str:
    """What counts of an earlier message: its question, and the whole where that leans on it."""
    asked = asked_part(earlier).asked
    return " ".join(earlier.split()) if points_back(asked) else asked


def _first(part: AskedPart) -> Completed:
    """A question that no conversation completes."""
    told = (part.told,) if part.told else ()
    return Completed(question=part.asked, text=part.asked, context=told, alone=part.alone)
