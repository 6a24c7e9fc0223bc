"""Decides what becomes of a message before its question is searched: by rules, no model is asked.

Structure comes before words: whom the message names, who spoke last, where it was written. In doubt
a message in a channel's thread is left alone, and one that reached the bot itself is answered.
"""

from __future__ import annotations

import re

from core import grammar
from core.dialogue.decision import Attention, Decision, DialogueAct, Outcome
from core.dialogue.folding import folded, is_picture, pattern
from core.dialogue.message import Line, Message, Place
from core.dialogue.reading import Courtesy, Reading, content_words, read

LONGEST = 4000  # characters that are read; more is no talk, and no question that is answered
TELLING = 2  # words that say something: a question of so many stands without what was said before
SHORT = 6  # words of what goes on with the question before

_WORDS = grammar.merged().dialogue
_POINTS_UP = re.compile(rf"\b{pattern(_WORDS.points_up)}(?!\w)")
_GOES_ON = re.compile(rf"{pattern(_WORDS.goes_on)}\b")
_MEANT = re.compile(rf"\b{pattern(_WORDS.meant)}")
_TAG = re.compile(rf",\s*{pattern(_WORDS.tags)}\W*\?\W*$")
_ABOUT_BOT = re.compile(rf"{pattern(_WORDS.about_bot)}\W*")
_TALK = re.compile(rf"\b{pattern(_WORDS.talk)}(?!\w)")
_PLEASE = re.compile(rf"\b{pattern(_WORDS.please)}\b")
_POINTS_BACK = re.compile(rf"\b{pattern(grammar.merged().answers.points_back)}\b")
_YOU = re.compile(rf"\b{pattern(_WORDS.you)}\b")
_OF_PEOPLE = re.compile(rf"\b{pattern(_WORDS.of_people)}")
_AMONG_PEOPLE = re.compile(rf"\b{pattern(_WORDS.among_people)}")

# A question of somebody else's, such as may have been asked unseen.
_UNSEEN = Line("", "1 2 3?")

_SILENT = Decision(Outcome.SILENT, DialogueAct.TALK)
_IN_DOUBT = Decision(Outcome.SILENT, DialogueAct.TALK, sure=False)
_CLARIFY = Decision(Outcome.CLARIFY, DialogueAct.EMPTY, sentence="ask-me")
_ABOUT = Decision(Outcome.BRIEF, DialogueAct.ABOUT_BOT, sentence="about-me")
_COMPLAINT = Decision(Outcome.BRIEF, DialogueAct.COMPLAINT, sentence="was-wrong")
_THANKS = Decision(Outcome.BRIEF, DialogueAct.THANKS, "", "heart", "you-are-welcome")
_BRIEF = {
    Courtesy.COMPLAINT: _COMPLAINT,
    Courtesy.THANKS: _THANKS,
    Courtesy.PRAISE: _THANKS,
    Courtesy.GREETING: Decision(Outcome.BRIEF, DialogueAct.GREETING, sentence="hello"),
    Courtesy.ASSENT: _SILENT,
}


def decide(message: Message, attention: Attention = Attention.SURE) -> Decision:
    """What to do about a message; `attention` is what the channel has chosen for its threads."""
    to_us = message.mentions_bot or message.place is Place.DM
    if len(message.text) > LONGEST:
        long = Decision(Outcome.ANSWER, DialogueAct.QUESTION, message.text)
        return long if to_us else _SILENT
    said = read(message.text, {line.who for line in message.before if not line.by_bot})
    if to_us:
        return _spoken_to(message, said)
    if message.place is Place.CHANNEL or attention is Attention.MENTION:
        return _SILENT
    if message.mentions_others or said.names_somebody:
        return _SILENT
    return _overheard(message, said, attention)


def depends_on_others(message: Message, attention: Attention = Attention.SURE) -> bool:
    """Whether something that somebody else has said unseen could change the decision."""
    if message.place is not Place.THREAD:
        return False
    return decide(message, attention) != decide(message.after((_UNSEEN,)), attention)


def _spoken_to(message: Message, said: Reading) -> Decision:
    """The bot is meant, so what may be a question is one."""
    if said.courtesy and not said.rest:
        return _BRIEF[said.courtesy]
    if is_picture(message.text):
        return _SILENT
    if not said.rest:
        return _above(message)
    plain = folded(said.rest)
    if _ABOUT_BOT.fullmatch(plain):
        return _ABOUT
    if not content_words(_TALK.sub(" ", plain)) and _TALK.search(plain):
        return _SILENT
    if _points_up(message, plain):
        return _above(message)
    if _only_corrects(said, plain):
        return _COMPLAINT
    if not said.content and _only_thanks(said, plain):
        return _THANKS
    return _answer(said)


