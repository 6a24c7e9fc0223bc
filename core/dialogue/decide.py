"""Decides what becomes of a message before its question is searched: by rules, no model is asked.

Structure comes before words: whom the message names, who spoke last, where it was written. In doubt
a message in a channel's thread is left alone, and one that reached the bot itself is answered.
"""

from __future__ import annotations

import re

from core import grammar
from core.dialogue.decision import Attention, Decision, DialogueAct, Outcome
from core.dialogue.message import Message, Place

_ASKING = grammar.merged().question
_COURTESY = re.compile(rf"\W*(?:{_ASKING.courtesies}\W*)+", re.IGNORECASE)
_ASKS = re.compile(
    rf"\?\s*$|^\W*(?:{_ASKING.openings})*(?:{_ASKING.words}|{_ASKING.verbs})\b",
    re.IGNORECASE,
)

_SILENT = Decision(Outcome.SILENT, DialogueAct.TALK)


def decide(message: Message, attention: Attention = Attention.SURE) -> Decision:
    """What to do about a message."""
    to_us = message.mentions_bot or message.place is Place.DM
    if not to_us and (message.place is Place.CHANNEL or attention is Attention.MENTION):
        return _SILENT
    if not message.text:
        return _above(message) or Decision(Outcome.CLARIFY, DialogueAct.EMPTY, sentence="ask-me")
    if not to_us and message.mentions_others:
        return _SILENT
    if _COURTESY.fullmatch(message.text):
        return _thanks(message)
    if to_us or _ASKS.search(message.text):
        return Decision(Outcome.ANSWER, DialogueAct.QUESTION, message.text)
    return _SILENT


def _thanks(message: Message) -> Decision:
    by_bot = bool(message.before) and message.before[-1].by_bot
    if message.place is Place.THREAD and not by_bot and not message.mentions_bot:
        return _SILENT
    return Decision(Outcome.BRIEF, DialogueAct.THANKS, reaction="heart", sentence="you-are-welcome")


def _above(message: Message) -> Decision | None:
    for line in reversed(message.before):
        if not line.by_bot and line.text:
            return Decision(Outcome.ANSWER, DialogueAct.ABOVE, line.text)
    return None
