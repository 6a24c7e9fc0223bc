"""Decides what becomes of a message before its question is searched.

Structure comes first, by rules: where it was written, whom it names, whether it is nothing but a
courtesy or an emoji. All else a reader decides that was trained on labelled messages. In doubt a
message in a channel's thread is left alone, and one that reached the bot itself is answered.
"""

from __future__ import annotations

import re
from dataclasses import replace

from core import grammar
from core.dialogue.decision import Attention, Decision, DialogueAct, Outcome
from core.dialogue.folding import folded, is_picture, pattern
from core.dialogue.likely import Likely, Meaning, likely
from core.dialogue.message import Line, Message, Place
from core.dialogue.parts import announces, topic
from core.dialogue.reading import Reading, content_words, read
from core.dialogue.replies import (
    ABOUT,
    BY_COURTESY,
    BY_MEANING,
    CLARIFY,
    COMPLAINT,
    IN_DOUBT,
    SILENT,
    TELLING,
    by_words,
    only_corrects,
)
from core.dialogue.signs import (
    ABOUT_BOT,
    MEANT,
    PROPOSES,
    TALK,
    is_quoted,
    is_short_and_goes_on,
    speaks_to_us,
)
from core.dialogue.surroundings import asked_above, bot_was_last, speaks_to_people

LONGEST = 4000  # characters that are read; more is no talk, and no question that is answered

# How likely it must be what the reader takes a message for: see docs/benchmarks.md.
ANSWERED = 0.6  # a question, in a thread: in doubt silence
ASKS_ON = 0.1  # the same, in the form of one, where nobody but the bot could answer
PERHAPS = 0.1  # the same, where a channel wants doubts answered
UNCLEAR = 0.7  # too little to search, in a thread: what is clearer is searched with what is above
REPLIED = 0.8  # a courtesy, in a thread
SURELY = 0.6  # no question, of what was written to the bot: in doubt an answer
TOO_LITTLE = 0.9  # to search, of what was written to the bot in more than TELLING words
LEFT_ALONE = 0.6  # nothing that is for the bot, of what was written to it
ABOUT_US = 0.8  # a question about the bot: "do you have parking" means the company
# What it is taken for; below, whoever knows better is asked.
SURE = 0.957  # in a thread
NO_QUESTION = 0.95  # of what was written to the bot
A_QUESTION = 0.9  # the same: to answer is seldom far off, and its asker waits
ONE_TERM = 0.9  # no search, of one or two words, which may be a name that nobody has taught

_POINTS_UP = re.compile(rf"\b{pattern(grammar.merged().dialogue.points_up)}(?!\w)")

# A question of somebody else's, such as may have been asked unseen.
_UNSEEN = Line("", "1 2 3?")

_WANTS = (Meaning.ASK, Meaning.FOLLOW, Meaning.ABOVE)
_NOTHING = (Meaning.PERSON, Meaning.TALK)


def decide(
    message: Message, attention: Attention = Attention.SURE, meant: Meaning | None = None
) -> Decision:
    """What to do about a message; `attention` is what the channel has chosen for its threads.

    `meant` is what somebody who knows better than the reader takes it for; rules come first.
    """
    to_us = message.mentions_bot or message.place is Place.DM
    if len(message.text) > LONGEST:
        long = Decision(Outcome.ANSWER, DialogueAct.QUESTION, message.text)
        return long if to_us else SILENT
    said = read(message.text, message.others)
    if to_us:
        return _spoken_to(message, said, meant)
    if message.place is Place.CHANNEL or attention is Attention.MENTION:
        return SILENT
    if speaks_to_people(message, said):
        return SILENT
    return _overheard(message, said, attention, meant)


def depends_on_others(
    message: Message, attention: Attention = Attention.SURE, decided: Decision | None = None
) -> bool:
    """Whether something that somebody else has said unseen could change the decision.

    `decided` is that decision, where it is known: a message takes a while to read.
    """
    if message.place is not Place.THREAD:
        return False
    known = decided or decide(message, attention)
    return known != decide(message.after((_UNSEEN,)), attention)


