"""What Slack shows of an explanation: while it runs, when it is done, when there is none. Pure functions; the modal is bot.views.details."""

from __future__ import annotations

from collections.abc import Sequence

from bot.views import messages
from bot.views.answer_blocks import EXPLAIN_ACTION
from bot.views.block_kit import (
    SECTION_LIMIT,
    Block,
    actions,
    button,
    context,
    image,
    packed,
    section,
)
from bot.views.mrkdwn import escape, within
from core.attribution import AnswerVerdict, Effect, EffectVerdict, Explanation, Method, Spread

STOP_ACTION = "explain_stop"
DETAILS_ACTION = "details"
RETRIED = ("model_down", "gave_up", "stopped")  # reasons after which it may go better
MOST_EFFECTS = 8
MOST_LOST = 3  # neither cited nor a cause
MOST_TOGETHER = 4
MOST_SKIPPED = 5
LABEL_LIMIT = 120
BAR = 12  # squares of the longest bar


def build_progress(turn_id: str, sentence: str) -> list[Block]:
    return [section(sentence), actions(button(messages.BUTTON_STOP, STOP_ACTION, turn_id))]


def build_failure(turn_id: str, reason: str) -> list[Block]:
    """Why there is no explanation, with a way to try again where that may help."""
    again = (
        [actions(button(messages.BUTTON_ASK_AGAIN, EXPLAIN_ACTION, turn_id))]
        if reason in RETRIED
        else []
    )
    return [section(messages.explanations.reason(reason)), *again]


def build_explanation(explanation: Explanation, picture: str = "") -> list[Block]:
    """The verdict in words, a bar for each cluster, what was left out, and what it cost; `picture` is the id of the uploaded chart."""
    scale = _scale(explanation)
    shown, weaker, silent = _shown(explanation)
    telling = [effect for effect in shown if not _is_lost(effect)]
    blocks = [section(f"*{messages.explanations.EXPLAINED}*\n{verdict(explanation)}")]
    blocks += [image(picture, alt_text(explanation))] if picture else []
    blocks += [
        section(f"{_bar(effect, scale)} {effect_text(effect, explanation)}") for effect in telling
    ]
    if lost := [
        f"{_bar(effect, scale)} {_named(effect)}: {effect.change.mean:.2f}"
        for effect in shown
        if _is_lost(effect)
    ]:
        rest = [messages.more_sources(len(lost) - MOST_LOST)] if len(lost) > MOST_LOST else []
        blocks += [
            section(text) for text in packed([messages.explanations.LOST, *lost[:MOST_LOST], *rest])
        ]
    blocks += [section(together_text(effect)) for effect in explanation.together[:MOST_TOGETHER]]
    if more := explanation.together[MOST_TOGETHER:]:
        blocks.append(context(messages.explanations.more_pairs(len(more))))
    blocks += (
        [context("\n".join(lines))] if (lines := _left_out(explanation, weaker, silent)) else []
    )
    blocks.append(context(f"{how(explanation)}\n{cost(explanation)}"))
    return [*blocks, actions(button(messages.BUTTON_DETAILS, DETAILS_ACTION, explanation.turn_id))]


def as_text(explanation: Explanation) -> str:
    """The same for notifications and for a Slack that rejects the blocks."""
    shown, _, _ = _shown(explanation)
    lines = [effect_text(effect, explanation) for effect in shown] + [
        together_text(effect) for effect in explanation.together
    ]
    return within("\n".join([verdict(explanation), *lines]), SECTION_LIMIT)


def alt_text(explanation: Explanation) -> str:
    """What the chart shows, for whoever does not see it."""
    shown, _, _ = _shown(explanation)
    lines = [
        f"{_numbers(each)} {within(each.label, 80)}: {amount(each)}.".lstrip() for each in shown
    ]
    if explanation.verdict is not None:
        lines.append(
            f"Without any evidence: {explanation.empty.mean:.2f}. By itself: {explanation.null.mean:.2f}."
        )
    return f"Bar chart of how much the answer changed without each piece of evidence. {' '.join(lines)}"


def verdict(explanation: Explanation) -> str:
    """What came of the whole answer, in words."""
    if explanation.verdict is None:
        return messages.explanations.UNTESTED.get(
            explanation.method, messages.explanations.NOT_TESTED
        )
    if explanation.verdict is AnswerVerdict.DID_NOT_MATTER:
        return messages.explanations.NOT_NEEDED
    if explanation.verdict is AnswerVerdict.NOISE:
        return messages.explanations.TOO_NOISY
    if any(effect.verdict is EffectVerdict.CAUSAL for effect in explanation.effects):
        return messages.explanations.NEEDED
    if explanation.together:
        return f"{messages.explanations.NEEDED} {messages.explanations.ONLY_TOGETHER}"
    return f"{messages.explanations.NEEDED} {messages.explanations.NOTHING_ALONE}"


def effect_text(effect: Effect, explanation: Explanation) -> str:
    """Which evidence, what taking it away did, and how much that was."""
    which = messages.explanations.group(len(effect.evidence_ids), effect.pages, effect.clusters)
    did = f"Taking it away {_did(effect)}. " if effect.verdict else ""
    word = "similarity" if explanation.method is Method.NAIVE else "effect"
    facts = ", ".join(
        filter(
            None,
            [amount(effect, word), f"share {100 * effect.share:.0f} %", _mark(effect, explanation)],
        )
    )
    return f"{_named(effect)}{f' ({which})' if which else ''}\n{did}{facts[:1].upper()}{facts[1:]}."


