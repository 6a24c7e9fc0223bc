"""The signs of dialogue: what structure and closed lists of words say of a message, as numbers.

The fitted reader weighs them beside the message's vector; the rules ask for some by themselves.
"""

from __future__ import annotations

import re

from core import grammar
from core.dialogue.folding import folded, pattern
from core.dialogue.message import Message, Place
from core.dialogue.reading import Courtesy, Reading
from core.dialogue.surroundings import bot_was_last, has_asked_the_bot

SHORT = 6  # words of what goes on with the question before
MANY_WORDS, MUCH_SAID = 12, 6  # more of them say no more

_GRAMMAR = grammar.merged()
_WORDS = _GRAMMAR.dialogue
MEANT = re.compile(rf"\b{pattern(_WORDS.meant)}")
ABOUT_BOT = re.compile(rf"{pattern(_WORDS.about_bot)}\W*")
TALK = re.compile(rf"\b{pattern(_WORDS.talk)}(?!\w)")
POINTS_BACK = re.compile(rf"\b{pattern(_GRAMMAR.answers.points_back)}\b")
GREETS = re.compile(rf"\b{pattern(_WORDS.greetings)}(?!\w)")
YOU = re.compile(rf"\b{pattern(_WORDS.you)}\b")
_GOES_ON = re.compile(rf"{pattern(_WORDS.goes_on)}\b")
_TAG = re.compile(rf",\s*{pattern(_WORDS.tags)}\W*\?\W*$")
_OF_PEOPLE = re.compile(rf"\b{pattern(_WORDS.of_people)}")
_AMONG_PEOPLE = re.compile(rf"\b{pattern(_WORDS.among_people)}")
_OF_ONESELF = re.compile(rf"\b{pattern(_WORDS.of_oneself)}\b")
_QUOTED = re.compile(r"\s*(?:```.*```\s*|(?:(?:>|&gt;)[^\n]*\s*)+)", re.DOTALL)
_LAUGHS = re.compile("[😂🤣😅😆😜🙄😏]|:(?:joy|rofl|sweat_smile|roll_eyes|face_with_rolling_eyes):")


def signs(message: Message, said: Reading) -> tuple[float, ...]:
    """Numbers from 0 to 1, as many and in the order that the reader was fitted with."""
    found = (*_of_form(message.text, said), *_of_words(said), *_of_place(message, said))
    return tuple(float(each) for each in found)


def is_short_and_goes_on(plain: str) -> bool:
    return len(plain.split()) <= SHORT and _GOES_ON.match(plain) is not None


def is_among_people(plain: str) -> bool:
    """Whether people ask each other so, whoever is named."""
    return _AMONG_PEOPLE.search(plain) is not None or _TAG.search(plain) is not None


def is_quoted(text: str) -> bool:
    """Whether it is code, or what somebody else has written, and nothing besides."""
    return _QUOTED.fullmatch(text) is not None


def laughs(text: str) -> bool:
    return _LAUGHS.search(text) is not None or TALK.search(folded(text)) is not None


def _of_form(text: str, said: Reading) -> tuple[float, ...]:
    words = len(folded(text).split())
    return (
        said.asks,
        text.rstrip().endswith("?"),
        "?" in text,
        "!" in text,
        min(words, MANY_WORDS) / MANY_WORDS,
        min(len(said.content), MUCH_SAID) / MUCH_SAID,
        not said.content,
        not said.rest,
        laughs(text),
        *(kind in said.courtesies for kind in Courtesy),
    )


def _of_words(said: Reading) -> tuple[float, ...]:
    plain = folded(said.rest)
    return (
        YOU.search(plain) is not None,
        _AMONG_PEOPLE.search(plain) is not None,
        _OF_PEOPLE.search(plain) is not None,
        _TAG.search(plain) is not None,
        is_short_and_goes_on(plain),
        MEANT.search(plain) is not None,
        ABOUT_BOT.fullmatch(plain) is not None,
        POINTS_BACK.search(plain) is not None,
        _OF_ONESELF.search(plain) is not None,
    )


def _of_place(message: Message, said: Reading) -> tuple[float, ...]:
    """Who spoke last and who writes now, each also for a question."""
    is_thread = message.place is Place.THREAD and not message.mentions_bot
    to_bot, is_asker = bot_was_last(message), has_asked_the_bot(message)
    kinds = (
        is_thread and to_bot and is_asker,
        is_thread and to_bot and not is_asker,
        is_thread and not to_bot and is_asker,
        is_thread and not to_bot and not is_asker,
    )
    return (*kinds, *(kind and said.asks for kind in kinds))
