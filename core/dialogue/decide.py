"""Decides what becomes of a message before its question is searched.

Structure comes first, by rules: whom the message names, who spoke last, where it was written. What
they leave open, a reader decides that was fitted on labelled messages. In doubt a message in a
channel's thread is left alone, and one that reached the bot itself is answered.
"""

from __future__ import annotations

import re

from core import grammar
from core.dialogue.decision import HEART, Attention, Decision, DialogueAct, Outcome
from core.dialogue.folding import folded, is_picture, pattern
from core.dialogue.likely import Likely, Meaning, likely
from core.dialogue.message import Line, Message, Place
from core.dialogue.reading import Courtesy, Reading, content_words, read
from core.dialogue.signs import (
    ABOUT_BOT,
    GREETS,
    MEANT,
    TALK,
    is_among_people,
    is_quoted,
    is_short_and_goes_on,
    laughs,
)
from core.dialogue.surroundings import (
    asked_above,
    bot_asks_back,
    bot_was_last,
    has_asked_the_bot,
    speaks_to_people,
    speaks_with_bot,
)

LONGEST = 4000  # characters that are read; more is no talk, and no question that is answered
TELLING = 2  # words that say something: a question of so many stands without what was said before

# How likely a meaning must be. Chosen by cross-validation on what the reader was taught: see
# docs/benchmarks.md.
ANSWERED = 0.5  # a question, in a thread: in doubt silence
ASKS_ON = 0.15  # the same, in the form of one, of whom the bot has just answered: an answer
PERHAPS = 0.1  # the same, where a channel wants doubts answered
REPLIED = 0.8  # a courtesy, in a thread
SURELY = 0.6  # no question, of what was written to the bot: in doubt an answer

_POINTS_UP = re.compile(rf"\b{pattern(grammar.merged().dialogue.points_up)}(?!\w)")

# A question of somebody else's, such as may have been asked unseen.
_UNSEEN = Line("", "1 2 3?")

_SILENT = Decision(Outcome.SILENT, DialogueAct.TALK)
_IN_DOUBT = Decision(Outcome.SILENT, DialogueAct.TALK, sure=False)
_CLARIFY = Decision(Outcome.CLARIFY, DialogueAct.EMPTY, sentence="ask-me")
_ABOUT = Decision(Outcome.BRIEF, DialogueAct.ABOUT_BOT, sentence="about-me")
_COMPLAINT = Decision(Outcome.BRIEF, DialogueAct.COMPLAINT, sentence="was-wrong")
_THANKS = Decision(Outcome.BRIEF, DialogueAct.THANKS, "", HEART, "you-are-welcome")
_BRIEF = {
    Courtesy.COMPLAINT: _COMPLAINT,
    Courtesy.THANKS: _THANKS,
    Courtesy.PRAISE: _THANKS,
    Courtesy.GREETING: Decision(Outcome.BRIEF, DialogueAct.GREETING, sentence="hello"),
    Courtesy.ASSENT: _SILENT,
}
_BRIEF_OF = {
    Meaning.THANKS: _THANKS,
    Meaning.COMPLAINT: _COMPLAINT,
    Meaning.GREETING: _BRIEF[Courtesy.GREETING],
    Meaning.ABOUT: _ABOUT,
}
_WANTS = (Meaning.ASK, Meaning.FOLLOW, Meaning.FRAGMENT)
_COURTESIES = (Meaning.THANKS, Meaning.COMPLAINT, Meaning.ABOUT)  # a greeting is for everybody


def decide(message: Message, attention: Attention = Attention.SURE) -> Decision:
    """What to do about a message; `attention` is what the channel has chosen for its threads."""
    to_us = message.mentions_bot or message.place is Place.DM
    if len(message.text) > LONGEST:
        long = Decision(Outcome.ANSWER, DialogueAct.QUESTION, message.text)
        return long if to_us else _SILENT
    said = read(message.text, message.others)
    if to_us:
        return _spoken_to(message, said)
    if message.place is Place.CHANNEL or attention is Attention.MENTION:
        return _SILENT
    if speaks_to_people(message, said):
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
    if ABOUT_BOT.fullmatch(plain):
        return _ABOUT
    if not content_words(TALK.sub(" ", plain)) and TALK.search(plain):
        return _SILENT
    if _points_up(message, plain):
        return _above(message)
    return _COMPLAINT if _only_corrects(said, plain) else _by_reader(message, said)