def together_text(effect: Effect) -> str:
    """Two clusters that change the answer although neither does alone."""
    return f"{messages.explanations.redundant(_named(effect), effect.pages)} ({amount(effect)})."


def amount(effect: Effect, word: str = "effect") -> str:
    """The effect with its interval; a single answer is a point and has none."""
    low, high = effect.change.low, effect.change.high
    return f"{word} {effect.change.mean:.2f}" + (
        f" (90 % interval {low:.2f} to {high:.2f})" if low < high else ""
    )


def how(explanation: Explanation) -> str:
    """How it was tested, in a few words."""
    if explanation.verdict is None:
        return f"Method: {explanation.method.value}."
    if not explanation.effects and not explanation.skipped:
        return messages.explanations.NO_EVIDENCE
    compared = messages.explanations.compared(
        explanation.null.repeats, explanation.repeats, escape(explanation.test)
    )
    return (
        f"{compared} {messages.explanations.varies(explanation.null.mean, explanation.empty.mean)}"
    )


def cost(explanation: Explanation) -> str:
    """Calls, tokens, seconds, money where a price is known, and the model."""
    usage = explanation.usage
    if not explanation.model and not usage.calls:
        return f"{explanation.seconds:.1f} s, {messages.explanations.NO_MODEL_ASKED}."
    facts = [f"{usage.calls} calls", f"{usage.prompt_tokens + usage.completion_tokens:,} tokens"]
    facts.append(f"{explanation.seconds or usage.seconds:.1f} s")
    if explanation.cost is not None:
        facts.append(f"{_money(explanation.cost)} {escape(explanation.currency)}".rstrip())
    return (
        ", ".join(
            [
                *facts,
                f"model {escape(explanation.model)}"
                if explanation.model
                else messages.explanations.NO_MODEL_ASKED,
            ]
        )
        + "."
    )


def _shown(explanation: Explanation) -> tuple[Sequence[Effect], int, int]:
    """The effects that are told one by one, how many weaker ones are not, and how many uncited ones did nothing at all."""
    telling = [
        effect for effect in explanation.effects if effect.source_numbers or not _is_silent(effect)
    ]
    return (
        telling[:MOST_EFFECTS],
        max(0, len(telling) - MOST_EFFECTS),
        len(explanation.effects) - len(telling),
    )


def _is_lost(effect: Effect) -> bool:
    """Neither cited nor a cause: worth a line and not a paragraph."""
    return effect.verdict is EffectVerdict.NOISE and not effect.source_numbers


def _is_silent(effect: Effect) -> bool:
    return effect.change.mean == effect.change.high == 0 and not (
        effect.verdict is None and effect.share
    )


def _did(effect: Effect) -> str:
    silent = effect.verdict is EffectVerdict.NOISE and _is_silent(effect)
    return (
        messages.explanations.SILENT
        if silent
        else messages.explanations.VERDICTS[effect.verdict or EffectVerdict.NOISE]
    )


def _mark(effect: Effect, explanation: Explanation) -> str:
    """Cited against causal: the two do not always agree, and that is worth knowing.

    A source is a section with several pieces; it is used when one of them is.
    """
    used = {
        number
        for each in explanation.effects
        if each.verdict is not EffectVerdict.NOISE
        for number in each.source_numbers
    }
    unused = effect.verdict is EffectVerdict.NOISE and not used.issuperset(effect.source_numbers)
    if unused and explanation.verdict is not AnswerVerdict.NOISE:
        return messages.explanations.CITED_UNUSED
    return (
        messages.explanations.USED_UNCITED
        if not effect.source_numbers and effect.verdict is EffectVerdict.CAUSAL
        else ""
    )


def _named(effect: Effect) -> str:
    return (
        f"{_numbers(effect)} {escape(within(' '.join(effect.label.split()), LABEL_LIMIT))}".lstrip()
    )


def _numbers(effect: Effect) -> str:
    return "".join(f"[{number}]" for number in effect.source_numbers)


def _scale(explanation: Explanation) -> float:
    return max(
        (max(spread.mean, spread.high) for spread in map(_spread, explanation.effects)), default=0.0
    )


def _spread(effect: Effect) -> Spread:
    """What the bar shows: where nothing was tested, shares are all there is."""
    return effect.change if effect.verdict else Spread(mean=effect.share)


def _bar(effect: Effect, scale: float) -> str:
    """Full up to where the interval begins, half full up to its end."""
    spread = _spread(effect)
    low, high = (
        (spread.low, spread.high) if spread.low < spread.high else (spread.mean, spread.mean)
    )
    full, end = (max(0, round(BAR * value / scale)) if scale > 0 else 0 for value in (low, high))
    return "█" * full + "▒" * (end - full) + "░" * (BAR - end)


def _left_out(explanation: Explanation, weaker: int, silent: int) -> list[str]:
    labels = [escape(within(" ".join(label.split()), LABEL_LIMIT)) for label in explanation.skipped]
    left_out = messages.explanations.hidden(weaker, silent)
    return (
        [
            *left_out,
            messages.explanations.skipped(labels[:MOST_SKIPPED], len(labels[MOST_SKIPPED:])),
        ]
        if labels
        else left_out
    )


def _money(cost: float) -> str:
    return f"{cost:.2f}" if cost >= 1 else f"{cost:.4f}" if cost >= 0.0001 else "less than 0.0001"
