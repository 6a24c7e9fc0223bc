"""Asks in one thread and prints the thread as Slack received it."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.rule import Rule

from bot.views.answer_blocks import EXPLAIN_ACTION
from bot.views.explanation_blocks import STOP_ACTION
from bot.views.progress import STOP_ANSWER_ACTION
from sandbox.slack.client import Message, NothingCame, Workspace

PERSON, CHANNEL = "Alice", "general"
GRACE_S = 20.0  # on top of the bot's own patience


class NoAnswer(Exception):
    """The bot said nothing in time, or gave a reason instead of an answer."""


def converse(
    workspace: Workspace,
    questions: Sequence[str],
    *,
    explain: bool,
    patience_s: float,
    console: Console,
) -> None:
    """Ask the questions in one thread, each when the one before is answered, then perhaps why.

    Raises:
        NoAnswer: an answer or the explanation did not come.
    """
    root: Message | None = None
    answer: Message | None = None
    for question in questions:
        text = question if root else f"@groundwire {question}"
        asked = workspace.say(PERSON, CHANNEL, text, thread_ts=root.ts if root else None)
        root = root or asked
        _print(console, PERSON, question)
        answer = _reply(workspace, asked, patience_s)
        _print(console, "groundwire", answer.plain())
        if not answer.has_button(EXPLAIN_ACTION):
            raise NoAnswer(f"no answer to {question!r}: {answer.text}")
    if explain and answer:
        workspace.click(PERSON, answer, EXPLAIN_ACTION)
        _print(console, PERSON, "(presses Why?)")
        _print(console, "groundwire", _reply(workspace, answer, patience_s).plain())


def _reply(workspace: Workspace, message: Message, patience_s: float) -> Message:
    """The finished reply: progress comes as text alone or with a button to stop it."""
    try:
        return workspace.wait_for_reply(message, patience_s + GRACE_S, settled=is_final)
    except NothingCame as error:
        raise NoAnswer(str(error)) from error


def is_final(reply: Message) -> bool:
    """Neither progress, which has a Stop button, nor the bare text of a stream that just ended."""
    goes_on = reply.has_button(STOP_ACTION) or reply.has_button(STOP_ANSWER_ACTION)
    return not goes_on and any(block["type"] != "markdown" for block in reply.blocks)


def _print(console: Console, who: str, text: str) -> None:
    console.print(Rule(who, align="left", style="dim"))
    console.print(text, markup=False, highlight=False, soft_wrap=True)
