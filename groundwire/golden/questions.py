"""Golden questions as a file that people write: what is asked, which page answers, what it says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any

import yaml
from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from core.errors import SettingsError
from core.value import Value

HEAD = """\
# Golden questions. `pages`: one of them must be among the sources (its id stands in its address).
# `says`: what the answer must say, all of it. Leave out either where you do not care.
"""


class Origin(StrEnum):
    """Where a question comes from."""

    PAGE = "page"  # made from a page by templates
    PERSON = "person"
    VOTE = "vote"  # somebody has asked it and liked the answer


class GoldenQuestion(Value):
    """A question, and what every right answer to it has in common."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    question: str = Field(min_length=1)
    pages: tuple[str, ...] = ()  # ids
    says: tuple[str, ...] = ()
    origin: Origin = Origin.PERSON


_LIST = TypeAdapter(list[GoldenQuestion])


def read(path: Path) -> list[GoldenQuestion]:
    """The questions of a file, in order.

    Raises:
        SettingsError: there is no such file, or it is none of golden questions.
    """
    try:
        loaded = yaml.safe_load(path.read_text(encoding="utf-8"))
        found = _LIST.validate_python(loaded or [])
    except FileNotFoundError:
        cure = "`groundwire golden propose FILE` writes one"
        raise SettingsError(f"{path}: No such file; {cure}") from None
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise SettingsError(f"{path}: {error}") from error
    except ValidationError as error:
        raise SettingsError(f"{path}: {_said(error)}") from None
    twice = [name for name, count in Counter(each.question for each in found).items() if count > 1]
    if twice:
        raise SettingsError(f"{path}: asked twice: {twice[0]}")
    return found


def _said(error: ValidationError) -> str:
    """Which question is wrong, in which of its fields, and how."""
    first = error.errors()[0]
    where = [f"question {place + 1}" if isinstance(place, int) else place for place in first["loc"]]
    return ": ".join([*where[:2], first["msg"]])


def write(path: Path, questions: Sequence[GoldenQuestion]) -> None:
    """Raises FileExistsError rather than lose what somebody has written."""
    lines = yaml.safe_dump(
        list(map(_plainly, questions)), allow_unicode=True, sort_keys=False, width=1000
    )
    with path.open("x", encoding="utf-8") as file:
        file.write(HEAD + lines)


def _plainly(question: GoldenQuestion) -> dict[str, Any]:
    said = question.model_dump(mode="json")
    return {name: value for name, value in said.items() if value}
