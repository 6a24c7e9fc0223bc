"""An answer as Block Kit while it is generated, or when it was stopped."""

from __future__ import annotations

from collections.abc import Sequence

from bot.views.answer.remark import question_text
from bot.views.answer_blocks import ASK_AGAIN_ACTION, MARKDOWN_LIMIT
from bot.views.block_kit import MESSAGE_LIMIT, SECTION_LIMIT, Block, actions, button, section, size
from bot.views.mrkdwn import escape, sanitize, truncate
from bot.views.reasons import no_answer
from core.language.sentences import Sentences
from core.states import NoAnswer
from core.turns.turn import Turn

STOP_ANSWER_ACTION = "answer_stop"
# Reasons after which it may go better.
TRIED_AGAIN = (
    NoAnswer.LATE,
    NoAnswer.GAVE_UP,
    NoAnswer.STOPPED,
    NoAnswer.UNCONFIRMED,
    NoAnswer.CLOSED,
)


def build_progress(say: Sentences, turn_id: str, sentence: str) -> list[Block]:
    stop = button(say("button-stop"), STOP_ANSWER_ACTION, turn_id)
    return [section(sentence), actions(stop)]


def progress_text(say: Sentences, stage: str, text: str) -> str:
    """How far an answer is, in mrkdwn: the text so far, or before that the stage."""
    if text:
        return f"{truncate(escape(sanitize(text)), SECTION_LIMIT - 2)} …"
    key = f"stage-{stage}"
    return say(key) if key in say else say("looking")


def question_above(say: Sentences, question: str, text: str) -> str:
    """A text under such a question; the asker is named only in blocks, which notify nobody."""
    return f"*{say('question')}* {question_text(question)}\n{text}"


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


def build_reason(say: Sentences, turn: Turn) -> list[Block]:
    """Why there is no answer, with a way to try again where that may help."""
    blocks = [section(no_answer(say, turn.reason, turn.refused_until))]
    if turn.reason in TRIED_AGAIN:
        again = button(say("button-again"), ASK_AGAIN_ACTION, turn.id)
        blocks.append(actions(again))
    return blocks
