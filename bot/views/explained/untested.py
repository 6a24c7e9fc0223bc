"""The shares of the paper's methods: there is no test behind them, and that is said first."""

from __future__ import annotations

from bot.views.mrkdwn import escape, one_line
from core.attribution import Effect, Explanation
from core.language.sentences import Sentences

MOST = 8
LABEL_LIMIT = 120


def shares(say: Sentences, explanation: Explanation) -> list[str]:
    """A line each, the largest first, as mrkdwn."""
    with_share = [effect for effect in explanation.effects if effect.share]
    lines = [f"{say.percent(each.share)} {_name(each)}" for each in with_share[:MOST]]
    if more := with_share[MOST:]:
        lines.append(say("and-more", count=len(more)))
    if explanation.skipped:
        lines.append(say("left-undone"))
    return lines


def _name(effect: Effect) -> str:
    numbers = "".join(f"[{number}]" for number in effect.source_numbers)
    return f"{numbers} {escape(one_line(effect.label, LABEL_LIMIT))}".lstrip()
