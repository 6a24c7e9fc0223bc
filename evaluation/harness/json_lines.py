"""Reads a file with a JSON object on each line; what is wrong is named by its line and reason."""

from __future__ import annotations

import json
from codecs import BOM_UTF8
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Annotated, Any, NoReturn, Protocol, TypeVar

from pydantic import AllowInfNan, StrictFloat, StrictInt, StrictStr, ValidationError

Id = StrictStr | StrictInt | Annotated[StrictFloat, AllowInfNan(False)]  # comes back as given


class BadLine(Exception):
    """A line that cannot be used; the text names the line and the reason."""


class Identified(Protocol):
    """What a line stands for."""

    @property
    def id(self) -> Id: ...


T = TypeVar("T", bound=Identified)


def read(file: Path, made: Callable[[dict[str, Any]], T], fields: Collection[str]) -> list[T]:
    """What all lines stand for, in order; empty lines are none.

    `made` raises ValueError for an object that cannot be used; `fields` are the names that may
    stand in a reason.

    Raises:
        BadLine: the file cannot be read, a line cannot be used, or an id stands there twice.
    """
    found: list[T] = []
    line_of: dict[str, int] = {}
    for number, line in _lines(file):
        try:
            value = made(_object(line))
            _refuse_same_id(value.id, number, line_of)
        except ValidationError as error:
            raise BadLine(f"{file}, line {number}: {_reason(error, fields)}") from None
        except ValueError as error:
            raise BadLine(f"{file}, line {number}: {error}") from None
        found.append(value)
    return found


def _lines(file: Path) -> Iterator[tuple[int, bytes]]:
    try:
        text = file.read_bytes().removeprefix(BOM_UTF8)
    except OSError as error:
        raise BadLine(f"{file} cannot be read: {error}") from None
    # Not splitlines: JSON may hold the other line separators of Unicode as they are.
    for number, line in enumerate(text.split(b"\n"), start=1):
        if line.strip():
            yield number, line


def _object(line: bytes) -> dict[str, Any]:
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        where = f"at byte {error.start + 1} of the line"
        raise ValueError(f"no UTF-8: {error.reason} {where}") from None
    try:
        fields = json.loads(text, parse_constant=_no_number, object_pairs_hook=_once_each)
    except (json.JSONDecodeError, RecursionError) as error:
        raise ValueError(f"no JSON object: {error}") from None
    if not isinstance(fields, dict):
        raise ValueError("no JSON object")
    try:  # "\\ud83d" alone, which nobody could send on
        json.dumps(fields, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise ValueError("a text holds half of a character") from None
    return fields


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{json.dumps(twice)} stands in it twice")
    return fields


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


def _reason(error: ValidationError, fields: Collection[str]) -> str:
    """The first thing that is wrong: `place: Input should be 'thread', 'dm' or 'channel'`."""
    first = error.errors()[0]
    where = [str(part) for part in first["loc"] if isinstance(part, int) or part in fields]
    why = first["msg"].removeprefix("Value error, ")
    return f"{'.'.join(where) or 'the line'}: {why}"


def _refuse_same_id(which: Id, number: int, line_of: dict[str, int]) -> None:
    first = line_of.setdefault(json.dumps(which), number)
    if first != number:
        raise ValueError(f"the id {json.dumps(which)} stands in line {first} already")
