"""Why there is no answer or no explanation, in sentences."""

from __future__ import annotations

from bot.views.mrkdwn import moment
from core.language.sentences import Sentences
from core.states import NoAnswer, NoExplanation

MOST_CHARACTERS = 4_000  # of a question


def no_answer(say: Sentences, why: NoAnswer | None, until: float | None = None) -> str:
    """With the time until which a limit holds, in seconds since 1970."""
    when = moment(say, until or 0.0, "{time}, {date_short}")
    return say(f"reason-{why or NoAnswer.GAVE_UP}", when=when, most=MOST_CHARACTERS)


def no_explanation(say: Sentences, why: NoExplanation | None) -> str:
    return say(f"unexplained-{why or NoExplanation.GAVE_UP}")
