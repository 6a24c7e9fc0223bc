"""Mentions: which titles of other pages a page showed, as values that are stored with it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from core.value import Value


class ChildMention(Value):
    """A page under this one, and the ACL that naming it took; without an id: there was none."""

    kind: Literal["child"] = "child"
    id: str = ""
    acl_id: str = ""
    shown: str = ""  # its title


class LinkMention(Value):
    """A page that this one links to, as it is written there: by id, or by space and title."""

    kind: Literal["link"] = "link"
    id: str = ""
    space: str = ""
    title: str = ""
    shown: str = ""  # its title; empty where it was withheld


Mention = Annotated[ChildMention | LinkMention, Field(discriminator="kind")]
_MENTIONS = TypeAdapter(tuple[Mention, ...])


def stored(names: Sequence[Any]) -> tuple[ChildMention | LinkMention, ...]:
    """The mentions in a row of the page table."""
    return _MENTIONS.validate_python(names)
