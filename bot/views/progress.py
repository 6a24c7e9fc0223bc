"""An answer as Block Kit while it is generated, or when it was stopped."""

from __future__ import annotations

from collections.abc import Sequence

from bot.views.answer_blocks import MARKDOWN_LIMIT, build_reason
from bot.views.block_kit import MESSAGE_LIMIT, SECTION_LIMIT, Block, actions, button, section, size
from bot.views.mrkdwn import escape, sanitize, truncate
from core.language.sentences import Sentences
from core.turns.turn import Turn

STOP_ANSWER_ACTION = "answer_stop"


def build_progress(say: Sentences, turn_id: str, sentence: str) -> list[Block]:
    stop = button(say("button-stop"), STOP_ANSWER_ACTION, turn_id)
    return [section(sentence), actions(stop)]


def progress_text(say: Sentences, stage: str, text: str) -> str:
    """How far an answer is, in mrkdwn: the text so far, or before that the stage."""
    if text:
        return f"{truncate(escape(sanitize(text)), SECTION_LIMIT - 2)} …"
    key = f"stage-{stage}"
    return say(key) if key in say else say("looking")


def build_stopped(
    say: Sentences,
    turn: Turn,
    written: str,
    above: Sequence[Block] = (),
) -> list[Block]:
    """Why there is no answer, under what was written of it."""
    under = build_reason(say, turn)
    room = min(MARKDOWN_LIMIT, MESSAGE_LIMIT - size(under) - size(above))
    while size(written) > room:
        written = truncate(written, len(written) * 9 // 10)
    blocks = [*above]
    if written:
        blocks.append({"type": "markdown", "text": written})
    return blocks + under
