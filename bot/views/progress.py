"""What Slack shows of an answer that is being made, or was stopped before it was done: pure functions."""

from __future__ import annotations

from collections.abc import Sequence

from bot.views import messages
from bot.views.answer_blocks import MARKDOWN_LIMIT, build_reason
from bot.views.block_kit import MESSAGE_LIMIT, SECTION_LIMIT, Block, actions, button, section, size
from bot.views.mrkdwn import escape, quiet, within

STOP_ANSWER_ACTION = "answer_stop"


def build_progress(turn_id: str, sentence: str) -> list[Block]:
    return [section(sentence), actions(button(messages.BUTTON_STOP, STOP_ANSWER_ACTION, turn_id))]


def progress(stage: str, text: str) -> str:
    """How far an answer is, in mrkdwn: its text as far as it is written, before that what is done."""
    if text:
        return f"{within(escape(quiet(text)), SECTION_LIMIT - 2)} …"
    return messages.STAGES.get(stage, messages.PLACEHOLDER)


def build_stopped(
    turn_id: str, reason: str, written: str, above: Sequence[Block] = ()
) -> list[Block]:
    """Why there is no answer, under what was written of it."""
    under = build_reason(turn_id, reason)
    room = min(MARKDOWN_LIMIT, MESSAGE_LIMIT - size(under) - size(above))
    while size(written) > room:
        written = within(written, len(written) * 9 // 10)
    return [*above, *([{"type": "markdown", "text": written}] if written else []), *under]