def _spoken_to(message: Message, said: Reading, meant: Meaning | None) -> Decision:
    """The bot is meant, so what may be a question is one."""
    if said.courtesy and not said.rest:
        return BY_COURTESY[said.courtesy]
    if is_picture(message.text):
        return SILENT
    if not said.rest:
        return _above(message)
    plain = folded(said.rest)
    if ABOUT_BOT.fullmatch(plain):
        return ABOUT
    if not content_words(TALK.sub(" ", plain)) and TALK.search(plain):
        return SILENT
    if message.before and bot_was_last(message) and _asks_on(said, plain):
        return _answer(said)
    if _points_up(message, plain):
        return _above(message)
    if only_corrects(said, plain):
        return COMPLAINT
    found = _read(message, meant)
    decision = _by_reader(found, message, said)
    sure = A_QUESTION if decision.outcome is Outcome.ANSWER else NO_QUESTION
    return replace(decision, is_unsure=found.most < sure)


def _read(message: Message, meant: Meaning | None) -> Likely:
    return likely(message) if meant is None else Likely.certainly(meant)


def _by_reader(found: Likely, message: Message, said: Reading) -> Decision:
    """What was written to the bot, and no rule knows."""
    least = ONE_TERM if said.content and len(said.rest.split()) <= TELLING else 0.0
    if found.any_of(*_NOTHING) >= max(LEFT_ALONE, least):
        return SILENT
    too_little = TOO_LITTLE if len(said.content) > TELLING else SURELY
    if found.of[Meaning.FRAGMENT] >= too_little and not _begins(message, said):
        return CLARIFY
    return _courtesy(found, said, max(SURELY, least)) or _wanted(found, message, said)


def _begins(message: Message, said: Reading) -> bool:
    """Whether it says what a question will be about that comes next, and joins this."""
    return message.place is Place.DM and announces(said.rest) and bool(topic(said.rest))


def _wanted(found: Likely, message: Message, said: Reading) -> Decision:
    """It asks something, or for an answer to what stands above."""
    if found.of[Meaning.ABOVE] < ANSWERED or len(said.content) >= TELLING or bot_was_last(message):
        return _answer(said)  # what stands above has its answer
    above = _above(message)
    return above if above.outcome is Outcome.ANSWER else _answer(said)


def _overheard(
    message: Message, said: Reading, attention: Attention, meant: Meaning | None
) -> Decision:
    """In a thread that the bot has joined: is this for it?"""
    plain = folded(said.rest)
    if bot_was_last(message) and (brief := by_words(said, plain)):
        return brief
    if not said.rest:
        return SILENT
    if is_quoted(message.text):
        return IN_DOUBT
    if bot_was_last(message) and _asks_on(said, plain):
        return _answer(said)
    found = _read(message, meant)
    decision = _overheard_by_reader(found, message, said, attention)
    return replace(decision, is_unsure=found.most < SURE)


def _overheard_by_reader(
    found: Likely, message: Message, said: Reading, attention: Attention
) -> Decision:
    if found.any_of(*_WANTS) >= _enough(message, said):
        return _wanted(found, message, said)
    if brief := _courtesy(found, said, REPLIED):
        return brief
    if found.of[Meaning.FRAGMENT] >= UNCLEAR:
        return CLARIFY
    if found.any_of(*_WANTS, Meaning.FRAGMENT) >= ANSWERED:
        return _wanted(found, message, said)
    return _doubt(found, said, attention)


def _asks_on(said: Reading, plain: str) -> bool:
    """Asks on, or says again what was meant: "and in May?", whoever does."""
    is_more = said.asks and " " in plain and is_short_and_goes_on(plain)
    return is_more or MEANT.search(plain) is not None


def _courtesy(found: Likely, said: Reading, enough: float) -> Decision | None:
    """What it is beside a question: who thanks and asks on asks."""
    best = found.best_of(*BY_MEANING)
    if found.any_of(*BY_MEANING) < enough or (best is Meaning.THANKS and said.asks):
        return None
    is_company = best is Meaning.ABOUT and (
        found.of[best] < ABOUT_US or not speaks_to_us(said.rest)
    )
    return None if is_company else BY_MEANING[best]


def _enough(message: Message, said: Reading) -> float:
    """How likely a question must be here."""
    is_alone = bot_was_last(message) and not message.others
    is_for_people = PROPOSES.search(folded(said.rest)) is not None
    return ASKS_ON if is_alone and said.asks and not is_for_people else ANSWERED


def _doubt(found: Likely, said: Reading, attention: Attention) -> Decision:
    """Silence, unless the channel wants doubts answered."""
    if attention is Attention.ANY and said.content and found.any_of(*_WANTS) >= PERHAPS:
        return _answer(said, sure=False)
    return IN_DOUBT


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
    return Decision(Outcome.ANSWER, DialogueAct.ABOVE, asked) if asked else CLARIFY


def _names(message: Message) -> frozenset[str]:
    return frozenset(folded(line.who) for line in message.before)
