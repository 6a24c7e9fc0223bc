"""The signs of dialogue: what structure and closed lists of words say of a message."""

from __future__ import annotations

import re

from core import grammar
from core.dialogue.folding import folded, pattern

SHORT = 6  # words of what goes on with the question before

_GRAMMAR = grammar.merged()
_WORDS = _GRAMMAR.dialogue
MEANT = re.compile(rf"\b{pattern(_WORDS.meant)}")
ABOUT_BOT = re.compile(rf"{pattern(_WORDS.about_bot)}\W*")
TALK = re.compile(rf"\b{pattern(_WORDS.talk)}(?!\w)")
PROPOSES = re.compile(rf"\b{pattern(_WORDS.proposes)}(?!\w)")
POINTS_BACK = re.compile(rf"\b{pattern(_GRAMMAR.answers.points_back)}\b")
YOU = re.compile(rf"\b{pattern(_WORDS.you)}\b")
_BOT = re.compile(rf"\b{pattern(_WORDS.bot)}\b")
_GOES_ON = re.compile(rf"{pattern(_WORDS.goes_on)}\b")
_QUOTED = re.compile(r"\s*(?:```.*```\s*|(?:(?:>|&gt;)[^\n]*\s*)+)", re.DOTALL)


def is_short_and_goes_on(plain: str) -> bool:
    return len(plain.split()) <= SHORT and goes_on(plain)


def goes_on(plain: str) -> bool:
    """Whether it begins as what goes on with the question before: `and in May`."""
    return _GOES_ON.match(plain) is not None


def speaks_to_us(text: str) -> bool:
    """Whether it says *you* or *the bot*: else it asks about something else.

    >>> speaks_to_us("Do you store this?"), speaks_to_us("Wer leitet die Technik?")
    (True, False)
    """
    plain = folded(text)
    return any(words.search(plain) for words in (YOU, _BOT))


def is_quoted(text: str) -> bool:
    """Whether it is code, or what somebody else has written, and nothing besides."""
    return _QUOTED.fullmatch(text) is not None
