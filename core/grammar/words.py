"""Words of a language's grammar, or patterns of them, as a table in its file lists them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, get_origin

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    PlainValidator,
    ValidationInfo,
    model_validator,
)
from pydantic.fields import FieldInfo

_SHARED = re.compile(r"\{([a-z_]+)\}")  # the name of a fragment
_PLAIN = re.compile(r"[\w ]*")


class Words(tuple[str, ...]):
    """As a string, the alternatives of a pattern.

    >>> f"{Words(('one', 'twos?'))}", f"{Words()}"
    ('(?:one|twos?)', '(?!)')
    """

    def __str__(self) -> str:
        return f"(?:{'|'.join(self)})" if self else "(?!)"  # which nothing matches


def _read_words(value: object, info: ValidationInfo) -> Words:
    """From a list of patterns or a text of words; a fragment's name becomes the fragment.

    Raises:
        ValueError: it is neither, a fragment is unknown, or a pattern does not compile.
    """
    listed = value.split() if isinstance(value, str) else value
    if not isinstance(listed, list | tuple):
        raise ValueError("neither a list of patterns nor a text of words")
    words = [_filled(str(word), info.context or {}) for word in listed]
    for word in words:
        if not _PLAIN.fullmatch(word):
            _read_pattern(word)
    return Words(words)


def _read_pattern(text: str) -> str:
    try:
        re.compile(f"(?:{text})")  # as a part of a larger one
    except re.error as error:
        raise ValueError(f"{text!r} is no pattern: {error}") from error
    return text


def _filled(pattern: str, parts: Mapping[str, str]) -> str:
    def fragment(name: re.Match[str]) -> str:
        if name[1] not in parts:
            raise ValueError(f"[parts] has no {name[1]}")
        return parts[name[1]]

    return _SHARED.sub(fragment, pattern)


Listed = Annotated[Words, PlainValidator(_read_words)]
Rewriting = tuple[Annotated[str, AfterValidator(_read_pattern)], str]  # a pattern, what instead


class GrammarTable(BaseModel):
    """A table of the file: what it leaves out is empty, a key that nobody reads is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    @model_validator(mode="before")
    @classmethod
    def _completed(cls, table: object) -> object:
        if not isinstance(table, dict):
            return table
        empty: dict[str, object] = {}
        for key, field in cls.model_fields.items():
            if field.is_required():
                empty[key] = () if _is_listed(field) else {}
        return empty | table


def _is_listed(field: FieldInfo) -> bool:
    return field.annotation is Words or get_origin(field.annotation) is tuple
