"""Asks the model for the filters that the rules do not understand; what it says counts only where it can be checked."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import date

from pydantic import BaseModel, Field, ValidationError

from core.models import Usage
from core.question import Condition
from core.question import Field as About
from worker.filters.vocabulary import Vocabulary
from worker.filters.wording import is_negated
from worker.generation.chat_model import ChatModel
from worker.prompting import templates

MOST_NAMES = (
    100  # of a kind are told to the model: a list that nobody would read helps it as little
)
_CUE = re.compile(
    r"\b(?:labell?\w*|tagged|spaces?|authors?|wrote|written|authored|edited|updated?|modified|newer|older|recent(?:ly)?|owned"
    r"|gelabelt\w*|stichwort|schlagwort|bereich|autor\w*|verfasst\w*|geschrieben\w*|bearbeitet\w*|aktualisiert\w*|neuer\w*|älter\w*|kürzlich)\b",
    re.I,
)


class _ModelFilter(BaseModel):
    """One filter, as the model writes it."""

    field: About
    value: str = Field(min_length=1)
    said: str = Field(min_length=1)


def has_cue(text: str) -> bool:
    """Whether a text sounds as if there were a filter in it.

    >>> has_cue("Which pages did the Vision team update recently?"), has_cue("Who leads the Vision team?")
    (True, False)
    """
    return _CUE.search(text) is not None


def by_model(
    model: ChatModel, text: str, known: Vocabulary, today: date, deadline: float
) -> tuple[tuple[Condition, ...], Usage]:
    """What the model finds and the vocabulary knows.

    Raises:
        ModelUnavailable: there is no reply in time.
    """
    named = {
        "spaces": dict(sorted(known.spaces.items())[:MOST_NAMES]),
        "labels": _some(known.labels),
        "people": _some(known.people),
    }
    reply = model.reply(
        templates.render("find_filters", question=text, today=today.isoformat(), **named),
        deadline=deadline,
    )
    found = {each.field: each for each in _checked(reply.text, text, known)}
    return tuple(found.values()), reply.usage


def _some(names: frozenset[str]) -> list[str]:
    return sorted(names)[:MOST_NAMES]


def _checked(reply: str, text: str, known: Vocabulary) -> Iterator[Condition]:
    for each in _parsed(reply):
        start = text.casefold().find(each.said.casefold())
        value = _value(each, known)
        if start >= 0 and value and not is_negated(text[:start]):
            yield Condition(field=each.field, value=value, said=each.said)


def _parsed(reply: str) -> Iterator[_ModelFilter]:
    """The filters of the JSON list in the reply, which may stand in a fence or between sentences."""
    try:
        listed = json.loads(reply[reply.find("[") : reply.rfind("]") + 1])
    except (ValueError, RecursionError):
        return
    for each in listed:
        try:
            yield _ModelFilter.model_validate(each)
        except ValidationError:
            continue


def _value(said: _ModelFilter, known: Vocabulary) -> str | None:
    if said.field not in (About.AFTER, About.BEFORE):
        return known.value(said.field, said.value)
    try:
        return date.fromisoformat(said.value).isoformat()
    except ValueError:
        return None
