"""Reads and validates the submitted settings form.

Its `state`: docs.slack.dev/reference/views#view-object-fields
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import ValidationError

from bot.views.settings.fields import DEFAULT, QUESTION
from core.language.sentences import Sentences
from core.policy.preferences import MOST_LISTED, Choices, Preferences
from core.settings.values import FEWEST_EVIDENCE, MOST_EVIDENCE

_PERSON = re.compile(r"[UW][A-Z0-9]{2,30}")  # an id of Slack's: it is shown as a mention

State = Mapping[str, Mapping[str, Mapping[str, Any]]]


def read(say: Sentences, state: State, available: Choices) -> tuple[Preferences, dict[str, str]]:
    """What was filled in, and the errors by field."""
    given = {}
    for name, elements in state.items():
        value = _value(next(iter(elements.values())))
        if value is not None:
            given[name] = value
    if given.get("language") == QUESTION:
        given["language"] = ""
    try:
        chosen = Preferences.model_validate(given)
    except ValidationError as error:
        places = [each["loc"] for each in error.errors()]
        wrong = [str(place[0]) if place else "listed" for place in places]
        return Preferences(), {field: _wrong(say, field) for field in wrong}
    return chosen, {field: _wrong(say, field) for field in _not_there(chosen, available)}


def _not_there(chosen: Preferences, available: Choices) -> Iterator[str]:
    """The fields of which something was chosen that cannot be."""
    if not set(chosen.spaces or ()) <= set(available.spaces):
        yield "spaces"
    if chosen.model not in (None, *available.models):
        yield "model"
    for name in ("listed", "helpers"):
        if not all(map(_PERSON.fullmatch, getattr(chosen, name))):
            yield name


def _wrong(say: Sentences, field: str) -> str:
    if field == "evidence":
        return say("wrong-evidence", fewest=FEWEST_EVIDENCE, most=MOST_EVIDENCE)
    if field in ("listed", "helpers"):
        return say(f"wrong-{field}", most=MOST_LISTED)
    key = f"wrong-{field}"
    return say(key) if key in say else say("wrong-choice")


def _value(element: Mapping[str, Any]) -> Any:
    """The value of a field; None where it was left empty or at the default."""
    kind = element["type"]
    if kind == "static_select":
        value = (element["selected_option"] or {}).get("value")
        return None if value == DEFAULT else value
    if kind == "checkboxes":  # one box
        return bool(element["selected_options"]) or None
    if kind == "multi_static_select":
        return tuple(option["value"] for option in element["selected_options"]) or None
    if kind == "multi_users_select":
        return tuple(element["selected_users"]) or None
    return element["value"] or None
