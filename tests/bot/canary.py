"""A canary: answers and explanations with a restricted word in every string that they can hold.

They are built from the models themselves, so that a field of tomorrow holds it too.
"""

from __future__ import annotations

import types
from collections.abc import Mapping
from enum import Enum
from typing import Any, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel

from core.access.disclosure import EVERYBODY
from core.attribution import SHAPE, Explanation
from core.models import Record
from core.pages import CONFLUENCE, PageKey

WORD = "quokka"
PAGE = PageKey(CONFLUENCE, "4711")
# What has to mean something, by the names of the fields.
GIVEN: Mapping[str, Any] = {
    "source": CONFLUENCE,
    "id": PAGE.id,
    "page_id": PAGE.id,
    "names": (PAGE.id,),
    "url": f"https://wiki.example/{WORD}",
    "updated_at": "2026-03-01T08:00:00Z",
    "language": "en",
    "audience": EVERYBODY,
    "since": None,
    "notes": (),
    "currency": "EUR",
}


def record(**more: Any) -> Record:
    """An answer; `more` replaces fields of it."""
    made: Record = _filled(Record)
    return made.model_copy(update=more)


def explanation(turn_id: str) -> Explanation:
    made: Explanation = _filled(Explanation)
    # Places are 1 here, and so there are two of each.
    return made.model_copy(update={"turn_id": turn_id, "shape": SHAPE, "effects": made.effects * 2})


def _filled(model: type[Any]) -> Any:
    hints = get_type_hints(model)
    return model(**{name: _value(name, hints[name]) for name in model.model_fields})


def _value(name: str, kind: Any) -> Any:
    if name in GIVEN and kind is not int:
        return GIVEN[name]
    if get_origin(kind) in (Union, types.UnionType):
        kind = next(each for each in get_args(kind) if each is not type(None))
    if get_origin(kind) is tuple:
        parts = [each for each in get_args(kind) if each is not Ellipsis]
        return tuple(_value(name, each) for each in parts)
    if get_origin(kind) is dict:
        return {WORD: _value(name, get_args(kind)[1])}
    if kind is PageKey:
        return PAGE
    if issubclass(kind, BaseModel):
        return _filled(kind)
    if issubclass(kind, Enum):
        return next(iter(kind))
    return f"{WORD} {name}" if kind is str else kind(1)
