"""Reads the messages that are put to the bot: a JSON object on each line, in one of two forms.

    {"id": 1, "thread": "a", "text": "How long is leave?"}
    {"id": 2, "place": "channel", "context": [], "who": "ana", "text": "@it hi", "bot": "it"}

The first is said to the bot, in a thread that it has joined or, where `thread` is null, in a direct
message of its own. The second is a message with what was said before it. Other fields, such as what
somebody expects of the answer, are left unread.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import NoReturn

from pydantic import Field, StrictBool, StrictFloat, StrictInt, StrictStr, ValidationError

from core.dialogue.message import Place
from core.value import Value

Id = StrictStr | StrictInt | StrictFloat


class BadTurn(Exception):
    """A line that is no message; the text names the line and the reason."""


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
        BadTurn: the file cannot be read, a line is no message, or an id stands there twice.
    """
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise BadTurn(f"{file} cannot be read: {error}") from None
    found: list[Posed] = []
    line_of: dict[str, int] = {}
    # Not splitlines: JSON may hold the other line separators of Unicode as they are.
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            turn = _turn(line)
            _refuse_same_id(turn, number, line_of)
        except ValueError as error:
            raise BadTurn(f"{file}, line {number}: {error}") from None
        found.append(turn)
    return found


def _turn(line: str) -> Posed:
    """A line as a message.

    Raises:
        ValueError: it is none.
    """
    try:
        fields = json.loads(line, parse_constant=_no_number)
        if not isinstance(fields, dict):
            raise ValueError("no JSON object")
        return (Overheard if "place" in fields else SaidToUs).model_validate(fields)
    except ValidationError as error:
        raise ValueError(_reason(error)) from None
    except (json.JSONDecodeError, RecursionError) as error:
        raise ValueError(f"no JSON object: {error}") from None


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


def _reason(error: ValidationError) -> str:
    """The first thing that is wrong: `place: Input should be 'thread', 'dm' or 'channel'`."""
    first = error.errors()[0]
    where = [str(part) for part in first["loc"] if isinstance(part, int) or part in FIELDS]
    return f"{'.'.join(where) or 'the line'}: {first['msg']}"


def _refuse_same_id(turn: Posed, number: int, line_of: dict[str, int]) -> None:
    first = line_of.setdefault(json.dumps(turn.id), number)
    if first != number:
        raise ValueError(f"the id {json.dumps(turn.id)} stands in line {first} already")
