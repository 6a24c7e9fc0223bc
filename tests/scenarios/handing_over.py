"""Asking a person, as people press it: shared by scenarios."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain

from bot.views.answer_menu import MORE_ACTION, Choice
from bot.views.hand_over.request import RESOLVED_ACTION
from sandbox.slack.client import Message
from scenarios.conftest import PATIENCE_S, Running


def hand_over(running: Running, who: str, answer: Message) -> None:
    """Choose it in the menu of the answer."""
    elements = chain.from_iterable(block.get("elements", ()) for block in answer.blocks)
    options = chain.from_iterable(each.get("options", ()) for each in elements)
    (value,) = [
        each["value"] for each in options if each["value"].startswith(f"{Choice.HAND_OVER}:")
    ]
    running.workspace.click(who, answer, MORE_ACTION, value)


def wait(running: Running, found: Callable[[], list[Message]], what: str) -> Message:
    running.workspace.wait_until(lambda: bool(found()), PATIENCE_S, what=what)
    (one,) = found()
    return one


def request(running: Running, asked: Message) -> Message:
    """The request in the thread of a question."""

    def found() -> list[Message]:
        return [each for each in running.answers(asked) if each.has_button(RESOLVED_ACTION)]

    return wait(running, found, "the request")


def whispered(running: Running, channel: str, user: str, action: str) -> Message:
    def found() -> list[Message]:
        shown = running.workspace.messages(channel)
        mine = [each for each in shown if each.ephemeral_for == user and each.has_button(action)]
        return mine[-1:]

    return wait(running, found, "a word to one person")
