"""The fields of the settings form, each named by the preference that it changes.

So an error is shown under the right one. Limits, from docs.slack.dev/reference/block-kit: 100
options of a menu, 75 characters each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from bot.views.block_kit import Block, plain_text
from bot.views.mrkdwn import truncate
from bot.views.settings.owner import OwnerSettings, space_name
from core.dialogue.decision import Attention
from core.language.sentences import Sentences
from core.manner import Context, Length, Mode, Tone
from core.settings.values import FEWEST_EVIDENCE, LANGUAGES, MOST_EVIDENCE, Askers

DEFAULT = "default"  # the value of "as it is for all"; Slack takes no empty one
QUESTION = "question"  # the value of "in the language of the question"
MOST_OPTIONS = 100
OPTION_LIMIT = 75


def fields(say: Sentences, current: OwnerSettings) -> Iterator[Block]:
    chosen, default = current.chosen, current.defaults.manner
    if current.available.spaces:
        yield _spaces(say, current)
    if len(current.available.models) > 1:
        yield _model(say, current)
    yield _choice(say, "mode", _labels(say, "mode", Mode), chosen.mode, default.mode)
    yield _evidence(say, chosen.evidence, default.evidence)
    contexts = _labels(say, "context", Context)
    yield _choice(say, "context", contexts, chosen.context, default.context)
    yield _choice(say, "length", _labels(say, "length", Length), chosen.length, default.length)
    yield _choice(say, "tone", _labels(say, "tone", Tone), chosen.tone, default.tone)
    yield _language(say, chosen.language, default.language)
    if current.is_of_channel:
        yield from _rules(say, current)
    else:
        yield _box(say, "spared", chosen.spared)
        yield _box(say, "no_digest", chosen.no_digest)


def _rules(say: Sentences, current: OwnerSettings) -> Iterator[Block]:
    """Who may ask in a channel, and how."""
    chosen, default = current.chosen, current.defaults.rules
    yield _choice(say, "askers", _labels(say, "askers", Askers), chosen.askers, default.askers)
    yield _people(say, "listed", chosen.listed)
    yield _people(say, "helpers", chosen.helpers)
    labels = _labels(say, "mention", Attention)
    yield _choice(say, "mention", labels, chosen.mention, default.mention)


def _people(say: Sentences, name: str, chosen: Sequence[str]) -> Block:
    people: Block = {
        "type": "multi_users_select",
        "action_id": name,
        "placeholder": plain_text(say("nobody")),
    }
    if chosen:
        people["initial_users"] = list(chosen)
    return _input(say, name, people)


def _box(say: Sentences, name: str, chosen: bool | None) -> Block:
    option = _option("true", say(f"{name}-true"))
    box: Block = {"type": "checkboxes", "action_id": name, "options": [option]}
    if chosen:
        box["initial_options"] = [option]
    return _input(say, name, box)


def _spaces(say: Sentences, current: OwnerSettings) -> Block:
    """The chosen ones come first, so that they are among the hundred that a menu can show."""
    available = current.available.spaces
    chosen = [key for key in current.chosen.spaces or () if key in available]
    keys = dict.fromkeys([*chosen, *available])
    options = {}
    for key in list(keys)[:MOST_OPTIONS]:
        name = space_name(key, current.available)
        options[key] = _option(key, name)
    default = ", ".join(current.defaults.manner.spaces) or say("all-spaces")
    menu = {
        "type": "multi_static_select",
        "action_id": "spaces",
        "placeholder": plain_text(truncate(say("default-is", value=default), 150)),
        "options": list(options.values()),
    }
    if chosen:
        menu["initial_options"] = [options[key] for key in chosen]
    return _input(say, "spaces", menu)


def _model(say: Sentences, current: OwnerSettings) -> Block:
    models = current.available.models
    labels = {name: name for name in models}
    chosen = current.effective.manner.model if current.chosen.model else None
    return _choice(say, "model", labels, chosen, models[0])


def _evidence(say: Sentences, chosen: int | None, default: int) -> Block:
    value = str(default) if default else say("as-needed")
    field = {
        "type": "number_input",
        "is_decimal_allowed": False,
        "action_id": "evidence",
        "min_value": str(FEWEST_EVIDENCE),
        "max_value": str(MOST_EVIDENCE),
        "placeholder": plain_text(say("default-is", value=value)),
    }
    if chosen:
        field["initial_value"] = str(chosen)
    return _input(say, "evidence", field)


def _language(say: Sentences, chosen: str | None, default: str) -> Block:
    languages = {QUESTION: say("as-the-question")}
    languages |= {name: say.language_name(name) for name in LANGUAGES}
    initial = QUESTION if chosen == "" else chosen
    return _choice(say, "language", languages, initial, default or QUESTION)


def _labels(say: Sentences, name: str, values: Iterable[str]) -> dict[str, str]:
    """What can be chosen, as people read it."""
    return {str(value): say(f"{name}-{value}") for value in values}


def _choice(
    say: Sentences, name: str, labels: Mapping[str, str], chosen: str | None, default: str
) -> Block:
    """A menu whose first option is the default."""
    initial = _option(DEFAULT, say("default-is", value=labels[default]))
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
    return _input(say, name, menu, optional=False)


def _input(say: Sentences, name: str, element: Block, *, optional: bool = True) -> Block:
    block: Block = {
        "type": "input",
        "block_id": name,
        "optional": optional,
        "label": plain_text(say(f"setting-{name}")),
        "element": element,
    }
    if f"hint-{name}" in say:
        hint = say(f"hint-{name}", fewest=FEWEST_EVIDENCE, most=MOST_EVIDENCE)
        block["hint"] = plain_text(hint)
    return block


def _option(value: str, label: str) -> Block:
    shown = truncate(label, OPTION_LIMIT)
    return {"text": plain_text(shown), "value": value}
