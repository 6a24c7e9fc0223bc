"""The settings of a channel or of a person as a modal: to fill in or to look at. What comes back is read by bot.views.settings_form_values.

Limits, from docs.slack.dev/reference/block-kit: 24 characters in a modal's title, 100 options of a menu, 75 characters each.
A field is named by the preference that it changes, so an error stands under the right one.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from bot.views import messages
from bot.views.block_kit import Block, context, section
from bot.views.mrkdwn import escape, within
from core.policy.preferences import Askers, Choices, Preferences, Resolved, resolve
from core.settings import FEWEST_EVIDENCE, LANGUAGES, MOST_EVIDENCE, Settings

CALLBACK = "settings"
DEFAULT = "default"  # the value of "as it is for all"; Slack takes no empty one
QUESTION = "question"  # the value of "in the language of the question"
MOST_OPTIONS = 100
OPTION_LIMIT = 75


@dataclass(frozen=True)
class SettingsSheet:
    """The settings of one owner, and what can be chosen."""

    owner: str  # id of a channel or of a person
    chosen: Preferences
    there: Choices
    settings: Settings

    @property
    def is_of_channel(self) -> bool:
        return is_channel(self.owner)

    @property
    def counts(self) -> Resolved:
        return resolve(self.chosen, self.settings, self.there)

    @property
    def by_default(self) -> Resolved:
        return resolve(Preferences(), self.settings, self.there)


def is_channel(owner: str) -> bool:
    return owner[:1] not in "UW"


def build_form(sheet: SettingsSheet, external_id: str = "") -> Block:
    """To be filled in; every field begins with what was chosen."""
    return _modal(sheet, [*_top(sheet), *_fields(sheet)], external_id) | {
        "submit": _plain(messages.settings.BUTTON_SAVE)
    }


def build_shown(sheet: SettingsSheet, note: str, external_id: str = "") -> Block:
    """To be looked at, with a sentence why."""
    return _modal(
        sheet, [*_top(sheet), section("\n".join(_lines(sheet))), context(note)], external_id
    )


def owner_of(view: Mapping[str, Any]) -> str:
    return str(json.loads(view["private_metadata"])["owner"])


def _modal(sheet: SettingsSheet, blocks: Iterable[Block], external_id: str) -> Block:
    view = {
        "type": "modal",
        "callback_id": CALLBACK,
        "private_metadata": json.dumps({"owner": sheet.owner}),
        "title": _plain(messages.settings.TITLE),
        "close": _plain(messages.BUTTON_CLOSE),
        "blocks": list(blocks),
    }
    return view | ({"external_id": external_id} if external_id else {})


def _top(sheet: SettingsSheet) -> Iterable[Block]:
    yield section(messages.settings.settings_of(sheet.owner if sheet.is_of_channel else ""))
    counts = sheet.counts
    if counts.stale_spaces or counts.stale_model:
        yield context(
            messages.settings.stale(
                [escape(key) for key in counts.stale_spaces], escape(counts.stale_model)
            )
        )


def _fields(sheet: SettingsSheet) -> Iterable[Block]:
    chosen, default = sheet.chosen, sheet.by_default.manner
    if sheet.there.spaces:
        yield _spaces(sheet)
    if len(sheet.there.models) > 1:
        models = {name: name for name in sheet.there.models}
        yield _choice(
            "model",
            models,
            sheet.counts.manner.model if chosen.model else None,
            sheet.there.models[0],
        )
    yield _choice(
        "mode", messages.settings.MODES, chosen.mode, messages.settings.MODES[default.mode]
    )
    yield _evidence(chosen.evidence, default.evidence)
    yield _choice(
        "length",
        messages.settings.LENGTHS,
        chosen.length,
        messages.settings.LENGTHS[default.length],
    )
    yield _choice(
        "tone", messages.settings.TONES, chosen.tone, messages.settings.TONES[default.tone]
    )
    languages = {QUESTION: messages.settings.AS_THE_QUESTION} | {name: name for name in LANGUAGES}
    language = QUESTION if chosen.language == "" else chosen.language
    yield _choice(
        "language", languages, language, default.language or messages.settings.AS_THE_QUESTION
    )
    if sheet.is_of_channel:
        yield from _for_those_who_ask(sheet)


def _for_those_who_ask(sheet: SettingsSheet) -> Iterable[Block]:
    chosen, default = sheet.chosen, sheet.by_default.rules
    yield _choice(
        "askers", messages.settings.ASKERS, chosen.askers, messages.settings.ASKERS[default.askers]
    )
    people: Block = {
        "type": "multi_users_select",
        "action_id": "listed",
        "placeholder": _plain(messages.settings.NOBODY),
    }
    yield _input(
        "listed", people | ({"initial_users": list(chosen.listed)} if chosen.listed else {})
    )
    mention = None if chosen.mention is None else str(chosen.mention).lower()
    yield _choice(
        "mention",
        messages.settings.MENTION,
        mention,
        messages.settings.MENTION[str(default.mention).lower()],
    )


def _spaces(sheet: SettingsSheet) -> Block:
    """Those that are chosen come first, so that they are among the hundred that a menu can show."""
    chosen = [key for key in sheet.chosen.spaces or () if key in sheet.there.spaces]
    keys = [*chosen, *(key for key in sheet.there.spaces if key not in chosen)][:MOST_OPTIONS]
    options = {key: _option(key, _named(key, sheet.there)) for key in keys}
    by_default = ", ".join(sheet.by_default.manner.spaces) or messages.settings.ALL_SPACES
    menu = {
        "type": "multi_static_select",
        "action_id": "spaces",
        "placeholder": _plain(within(messages.settings.default_is(by_default), 150)),
        "options": list(options.values()),
    }
    return _input(
        "spaces", menu | ({"initial_options": [options[key] for key in chosen]} if chosen else {})
    )


def _evidence(chosen: int | None, default: int) -> Block:
    field = {
        "type": "number_input",
        "is_decimal_allowed": False,
        "action_id": "evidence",
        "min_value": str(FEWEST_EVIDENCE),
        "max_value": str(MOST_EVIDENCE),
        "placeholder": _plain(
            messages.settings.default_is(str(default or messages.settings.AS_NEEDED))
        ),
    }
    return _input("evidence", field | ({"initial_value": str(chosen)} if chosen else {}))


def _choice(name: str, labels: Mapping[Any, str], chosen: str | None, default: str) -> Block:
    """A menu whose first option is the default."""
    options = [
        _option(DEFAULT, messages.settings.default_is(default)),
        *(_option(str(value), label) for value, label in labels.items()),
    ]
    initial = next((option for option in options if option["value"] == chosen), options[0])
    menu = {
        "type": "static_select",
        "action_id": name,
        "options": options[:MOST_OPTIONS],
        "initial_option": initial,
    }
    return _input(name, menu, optional=False)


def _input(name: str, element: Block, *, optional: bool = True) -> Block:
    block: Block = {
        "type": "input",
        "block_id": name,
        "optional": optional,
        "label": _plain(messages.settings.SETTINGS[name]),
        "element": element,
    }
    return block | (
        {"hint": _plain(messages.settings.HINTS[name])} if name in messages.settings.HINTS else {}
    )


def _option(value: str, label: str) -> Block:
    return {"text": _plain(within(label, OPTION_LIMIT)), "value": value}


def _plain(text: str) -> Block:
    return {"type": "plain_text", "text": text}


def _named(key: str, there: Choices) -> str:
    name = there.spaces.get(key, "")
    return f"{name} ({key})" if name and name != key else key


def _lines(sheet: SettingsSheet) -> Iterable[str]:
    """What counts, a line each."""
    manner, rules = sheet.counts.manner, sheet.counts.rules
    said: dict[str, str] = {
        "spaces": ", ".join(_named(key, sheet.there) for key in manner.spaces)
        or messages.settings.ALL_SPACES
    }
    if sheet.there.models:
        said["model"] = manner.model or sheet.there.models[0]
    said |= {
        "mode": messages.settings.MODES[manner.mode],
        "evidence": str(manner.evidence or messages.settings.AS_NEEDED),
        "length": messages.settings.LENGTHS[manner.length],
        "tone": messages.settings.TONES[manner.tone],
        "language": manner.language or messages.settings.AS_THE_QUESTION,
    }
    for name, value in said.items():
        yield f"*{messages.settings.SETTINGS[name]}:* {escape(value)}"
    if sheet.is_of_channel:
        people = (
            ", ".join(f"<@{user}>" for user in rules.listed)
            if rules.askers is Askers.LISTED
            else ""
        )
        yield f"*{messages.settings.SETTINGS['askers']}:* {messages.settings.ASKERS[rules.askers]}{f': {people}' if people else ''}"
        yield f"*{messages.settings.SETTINGS['mention']}:* {messages.settings.MENTION[str(rules.mention).lower()]}"
