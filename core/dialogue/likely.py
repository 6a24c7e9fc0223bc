"""What a message means, as far as its words do not say: a reader fitted on labelled messages.

The reader needs numpy and the bundled encoder (120 MB, a second to start, 2 ms a message), so it
is loaded by name and once it is needed: importing the bot costs nothing, and where rules decide
all, nothing is ever loaded. `prepare` loads it before the first message needs it.
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
from core.dialogue.reading import Reading
from core.dialogue.signs import signs
from core.dialogue.surroundings import said_last, speaks_with_bot


class Meaning(StrEnum):
    """What a message wants of the bot."""

    ASK = "ask"  # a question for the pages, or a need or a trouble that they may help with
    FOLLOW = "follow"  # goes on with the question before
    THANKS = "thanks"  # also praise
    COMPLAINT = "complaint"
    GREETING = "greeting"
    ABOUT = "about"  # asks about the bot itself
    FRAGMENT = "fragment"  # wants something, and says too little to search
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
    def best(self) -> Meaning:
        return max(self.of, key=lambda meaning: self.of[meaning])


@dataclass(frozen=True)
class Written:
    """What the reader is given of a message."""

    text: str  # without the courtesies that it begins with
    asked: str  # what a person said last
    with_bot: bool  # these two spoke last
    signs: tuple[float, ...]

    @classmethod
    def of(cls, message: Message, said: Reading) -> Written:
        text = said.rest or message.text
        found = signs(message, said)
        return cls(text, said_last(message), speaks_with_bot(message), found)


class MessageReader(Protocol):
    """What is written in, likelihoods out."""

    def likely(self, written: Written) -> Mapping[str, float]: ...


_loading = Lock()
_loaded: list[MessageReader] = []


def likely(message: Message, said: Reading) -> Likely:
    """What a message means whose text says this."""
    found = prepare().likely(Written.of(message, said))
    return Likely({Meaning(name): share for name, share in found.items()})


def prepare() -> MessageReader:
    """The reader of this process, loaded once."""
    with _loading:
        if not _loaded:
            _loaded.append(importlib.import_module("core.dialogue.fitted").load())
    return _loaded[0]


@contextmanager
def read_by(reader: MessageReader) -> Iterator[None]:
    """Read by this one instead: what an evaluation has fitted without the messages it judges."""
    before = list(_loaded)
    _loaded[:] = [reader]
    try:
        yield
    finally:
        _loaded[:] = before