def _by_reader(message: Message, said: Reading) -> Decision:
    """What was written to the bot, and no rule knows."""
    if MEANT.search(folded(said.rest)):
        return _answer(said)
    found = likely(message, said)
    if found.of[found.best] < SURELY:
        return _answer(said)
    if found.best is Meaning.FRAGMENT and not _goes_on_with_ours(message):
        return _above(message)
    brief = _BRIEF_OF.get(found.best)
    return brief if brief and _may_be(found.best, said) else _answer(said)


def _may_be(meaning: Meaning, said: Reading) -> bool:
    """Whether its form allows what its words are like: a question is no thanks."""
    if meaning is Meaning.ABOUT or len(said.content) < TELLING:
        return True
    if meaning is Meaning.GREETING:
        return GREETS.search(folded(said.rest)) is not None
    return "?" not in said.rest


def _goes_on_with_ours(message: Message) -> bool:
    """Whether too little to search may be a question together with the one before."""
    return bool(message.before) and bot_was_last(message)


def _overheard(message: Message, said: Reading, attention: Attention) -> Decision:
    """In a thread that the bot has joined: is this for it?"""
    to_bot = bot_was_last(message)
    plain = folded(said.rest)
    if to_bot and (brief := _brief(said, plain)):
        return brief
    if not said.rest or (laughs(message.text) and not has_asked_the_bot(message)):
        return _SILENT
    if to_bot and _thanks_and_asks(message, said):
        return _answer(said)
    if is_among_people(plain) or is_quoted(message.text):
        return _IN_DOUBT
    if not (to_bot or _stands_alone(said, plain)):
        return _IN_DOUBT
    if to_bot and _surely_goes_on(message, plain):
        return _answer(said)
    found = likely(message, said)
    if to_bot and (reply := _courtesy(found)):
        return reply
    if found.any_of(*_WANTS) >= _enough(message, said):
        return _answer(said)
    return _doubt(found, said, attention)


def _thanks_and_asks(message: Message, said: Reading) -> bool:
    """Who thanks for an answer and asks on asks whoever gave it."""
    return said.asks and Courtesy.THANKS in said.courtesies and has_asked_the_bot(message)


def _stands_alone(said: Reading, plain: str) -> bool:
    """Whether it can be understood without what a person has just said."""
    if is_short_and_goes_on(plain) or MEANT.search(plain):
        return False
    return len(said.content) >= TELLING


def _surely_goes_on(message: Message, plain: str) -> bool:
    if bot_asks_back(message):
        return True
    return MEANT.search(plain) is not None or is_short_and_goes_on(plain)


def _courtesy(found: Likely) -> Decision | None:
    if found.any_of(*_COURTESIES) <= max(REPLIED, found.any_of(*_WANTS)):
        return None
    return _BRIEF_OF[max(_COURTESIES, key=lambda meaning: found.of[meaning])]


def _enough(message: Message, said: Reading) -> float:
    """How likely a question must be here."""
    asks_on = said.asks and said.content and speaks_with_bot(message)
    return ASKS_ON if asks_on else ANSWERED


def _doubt(found: Likely, said: Reading, attention: Attention) -> Decision:
    """Silence, unless the channel wants doubts answered."""
    if attention is Attention.ANY and said.content and found.any_of(*_WANTS) >= PERHAPS:
        return _answer(said, sure=False)
    return _IN_DOUBT


def _brief(said: Reading, plain: str) -> Decision | None:
    if not said.rest:
        is_to_bot = said.courtesy not in (None, Courtesy.GREETING)
        return _BRIEF[said.courtesy] if said.courtesy and is_to_bot else None
    if ABOUT_BOT.fullmatch(plain):
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
    return message.place is Place.THREAD and not bot_was_last(message)


def _above(message: Message) -> Decision:
    """The nearest question of a person above, else what the thread began with."""
    asked = "" if message.place is Place.DM else asked_above(message)
    return Decision(Outcome.ANSWER, DialogueAct.ABOVE, asked) if asked else _CLARIFY


def _only_corrects(said: Reading, plain: str) -> bool:
    """Says that it was wrong, and not what was meant."""
    complains = Courtesy.COMPLAINT in said.courtesies and len(said.content) <= TELLING
    return complains and not said.asks and not MEANT.search(plain)


def _only_thanks(said: Reading, plain: str) -> bool:
    """Thanks, and says what somebody does now: "Thanks, I'll book it"."""
    if Courtesy.THANKS not in said.courtesies or said.asks:
        return False
    return not (MEANT.search(plain) or is_short_and_goes_on(plain))


def _names(message: Message) -> frozenset[str]:
    return frozenset(folded(line.who) for line in message.before)