def _overheard(message: Message, said: Reading, attention: Attention) -> Decision:
    """In a thread that the bot has joined: is this for it?"""
    to_bot = _bot_was_last(message)
    plain = folded(said.rest)
    if to_bot and (brief := _brief(said, plain)):
        return brief
    if not said.rest or _TALK.search(folded(message.text)):
        return _SILENT
    if _is_among_people(message, plain):
        return _IN_DOUBT
    if said.asks and (to_bot or _stands_alone(said, plain)):
        return _answer(said)
    if to_bot and (_MEANT.search(plain) or _is_short_and_goes_on(plain)):
        return _answer(said)
    if to_bot and said.content and _PLEASE.search(plain) and _has_asked_the_bot(message):
        return _answer(said)
    if attention is Attention.ANY and said.content and (to_bot or said.asks):
        return _answer(said, sure=False)
    return _IN_DOUBT


def _brief(said: Reading, plain: str) -> Decision | None:
    if not said.rest:
        is_to_bot = said.courtesy not in (None, Courtesy.GREETING)
        return _BRIEF[said.courtesy] if said.courtesy and is_to_bot else None
    if _ABOUT_BOT.fullmatch(plain):
        return _ABOUT
    if _only_corrects(said, plain):
        return _COMPLAINT
    return _THANKS if _only_thanks(said, plain) else None


def _answer(said: Reading, *, sure: bool = True) -> Decision:
    act = DialogueAct.QUESTION if len(said.content) >= TELLING else DialogueAct.FOLLOW_UP
    return Decision(Outcome.ANSWER, act, said.rest, sure=sure)


def _points_up(message: Message, plain: str) -> bool:
    """Whether it only asks for an answer to something else."""
    if content_words(_POINTS_UP.sub(" ", plain), _names(message)):
        return False
    if _POINTS_UP.search(plain):
        return True
    return message.place is Place.THREAD and not _bot_was_last(message)


def _above(message: Message) -> Decision:
    """The nearest question of a person above, else what the thread began with."""
    lines = [line for line in message.before if not line.by_bot]
    if message.place is not Place.THREAD or not lines:
        return _CLARIFY
    asked = [line for line in reversed(lines) if _is_question(line)]
    return Decision(Outcome.ANSWER, DialogueAct.ABOVE, (asked or lines)[0].text)


def _is_question(line: Line) -> bool:
    said = read(line.text)
    return said.asks and bool(said.content)


def _only_corrects(said: Reading, plain: str) -> bool:
    """Says that it was wrong, and not what was meant."""
    complains = Courtesy.COMPLAINT in said.courtesies
    return complains and not said.asks and not _MEANT.search(plain)


def _only_thanks(said: Reading, plain: str) -> bool:
    """Thanks, and says what somebody does now: "Thanks, I'll book it"."""
    if Courtesy.THANKS not in said.courtesies or said.asks:
        return False
    return not (_MEANT.search(plain) or _is_short_and_goes_on(plain))


def _is_among_people(message: Message, plain: str) -> bool:
    if _AMONG_PEOPLE.search(plain) or _TAG.search(plain):
        return True
    to_somebody = _OF_PEOPLE.search(plain) or _YOU.search(plain)
    return to_somebody is not None and not _has_asked_the_bot(message)


def _stands_alone(said: Reading, plain: str) -> bool:
    """Whether it can be understood without what a person has just said."""
    needed = TELLING + 1 if _POINTS_BACK.search(plain) else TELLING
    return len(said.content) >= needed and not _YOU.search(plain)


def _is_short_and_goes_on(plain: str) -> bool:
    return len(plain.split()) <= SHORT and _GOES_ON.match(plain) is not None


def _bot_was_last(message: Message) -> bool:
    """Whether what was said last to this person was said by the bot."""
    for line in reversed(message.before):
        if line.by_bot:
            return True
        if line.who != message.who and read(line.text).rest:
            return False
    return not message.before


def _has_asked_the_bot(message: Message) -> bool:
    """Whether the bot's last answer was for the person who writes now."""
    lines = list(message.before)
    while lines and not lines[-1].by_bot:
        lines.pop()
    if not lines:
        return False
    return next((line.who == message.who for line in reversed(lines) if not line.by_bot), False)


def _names(message: Message) -> frozenset[str]:
    return frozenset(folded(line.who) for line in message.before)
