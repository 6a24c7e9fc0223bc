"""Filters by the model, where the rules understand none; only what can be verified counts."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from datetime import date

from pydantic import BaseModel, Field, ValidationError

from core import grammar
from core.pages import PageKey
from core.question import Condition
from core.question import Field as About
from core.usage import Usage
from worker.filters.vocabulary import Vocabulary
from worker.filters.wording import is_negated
from worker.generation.chat_model import ChatModel
from worker.prompting import templates

MOST_NAMES = 100  # of a kind in the prompt: a list that nobody would read does not help a model
_CUE = re.compile(rf"\b{grammar.merged().filters.cues}\b", re.I)


class _ModelFilter(BaseModel):
    """One filter, as the model writes it."""

    field: About
    value: str = Field(min_length=1)
    said: str = Field(min_length=1)


def has_cue(text: str) -> bool:
    """Whether a text sounds as if there were a filter in it.

    >>> has_cue("Which pages did the Vision team update recently?")
    True
    >>> has_cue("Who leads the Vision team?")
    False
    """
    return _CUE.search(text) is not None


def by_model(
    model: ChatModel,
    text: str,
    known: Vocabulary,
    *,
    pages: Collection[PageKey],
    today: date,
    deadline: float,
) -> tuple[tuple[Condition, ...], Usage]:
    """What the model finds and the vocabulary knows; `pages` are those that the text gives away.

    Raises:
        ModelUnavailable: there is no reply in time.
    """
    spaces = sorted(known.spaces.items())
    prompt = templates.render(
        "find_filters",
        question=text,
        today=today.isoformat(),
        spaces=dict(spaces[:MOST_NAMES]),
        labels=sorted(known.labels)[:MOST_NAMES],
        people=sorted(known.people)[:MOST_NAMES],
    )
    reply = model.reply(prompt, pages=pages, deadline=deadline)
    found: dict[About, Condition] = {}
    for condition in _verified(reply.text, text, known):
        found[condition.field] = condition
    return tuple(found.values()), reply.usage


def _verified(
    reply: str,
    text: str,
    known: Vocabulary,
) -> Iterator[Condition]:
    for each in _parsed(reply):
        start = text.casefold().find(each.said.casefold())
        value = _value(each, known)
        if start >= 0 and value and not is_negated(text[:start]):
            yield Condition(field=each.field, value=value, said=each.said)


def _parsed(reply: str) -> Iterator[_ModelFilter]:
    """The filters of the reply's JSON list, which may stand in a code fence or among sentences."""
    try:
        start, end = reply.find("["), reply.rfind("]") + 1
        listed = json.loads(reply[start:end])
    except (ValueError, RecursionError):
        return
    for each in listed:
        try:
            yield _ModelFilter.model_validate(each)
        except ValidationError:
            continue


def _value(proposed: _ModelFilter, known: Vocabulary) -> str | None:
    if proposed.field not in (About.AFTER, About.BEFORE):
        return known.value(proposed.field, proposed.value)
    try:
        return date.fromisoformat(proposed.value).isoformat()
    except ValueError:
        return None
