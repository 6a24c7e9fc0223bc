"""Grammars of languages: what people write in each, read once from `languages/*.toml`.

Code combines the words of all languages (`grammar.merged()`), and asks for those of one where it
has to tell languages apart (`grammar.languages()`).
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache, reduce
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from core.errors import SettingsError
from core.grammar.schema import Grammar
from core.grammar.words import GrammarTable, Words
from core.language import FOLDER

__all__ = ["Grammar", "Words", "languages", "merged", "read"]


@cache
def languages() -> Mapping[str, Grammar]:
    """Each language's grammar by its ISO 639-1 code, which is the name of its file.

    Raises:
        SettingsError: a file has an unknown key or what is no pattern; names file and key.
    """
    return {file.stem: read(file) for file in sorted(FOLDER.glob("*.toml"))}


@cache
def merged() -> Grammar:
    """The words of all languages together."""
    grammar: Grammar = reduce(_both, languages().values())
    return grammar


def read(file: Path) -> Grammar:
    """The grammar in one file."""
    try:
        tables = tomllib.loads(file.read_text("utf-8"))
        parts = tables.pop("parts", {})
        return Grammar.model_validate(tables, context=parts)
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"languages/{file.name}: {error}") from error
    except ValidationError as error:
        wrong, *_ = error.errors()
        key = ".".join(str(part) for part in wrong["loc"])
        raise SettingsError(f"languages/{file.name}: {key}: {wrong['msg']}") from error


def _both(one: Any, other: Any) -> Any:
    """Two tables or lists of words as one; of two values that are neither, the second."""
    if isinstance(one, GrammarTable):
        fields = type(one).model_fields
        return one.model_copy(
            update={name: _both(getattr(one, name), getattr(other, name)) for name in fields}
        )
    if isinstance(one, Words):
        return Words(dict.fromkeys((*one, *other)))
    if isinstance(one, tuple):
        return one + other
    if isinstance(one, Mapping):
        common = {key: _both(one[key], other[key]) for key in one.keys() & other.keys()}
        return {**one, **other, **common}
    return other
