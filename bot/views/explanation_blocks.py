"""An explanation as Block Kit: its progress, its result with a bar for each effect, its failure.

The words are in bot.views.explanation_text, the modal is bot.views.details.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.views.answer_blocks import EXPLAIN_ACTION
from bot.views.block_kit import Block, actions, button, context, image, packed, section
from bot.views.explanation_text import (
    LABEL_LIMIT,
    EffectSelection,
    alt_text,
    cost,
    effect_text,
    how,
    name,
    select_effects,
    verdict,
)
from bot.views.mrkdwn import escape, one_line
from bot.views.reasons import no_explanation
from core.attribution import Effect, Explanation, Role, Spread
from core.language.sentences import Sentences
from core.states import NoExplanation

STOP_ACTION = "explain_stop"
DETAILS_ACTION = "details"
# Reasons after which it may go better.
RETRIED = (NoExplanation.MODEL_DOWN, NoExplanation.GAVE_UP, NoExplanation.STOPPED)
MOST_MINOR = 3  # neither cited nor a cause
MOST_SKIPPED = 5
BAR = 12  # squares of the longest bar


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
    """The verdict in words, a bar for each cluster, what was left out, and what it cost.

    `picture` is the id of the uploaded chart.
    """
    selection = select_effects(explanation)
    blocks = [section(f"*{say('explained')}*\n{verdict(say, explanation)}")]
    if picture:
        blocks.append(image(picture, alt_text(say, explanation)))
    blocks += _effects(say, selection.shown, explanation)
    if lines := _left_out(say, explanation, selection):
        blocks.append(context("\n".join(lines)))
    blocks.append(context(f"{how(say, explanation)}\n{cost(say, explanation)}"))
    blocks.append(actions(button(say("button-details"), DETAILS_ACTION, explanation.turn_id)))
    return blocks


def _effects(
    say: Sentences, effects: Sequence[Effect], explanation: Explanation
) -> Iterator[Block]:
    """A section for each effect; those that are neither cited nor a cause share one."""
    scale = _scale(explanation)
    minor = []
    for effect in effects:
        bar = _bar(explanation.bar(effect), scale)
        if effect.role is Role.UNUSED and not effect.source_numbers:
            minor.append(f"{bar} {name(effect)}: {say.number(effect.away.mean, 2)}")
        else:
            yield section(f"{bar} {effect_text(say, effect, explanation)}")
    if not minor:
        return
    lines = [say("effects-minor"), *minor[:MOST_MINOR]]
    if len(minor) > MOST_MINOR:
        lines.append(say("and-more", count=len(minor) - MOST_MINOR))
    for text in packed(lines):
        yield section(text)


def _scale(explanation: Explanation) -> float:
    scale = 0.0
    for spread in map(explanation.bar, explanation.effects):
        scale = max(scale, spread.mean, spread.high)
    return scale


def _bar(spread: Spread, scale: float) -> str:
    """Full up to where the interval begins, half full up to its end."""
    low, high = spread.mean, spread.mean
    if spread.low < spread.high:
        low, high = spread.low, spread.high
    full, end = _squares(low, scale), _squares(high, scale)
    return "█" * full + "▒" * (end - full) + "░" * (BAR - end)


def _squares(value: float, scale: float) -> int:
    return max(0, round(BAR * value / scale)) if scale > 0 else 0


def _left_out(say: Sentences, explanation: Explanation, selection: EffectSelection) -> list[str]:
    lines = []
    if selection.silent:
        lines.append(say("left-out-silent", count=selection.silent))
    if selection.weaker:
        lines.append(say("left-out-weaker", count=selection.weaker))
    labels = [escape(one_line(label, LABEL_LIMIT)) for label in explanation.skipped]
    if labels:
        listed = labels[:MOST_SKIPPED]
        if len(labels) > MOST_SKIPPED:
            listed.append(say("and-more", count=len(labels) - MOST_SKIPPED))
        lines.append(say("left-out-untested", labels="; ".join(listed)))
    return lines
