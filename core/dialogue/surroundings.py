"""What stands around a message of dialogue: who spoke last, whom it names, what was asked above."""

from __future__ import annotations

from core.dialogue.message import Line, Message
from core.dialogue.reading import Reading, read


def bot_was_last(message: Message) -> bool:
    """Whether what was said last to this person was said by the bot."""
    for line in reversed(message.before):
        if line.by_bot:
            return True
        if line.who != message.who and read(line.text).rest:
            return False
    return not message.before


def speaks_to_people(message: Message, said: Reading) -> bool:
    """Whether it names people. Who greets all may mean the bot where nobody else said a word."""
    if said.names_somebody:
        return True
    return said.greets_everybody and bool(message.others)


def asked_above(message: Message) -> str:
    """The nearest question of a person above, else what the thread began with, or nothing."""
    lines = [line for line in message.before if not line.by_bot]
    asked = [line for line in reversed(lines) if _is_question(line)]
    return next((line.text for line in (asked or lines)), "")


def _is_question(line: Line) -> bool:
    said = read(line.text)
    return said.asks and bool(said.content)
