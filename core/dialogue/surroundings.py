"""What stands around a message of dialogue: who spoke last, whom the bot has answered."""

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


def has_asked_the_bot(message: Message) -> bool:
    """Whether the bot's last answer was for the person who writes now."""
    lines = list(message.before)
    while lines and not lines[-1].by_bot:
        lines.pop()
    if not lines:
        return False
    return next((line.who == message.who for line in reversed(lines) if not line.by_bot), False)


def speaks_with_bot(message: Message) -> bool:
    """Whether these two spoke last, or nobody did."""
    return bot_was_last(message) and (not message.before or has_asked_the_bot(message))


def speaks_to_people(message: Message, said: Reading) -> bool:
    """Whether it names people. Who greets all may mean the bot where nobody else said a word."""
    if message.mentions_others or said.names_somebody:
        return True
    return said.greets_everybody and bool(message.others)


def bot_asks_back(message: Message) -> bool:
    """Whether the bot waits for what this person says: "Do you mean the first or the second?"."""
    if not message.before or not has_asked_the_bot(message):
        return False
    last = message.before[-1]
    return last.by_bot and last.text.rstrip().endswith("?")


def asked_above(message: Message) -> str:
    """The nearest question of a person above, else what the thread began with, or nothing."""
    lines = [line for line in message.before if not line.by_bot]
    asked = [line for line in reversed(lines) if _is_question(line)]
    return next((line.text for line in (asked or lines)), "")


def said_last(message: Message) -> str:
    """What a person said last; empty where nothing is known."""
    return next((line.text for line in reversed(message.before) if not line.by_bot), "")


def _is_question(line: Line) -> bool:
    said = read(line.text)
    return said.asks and bool(said.content)
