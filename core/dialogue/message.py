"""A message in Slack as the rules of dialogue see it: its text, its place, what was said before."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any


class Place(StrEnum):
    """Where it was written."""

    THREAD = "thread"  # one that the bot has joined, or where it is mentioned
    DM = "dm"
    CHANNEL = "channel"


@dataclass(frozen=True)
class Line:
    """Something that was said before; `who` is any name that tells people apart."""

    who: str
    text: str
    by_bot: bool = False


@dataclass(frozen=True)
class Message:
    """What somebody has written, without the bot's own name in it.

    Other people are named as Slack does, `<@U123>`, or as people do, `@ana`. `before` is what was
    said in the same thread or conversation, oldest first, as far as it is known. `as_written` has
    the bot's name where it stands, as `@bot`: who speaks of it, and who to it?
    """

    text: str
    who: str
    place: Place
    mentions_bot: bool = False
    as_written: str = ""  # nothing where that is no other text
    before: tuple[Line, ...] = ()

    @property
    def others(self) -> frozenset[str]:
        """Who else has said something, but for the bot."""
        return frozenset(line.who for line in self.before if not line.by_bot) - {self.who}

    def after(self, more: tuple[Line, ...]) -> Message:
        """The same, after what else was said."""
        return replace(self, before=(*self.before, *more))


def read_back(saved: dict[str, Any]) -> Message:
    """What dataclasses.asdict has made of it, and SQL has kept."""
    before = tuple(Line(**line) for line in saved["before"])
    return Message(**saved | {"place": Place(saved["place"]), "before": before})
