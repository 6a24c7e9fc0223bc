"""The settings modal of a channel or of a person, as a form or read-only.

What comes back is read by bot.views.settings.values.
Limits, from docs.slack.dev/reference/block-kit: 24 characters in a modal's title.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic import BaseModel, Field, ValidationError

from bot.views.block_kit import Block, context, plain_text, section
from bot.views.mrkdwn import escape
from bot.views.settings.fields import fields
from bot.views.settings.owner import OwnerSettings, space_name
from core.language.sentences import Sentences
from core.settings.values import Askers

CALLBACK = "settings"


def build_form(say: Sentences, current: OwnerSettings, external_id: str = "") -> Block:
    """To be filled in; every field begins with what was chosen."""
    blocks = [*_intro(say, current), *fields(say, current)]
    form = _modal(say, current, blocks, external_id)
    form["submit"] = plain_text(say("button-save"))
    return form


def build_read_only(
    say: Sentences, current: OwnerSettings, note: str, external_id: str = ""
) -> Block:
    """To be looked at; `note` is the key of a sentence that says why."""
    values = section("\n".join(_lines(say, current)))
    blocks = [*_intro(say, current), values, context(say(note))]
    return _modal(say, current, blocks, external_id)


def owner_of(view: Mapping[str, Any]) -> str:
    """Whose settings a form is about; empty, so nobody's, for one that we did not make."""
    try:
        metadata = _Metadata.model_validate_json(str(view.get("private_metadata") or ""))
    except ValidationError:
        return ""
    return metadata.owner


class _Metadata(BaseModel):
    owner: str = Field(pattern=r"^[A-Z0-9]{2,30}$")  # an id of Slack's


def _modal(
    say: Sentences, current: OwnerSettings, blocks: Sequence[Block], external_id: str
) -> Block:
    view = {
        "type": "modal",
        "callback_id": CALLBACK,
        "private_metadata": json.dumps({"owner": current.owner}),
        "title": plain_text(say("settings")),
        "close": plain_text(say("button-close")),
        "blocks": list(blocks),
    }
    if external_id:
        view["external_id"] = external_id
    return view


def _intro(say: Sentences, current: OwnerSettings) -> Iterator[Block]:
    """Whose settings these are, and what was chosen and is not there any more."""
    if current.is_of_channel:
        yield section(say("settings-of-channel", channel=current.owner))
    else:
        yield section(say("settings-of-person"))
    effective = current.effective
    stale = [say("stale-space", space=escape(key)) for key in effective.stale_spaces]
    if effective.stale_model:
        stale.append(say("stale-model", model=escape(effective.stale_model)))
    if stale:
        yield context(f":warning: {' '.join(stale)} {say('stale-default')}")


def _lines(say: Sentences, current: OwnerSettings) -> Iterator[str]:
    """The effective settings, a line each."""
    manner, available = current.effective.manner, current.available
    spaces = ", ".join(space_name(key, available) for key in manner.spaces)
    language = say.language_name(manner.language)
    values = {"spaces": spaces or say("all-spaces")}
    if available.models:
        values["model"] = manner.model or available.models[0]
    values["mode"] = say(f"mode-{manner.mode}")
    values["evidence"] = str(manner.evidence) if manner.evidence else say("as-needed")
    values["context"] = say(f"context-{manner.context}")
    values["length"] = say(f"length-{manner.length}")
    values["tone"] = say(f"tone-{manner.tone}")
    values["language"] = language or say("as-the-question")
    for name, value in values.items():
        yield f"*{say(f'setting-{name}')}:* {escape(value)}"
    if current.is_of_channel:
        yield from _rule_lines(say, current)
    else:
        yield from _own_lines(say, current)


def _own_lines(say: Sentences, current: OwnerSettings) -> Iterator[str]:
    if current.chosen.spared:
        yield f"*{say('setting-spared')}:* {say('spared-true')}"
    if current.chosen.no_digest:
        yield f"*{say('setting-no_digest')}:* {say('no_digest-true')}"


def _rule_lines(say: Sentences, current: OwnerSettings) -> Iterator[str]:
    rules = current.effective.rules
    askers = say(f"askers-{rules.askers}")
    people = ", ".join(f"<@{user}>" for user in rules.listed)
    if rules.askers is Askers.LISTED and people:
        askers = f"{askers}: {people}"
    yield f"*{say('setting-askers')}:* {askers}"
    helpers = ", ".join(f"<@{user}>" for user in current.chosen.helpers)
    yield f"*{say('setting-helpers')}:* {helpers or say('hand-over-owners')}"
    yield f"*{say('setting-mention')}:* {say(f'mention-{rules.mention}')}"
