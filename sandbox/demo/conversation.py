"""Asks in one thread and prints the thread as Slack received it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from rich.console import Console
from rich.rule import Rule

from bot.views.answer_blocks import EXPLAIN_ACTION
from bot.views.explanation_blocks import STOP_ACTION
from bot.views.progress import STOP_ANSWER_ACTION
from core.dialogue.decision import HEART, SENTENCES
from core.grammar import languages
from core.language.sentences import sentences
from sandbox.slack.client import Message, NothingCame, Workspace
from sandbox.slack.render.emoji import with_emoji

PERSON, CHANNEL = "Alice", "general"
GRACE_S = 20.0  # on top of the bot's own patience; who is answered sees a sign of it much sooner


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

    What is no question is replied to by a reaction or a sentence, or not at all.

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
        if short := _short(workspace, asked):
            _print(console, "groundwire", short)
            continue
        answer = _reply(workspace, asked, patience_s)
        _print(console, "groundwire", answer.plain())
        if not answer.has_button(EXPLAIN_ACTION):
            raise NoAnswer(f"no answer to {question!r}: {answer.text}")
    if explain and answer:
        workspace.click(PERSON, answer, EXPLAIN_ACTION)
        _print(console, PERSON, "(presses Why?)")
        _print(console, "groundwire", _reply(workspace, answer, patience_s).plain())


def _short(workspace: Workspace, asked: Message) -> str:
    """What the bot says shortly, or that it says nothing; empty: an answer is coming."""
    try:
        workspace.wait_until(lambda: bool(_signs(workspace, asked)), GRACE_S)
    except NothingCame:
        return "(says nothing)"
    first = _signs(workspace, asked)[0]
    return first if first in _short_replies() else ""


def _signs(workspace: Workspace, asked: Message) -> list[str]:
    """The reactions to a message, and what the bot has said after it."""
    reactions = [with_emoji(f":{name}:") for name in workspace.message(asked).reactions]
    thread = workspace.thread(asked.channel, asked.root_ts)
    return reactions + [each.text for each in thread if each.bot and each.ts > asked.ts]


@cache
def _short_replies() -> frozenset[str]:
    """The reaction, and the sentences in every language."""
    said = {with_emoji(f":{HEART}:")}
    for language in languages():
        say = sentences(language)
        said.update(say(key) for key in SENTENCES)
    return frozenset(said)


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
