"""Whether two messages that somebody writes one after the other are one question in two parts."""

from __future__ import annotations

import re

from core import grammar
from core.dialogue.folding import folded, pattern
from core.dialogue.reading import content_words, read
from core.dialogue.signs import MEANT, is_short_and_goes_on

_ANNOUNCES = re.compile(rf"\b{pattern(grammar.merged().dialogue.announces)}\b")
_OPEN_END = (",", ":", "…", "...")


def announces(text: str) -> bool:
    """Whether it says that a question comes: "I have a question about travel"."""
    if "?" in text:
        return False
    return text.rstrip().endswith(_OPEN_END) or _ANNOUNCES.search(folded(text)) is not None


def topic(text: str) -> tuple[str, ...]:
    """What an announced question will be about.

    >>> topic("I have a question about travel"), topic("I have a question")
    (('travel',), ())
    """
    return content_words(_ANNOUNCES.sub(" ", folded(text)))


def goes_on(text: str) -> bool:
    """Whether it can hardly be understood without what was said before it: "in Paris, I mean"."""
    plain = folded(read(text).rest)
    return is_short_and_goes_on(plain) or MEANT.search(plain) is not None


def is_one(first: str, second: str) -> bool:
    """Whether neither is a question that stands for itself; thanks are no part of one.

    >>> is_one("I have a question about travel", "how much per night in Paris?")
    True
    >>> is_one("who is on call?", "how do I request time off?")
    False
    """
    if not read(second).rest:
        return False
    return announces(first) or goes_on(second)


def joined(first: str, second: str) -> str:
    """Both as one text."""
    return f"{first} {second}" if first.rstrip()[-1:] in ".?!,:…" else f"{first}: {second}"
