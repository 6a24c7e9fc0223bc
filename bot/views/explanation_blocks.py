"""An explanation as Block Kit: its progress, its result in four lines, its failure.

The lines are those of bot.views.explained; everything else stands in the details.
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.views.answer_blocks import EXPLAIN_ACTION
from bot.views.block_kit import Block, actions, button, context, image, rich, section
from bot.views.explained.marks import marks
from bot.views.explained.otherwise import otherwise
from bot.views.explained.untested import shares
from bot.views.explained.verdict import headline, how_sure, rest
from bot.views.explanation_text import alt_text
from bot.views.mrkdwn import escape
from bot.views.reasons import no_explanation
from core.attribution import Explanation
from core.language.sentences import Sentences
from core.states import NoExplanation

STOP_ACTION = "explain_stop"
DETAILS_ACTION = "details"
# Reasons after which it may go better.
RETRIED = (NoExplanation.MODEL_DOWN, NoExplanation.GAVE_UP, NoExplanation.STOPPED)


def build_progress(say: Sentences, turn_id: str, sentence: str) -> list[Block]:
    stop = button(say("button-stop"), STOP_ACTION, turn_id)
    return [section(sentence), actions(stop)]


def build_failure(say: Sentences, turn_id: str, reason: NoExplanation | None) -> list[Block]:
    """Why there is no explanation, with a way to try again where that may help."""
    blocks = [section(no_explanation(say, reason))]
    if reason in RETRIED:
        blocks.append(actions(button(say("button-again"), EXPLAIN_ACTION, turn_id)))
    return blocks


def build_explanation(say: Sentences, explanation: Explanation, picture: str = "") -> list[Block]:
    """The verdict, what would have been said otherwise, a mark for each page, how sure that is.

    `picture` is the id of the uploaded picture.
    """
    blocks = list(_lines(say, explanation))
    if sure := how_sure(say, explanation):
        blocks.append(context(f"{sure} {say('how-sure-details')}"))
    if picture:
        blocks.append(image(picture, alt_text(say, explanation)))
    blocks.append(actions(button(say("button-details"), DETAILS_ACTION, explanation.turn_id)))
    return blocks


def _lines(say: Sentences, explanation: Explanation) -> Iterator[Block]:
    verdict = bold(headline(say, explanation))
    yield section(" ".join(filter(None, [verdict, rest(say, explanation)])))
    if runs := otherwise(say, explanation):
        yield rich(*runs)
    if line := marks(say, explanation):
        yield section(escape(line))
    if not explanation.tested:
        yield from map(section, filter(None, ["\n".join(shares(say, explanation))]))


def bold(text: str) -> str:
    """As mrkdwn; a star of a page's title would end it early."""
    return f"*{escape(text).replace('*', '∗')}*"
