"""What becomes of a message: it is answered as a question, shortly replied to, or left alone."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

# What is replied to what is no question: an emoji's name, keys of the catalogue.
HEART = "heart"
SENTENCES = ("about-me", "ask-me", "hello", "was-wrong", "you-are-welcome")


class Outcome(StrEnum):
    ANSWER = "answer"  # the question is searched
    BRIEF = "brief"  # a reaction, or one sentence
    CLARIFY = "clarify"  # one sentence asks for the question
    SILENT = "silent"


class Attention(StrEnum):
    """Which replies in a thread that the bot has joined are answered without a mention."""

    MENTION = "mention"  # none
    SURE = "sure"  # what is surely a question to the bot
    ANY = "any"  # also what may be one

    @classmethod
    def _missing_(cls, value: object) -> Attention | None:
        """What was saved or set up to version 0.1: whether a reply has to mention the bot."""
        old = {"true": cls.MENTION, "false": cls.SURE}
        return old.get(str(value).lower())


class DialogueAct(StrEnum):
    """What somebody does by a message."""

    QUESTION = "question"
    FOLLOW_UP = "follow_up"
    ABOVE = "above"  # asks to answer what stands above
    THANKS = "thanks"
    GREETING = "greeting"
    ABOUT_BOT = "about_bot"
    COMPLAINT = "complaint"
    TALK = "talk"  # between people
    EMPTY = "empty"  # a mention and nothing else


@dataclass(frozen=True)
class Decision:
    """What to do.

    `question` is what to search, of an answer alone. `reaction` is the name of an emoji and
    `sentence` a key of the catalogue; where both are there, the sentence is for a Slack that
    refuses reactions. Not `sure`: the rules have guessed by the place. `is_unsure`: the reader has
    decided and is not sure of it, so whoever knows better should be asked.
    """

    outcome: Outcome
    act: DialogueAct
    question: str = ""
    reaction: str = ""
    sentence: str = ""
    sure: bool = True
    is_unsure: bool = field(default=False, compare=False)
