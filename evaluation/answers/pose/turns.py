"""Reads the messages that are put to the bot: a JSON object on each line, in one of two forms.

    {"id": 1, "thread": "a", "text": "How long is leave?"}
    {"id": 2, "place": "channel", "context": [], "who": "ana", "text": "@it hi", "bot": "it"}

The first is said to the bot, in a thread that it has joined or, where `thread` is null, in a direct
message of its own. The second is a message with what was said before it. Other fields, such as what
somebody expects of the answer, are left unread.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import Field, StrictBool, StrictStr

from core.dialogue.message import Place
from core.value import Value
from evaluation.harness import json_lines
from evaluation.harness.json_lines import Id


class SaidToUs(Value):
    """Of the first form."""

    id: Id
    text: StrictStr
    thread: StrictStr | None = None


class Spoken(Value):
    """Something that was said before; `who` is `bot` for the bot's own answers."""

    who: StrictStr
    text: StrictStr


class Overheard(Value):
    """Of the second form; `bot` is how the bot is called, or whether the text mentions it."""

    id: Id
    place: Place
    context: tuple[Spoken, ...]
    who: StrictStr
    text: StrictStr
    bot: StrictBool | StrictStr | None = Field(default=None, union_mode="left_to_right")


Posed = SaidToUs | Overheard
FIELDS = {*SaidToUs.model_fields, *Overheard.model_fields}


def read(file: Path) -> list[Posed]:
    """All messages of a file, in order; empty lines are none.

    Raises:
        BadLine: the file cannot be read, a line is no message, or an id stands there twice.
    """
    return json_lines.read(file, _turn, FIELDS)


def _turn(fields: dict[str, Any]) -> Posed:
    return (Overheard if "place" in fields else SaidToUs).model_validate(fields)
