"""The settings modal of a channel or of a person, as a form or read-only.

What comes back is read by bot.views.settings_form_values. A field is named by the preference that
it changes, so an error is shown under the right one. Limits, from
docs.slack.dev/reference/block-kit: 24 characters in a modal's title, 100 options of a menu, 75
characters each.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bot.views import messages
from bot.views.block_kit import Block, context, plain_text, section
from bot.views.messages import settings as texts
from bot.views.mrkdwn import escape, truncate
from core.policy.preferences import Choices, Preferences, Resolved, resolve
from core.settings import Settings
from core.settings.values import FEWEST_EVIDENCE, LANGUAGES, MOST_EVIDENCE, Askers

CALLBACK = "settings"
DEFAULT = "default"  # the value of "as it is for all"; Slack takes no empty one
QUESTION = "question"  # the value of "in the language of the question"
MOST_OPTIONS = 100
OPTION_LIMIT = 75


@dataclass(frozen=True)
class OwnerSettings:
    """The settings of one owner, and what can be chosen."""

    owner: str  # id of a channel or of a person
    chosen: Preferences
    available: Choices
    settings: Settings

    @property
    def is_of_channel(self) -> bool:
        return is_channel(self.owner)

    @property
    def effective(self) -> Resolved:
        return resolve(self.chosen, self.settings, self.available)

    @property
    def defaults(self) -> Resolved:
        return resolve(Preferences(), self.settings, self.available)


def is_channel(owner: str) -> bool:
    return owner[:1] not in "UW"


def build_form(current: OwnerSettings, external_id: str = "") -> Block:
    """To be filled in; every field begins with what was chosen."""
    blocks = [*_intro(current), *_fields(current)]
    form = _modal(current, blocks, external_id)
    form["submit"] = plain_text(texts.BUTTON_SAVE)
    return form


def build_read_only(current: OwnerSettings, note: str, external_id: str = "") -> Block:
    """To be looked at, with a sentence why."""
    values = section("\n".join(_lines(current)))
    intro = _intro(current)
    blocks = [*intro, values, context(note)]
    return _modal(current, blocks, external_id)


def owner_of(view: Mapping[str, Any]) -> str:
    metadata = json.loads(view["private_metadata"])
    return str(metadata["owner"])


def _modal(current: OwnerSettings, blocks: Sequence[Block], external_id: str) -> Block:
    view = {
        "type": "modal",
        "callback_id": CALLBACK,
        "private_metadata": json.dumps({"owner": current.owner}),
        "title": plain_text(texts.TITLE),
        "close": plain_text(messages.BUTTON_CLOSE),
        "blocks": list(blocks),
    }
    if external_id:
        view["external_id"] = external_id
    return view


def _intro(current: OwnerSettings) -> Iterator[Block]:
    channel = current.owner if current.is_of_channel else ""
    yield section(texts.settings_of(channel))
    effective = current.effective
    if effective.stale_spaces or effective.stale_model:
        spaces = [escape(key) for key in effective.stale_spaces]
        yield context(texts.stale(spaces, escape(effective.stale_model)))


def _fields(current: OwnerSettings) -> Iterator[Block]:
    chosen, default = current.chosen, current.defaults.manner
    if current.available.spaces:
        yield _spaces(current)
    if len(current.available.models) > 1:
        yield _model(current)
    yield _choice("mode", texts.MODES, chosen.mode, texts.MODES[default.mode])
    yield _evidence(chosen.evidence, default.evidence)
    yield _choice("length", texts.LENGTHS, chosen.length, texts.LENGTHS[default.length])
    yield _choice("tone", texts.TONES, chosen.tone, texts.TONES[default.tone])
    yield _language(chosen.language, default.language)
    if current.is_of_channel:
        yield from _rules(current)


def _rules(current: OwnerSettings) -> Iterator[Block]:
    """Who may ask in a channel, and how."""
    chosen, default = current.chosen, current.defaults.rules
    yield _choice("askers", texts.ASKERS, chosen.askers, texts.ASKERS[default.askers])
    people: Block = {
        "type": "multi_users_select",
        "action_id": "listed",
        "placeholder": plain_text(texts.NOBODY),
    }
    if chosen.listed:
        people["initial_users"] = list(chosen.listed)
    yield _input("listed", people)
    mention = None if chosen.mention is None else _as_key(chosen.mention)
    yield _choice("mention", texts.MENTION, mention, texts.MENTION[_as_key(default.mention)])


def _spaces(current: OwnerSettings) -> Block:
    """The chosen ones come first, so that they are among the hundred that a menu can show."""
    available = current.available.spaces
    chosen = [key for key in current.chosen.spaces or () if key in available]
    keys = dict.fromkeys([*chosen, *available])
    options = {}
    for key in list(keys)[:MOST_OPTIONS]:
        name = _space_name(key, current.available)
        options[key] = _option(key, name)
    default = ", ".join(current.defaults.manner.spaces) or texts.ALL_SPACES
    menu = {
        "type": "multi_static_select",
        "action_id": "spaces",
        "placeholder": plain_text(truncate(texts.default_is(default), 150)),
        "options": list(options.values()),
    }
    if chosen:
        menu["initial_options"] = [options[key] for key in chosen]
    return _input("spaces", menu)


def _model(current: OwnerSettings) -> Block:
    models = current.available.models
    labels = {name: name for name in models}
    chosen = current.effective.manner.model if current.chosen.model else None
    return _choice("model", labels, chosen, models[0])


def _evidence(chosen: int | None, default: int) -> Block:
    field = {
        "type": "number_input",
        "is_decimal_allowed": False,
        "action_id": "evidence",
        "min_value": str(FEWEST_EVIDENCE),
        "max_value": str(MOST_EVIDENCE),
        "placeholder": plain_text(texts.default_is(str(default or texts.AS_NEEDED))),
    }
    if chosen:
        field["initial_value"] = str(chosen)
    return _input("evidence", field)


def _language(chosen: str | None, default: str) -> Block:
    languages = {QUESTION: texts.AS_THE_QUESTION, **{name: name for name in LANGUAGES}}
    initial = QUESTION if chosen == "" else chosen
    return _choice("language", languages, initial, default or texts.AS_THE_QUESTION)


def _choice(name: str, labels: Mapping[Any, str], chosen: str | None, default: str) -> Block:
    """A menu whose first option is the default."""
    initial = _option(DEFAULT, texts.default_is(default))
    options = [initial]
    for value, label in labels.items():
        option = _option(str(value), label)
        options.append(option)
        if option["value"] == chosen:
            initial = option
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
        "label": plain_text(texts.SETTINGS[name]),
        "element": element,
    }
    if name in texts.HINTS:
        block["hint"] = plain_text(texts.HINTS[name])
    return block


def _option(value: str, label: str) -> Block:
    shown = truncate(label, OPTION_LIMIT)
    return {"text": plain_text(shown), "value": value}


def _space_name(key: str, available: Choices) -> str:
    name = available.spaces.get(key, "")
    return f"{name} ({key})" if name and name != key else key


def _as_key(mention: bool) -> str:
    return str(mention).lower()


def _lines(current: OwnerSettings) -> Iterator[str]:
    """The effective settings, a line each."""
    manner, available = current.effective.manner, current.available
    spaces = ", ".join(_space_name(key, available) for key in manner.spaces)
    values = {"spaces": spaces or texts.ALL_SPACES}
    if available.models:
        values["model"] = manner.model or available.models[0]
    values["mode"] = texts.MODES[manner.mode]
    values["evidence"] = str(manner.evidence or texts.AS_NEEDED)
    values["length"] = texts.LENGTHS[manner.length]
    values["tone"] = texts.TONES[manner.tone]
    values["language"] = manner.language or texts.AS_THE_QUESTION
    for name, value in values.items():
        yield f"*{texts.SETTINGS[name]}:* {escape(value)}"
    if current.is_of_channel:
        yield from _rule_lines(current)


def _rule_lines(current: OwnerSettings) -> Iterator[str]:
    rules = current.effective.rules
    askers = texts.ASKERS[rules.askers]
    people = ", ".join(f"<@{user}>" for user in rules.listed)
    if rules.askers is Askers.LISTED and people:
        askers = f"{askers}: {people}"
    yield f"*{texts.SETTINGS['askers']}:* {askers}"
    yield f"*{texts.SETTINGS['mention']}:* {texts.MENTION[_as_key(rules.mention)]}"
