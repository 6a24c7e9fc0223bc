"""What a message means, as far as its words do not say: a reader trained on labelled messages.

The reader needs numpy and the packaged encoder, so it is loaded by name and once it is needed:
importing the bot costs nothing, and where rules decide all, nothing is ever loaded. `prepare` loads
it before the first message needs it.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from threading import Lock
from typing import Protocol

from core.dialogue.message import Message


class Meaning(StrEnum):
    """What a message wants of the bot."""

    ASK = "ask"  # a question for the pages, or a need or a trouble that they may help with
    FOLLOW = "follow"  # goes on with the question before
    THANKS = "thanks"  # also praise
    COMPLAINT = "complaint"
    GREETING = "greeting"
    ABOUT = "about"  # asks about the bot itself
    FRAGMENT = "fragment"  # wants something, and says too little to search
    ABOVE = "above"  # asks to answer what stands above
    PERSON = "person"  # only a person can answer or do it
    TALK = "talk"  # nothing


@dataclass(frozen=True)
class Likely:
    """How likely each meaning is; together 1."""

    of: Mapping[Meaning, float]

    def any_of(self, *meanings: Meaning) -> float:
        """How likely it is one of these."""
        return sum(self.of[each] for each in meanings)

    @property
    def most(self) -> float:
        """How likely the likeliest is."""
        return max(self.of.values())

    @classmethod
    def certainly(cls, meaning: Meaning) -> Likely:
        return cls({each: float(each is meaning) for each in Meaning})

    def best_of(self, *meanings: Meaning) -> Meaning:
        """The likeliest of these."""
        return max(meanings, key=lambda meaning: self.of[meaning])


class MessageReader(Protocol):
    """A message in, likelihoods out."""

    def likely(self, message: Message) -> Mapping[str, float]: ...


_loading = Lock()
_loaded: list[MessageReader] = []


def likely(message: Message) -> Likely:
    """What a message means, after what was said before it."""
    found = prepare().likely(message)
    return Likely({Meaning(name): share for name, share in found.items()})


def prepare() -> MessageReader:
    """The reader of this process, loaded once."""
    with _loading:
        if not _loaded:
            _loaded.append(importlib.import_module("core.dialogue.trained").load())
    return _loaded[0]


@contextmanager
def read_by(reader: MessageReader) -> Iterator[None]:
    """Read by this one instead: what an evaluation has trained without the messages it judges."""
    before = list(_loaded)
    _loaded[:] = [reader]
    try:
        yield
    finally:
        _loaded[:] = before
