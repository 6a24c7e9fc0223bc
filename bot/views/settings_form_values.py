"""What somebody has filled into the settings: docs.slack.dev/reference/views#view-object-fields, `state`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from bot.views import messages
from bot.views.settings_form import DEFAULT, QUESTION
from core.policy.preferences import Choices, Preferences

State = Mapping[str, Mapping[str, Mapping[str, Any]]]


def read(state: State, there: Choices) -> tuple[Preferences, dict[str, str]]:
    """What was filled in, and what is wrong with it, by field."""
    given = {name: _given(next(iter(elements.values()))) for name, elements in state.items()}
    if given.get("language") == QUESTION:
        given["language"] = ""
    wrong = {}
    if not set(given.get("spaces") or ()) <= set(there.spaces):
        wrong["spaces"] = messages.settings.WRONG_SETTINGS["spaces"]
    if given.get("model") not in (None, *there.models):
        wrong["model"] = messages.settings.WRONG_SETTINGS["model"]
    try:
        return Preferences.model_validate(
            {name: value for name, value in given.items() if value is not None}
        ), wrong
    except ValidationError as error:
        fields = [str(each["loc"][0]) if each["loc"] else "listed" for each in error.errors()]
        return Preferences(), wrong | {
            field: messages.settings.WRONG_SETTINGS[field] for field in fields
        }


def _given(element: Mapping[str, Any]) -> Any:
    """The value of a field; None where it was left empty or at the default."""
    kind = element["type"]
    if kind == "static_select":
        value = (element["selected_option"] or {}).get("value")
        return None if value == DEFAULT else value
    if kind == "multi_static_select":
        return tuple(option["value"] for option in element["selected_options"]) or None
    if kind == "multi_users_select":
        return tuple(element["selected_users"]) or None
    return element["value"] or None
