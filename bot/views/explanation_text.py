"""An explanation in words: the verdict, the effect of each piece of evidence, method and cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bot.views.block_kit import SECTION_LIMIT
from bot.views.messages import explanations as texts
from bot.views.mrkdwn import escape, one_line, truncate
from core.attribution import AnswerVerdict, Effect, EffectVerdict, Explanation, Method

MOST_EFFECTS = 8
LABEL_LIMIT = 120


class EffectSelection(NamedTuple):
    """The effects that are shown one by one, and how many are not."""

    shown: Sequence[Effect]
    weaker: int
    silent: int  # not cited, and removing them changed nothing


def select_effects(explanation: Explanation) -> EffectSelection:
    effects = explanation.effects
    relevant = [effect for effect in effects if effect.source_numbers or not _is_silent(effect)]
    weaker = max(0, len(relevant) - MOST_EFFECTS)
    silent = len(effects) - len(relevant)
    return EffectSelection(relevant[:MOST_EFFECTS], weaker, silent)


def as_text(explanation: Explanation) -> str:
    """The explanation for notifications and for a Slack that rejects the blocks."""
    shown = select_effects(explanation).shown
    effects = [effect_text(effect, explanation) for effect in shown]
    pairs = [together_text(pair) for pair in explanation.together]
    lines = [verdict(explanation), *effects, *pairs]
    return truncate("\n".join(lines), SECTION_LIMIT)


def alt_text(explanation: Explanation) -> str:
    """What the chart shows, for whoever does not see it."""
    sentences = ["Bar chart of how much the answer changed without each piece of evidence."]
    for effect in select_effects(explanation).shown:
        label = f"{source_numbers(effect)} {truncate(effect.label, 80)}".lstrip()
        sentences.append(f"{label}: {amount(effect)}.")
    if explanation.tested:
        empty, null = explanation.empty.mean, explanation.null.mean
        sentences.append(f"Without any evidence: {empty:.2f}. By itself: {null:.2f}.")
    return " ".join(sentences)


def verdict(explanation: Explanation) -> str:
    """What came of the whole answer, in words."""
    if not explanation.tested:
        return texts.UNTESTED.get(explanation.method, texts.NOT_TESTED)
    if explanation.verdict is AnswerVerdict.DID_NOT_MATTER:
        return texts.NOT_NEEDED
    if explanation.verdict is AnswerVerdict.NOISE:
        return texts.TOO_NOISY
    verdicts = {effect.verdict for effect in explanation.effects}
    if EffectVerdict.CAUSAL in verdicts:
        return texts.NEEDED
    if explanation.together:
        return f"{texts.NEEDED} {texts.ONLY_TOGETHER}"
    return f"{texts.NEEDED} {texts.NOTHING_ALONE}"


def effect_text(effect: Effect, explanation: Explanation) -> str:
    """Which evidence, what taking it away did, and how much that was."""
    first = name(effect)
    pieces = len(effect.evidence_ids)
    which = texts.group(pieces, effect.pages, effect.clusters)
    if which:
        first += f" ({which})"
    word = "similarity" if explanation.method is Method.NAIVE else "effect"
    facts = f"{amount(effect, word)}, share {100 * effect.share:.0f} %"
    mark = _citation_mark(effect, explanation)
    if mark:
        facts += f", {mark}"
    second = f"{facts[:1].upper()}{facts[1:]}."
    if effect.verdict:
        second = f"Taking it away {_consequence(effect)}. {second}"
    return f"{first}\n{second}"


def together_text(effect: Effect) -> str:
    """Two clusters that change the answer although neither does alone."""
    return f"{texts.redundant(name(effect), effect.pages)} ({amount(effect)})."


def amount(effect: Effect, word: str = "effect") -> str:
    """The effect with its interval; a single answer is a point and has none."""
    low, high = effect.change.low, effect.change.high
    mean = f"{word} {effect.change.mean:.2f}"
    return f"{mean} (90 % interval {low:.2f} to {high:.2f})" if low < high else mean


def name(effect: Effect) -> str:
    label = escape(one_line(effect.label, LABEL_LIMIT))
    return f"{source_numbers(effect)} {label}".lstrip()


def source_numbers(effect: Effect) -> str:
    return "".join(f"[{number}]" for number in effect.source_numbers)


def how(explanation: Explanation) -> str:
    """How it was tested, in a few words."""
    if not explanation.tested:
        return f"Method: {explanation.method.value}."
    if not explanation.effects and not explanation.skipped:
        return texts.NO_EVIDENCE
    null, test = explanation.null, escape(explanation.test)
    compared = texts.compared(null.repeats, explanation.repeats, test)
    return f"{compared} {texts.varies(null.mean, explanation.empty.mean)}"


def cost(explanation: Explanation) -> str:
    """Calls, tokens, seconds, money where a price is known, and the model."""
    usage = explanation.usage
    if not explanation.model and not usage.calls:
        return f"{explanation.seconds:.1f} s, {texts.NO_MODEL_ASKED}."
    tokens = usage.prompt_tokens + usage.completion_tokens
    seconds = explanation.seconds or usage.seconds
    facts = [f"{usage.calls} calls", f"{tokens:,} tokens", f"{seconds:.1f} s"]
    if explanation.cost is not None:
        price = f"{_money(explanation.cost)} {escape(explanation.currency)}"
        facts.append(price.rstrip())
    model = escape(explanation.model)
    facts.append(f"model {model}" if model else texts.NO_MODEL_ASKED)
    return f"{', '.join(facts)}."


def _is_silent(effect: Effect) -> bool:
    if effect.verdict is None and effect.share:
        return False
    return effect.change.mean == effect.change.high == 0


def _consequence(effect: Effect) -> str:
    if effect.verdict is EffectVerdict.NOISE and _is_silent(effect):
        return texts.SILENT
    return texts.VERDICTS[effect.verdict or EffectVerdict.NOISE]


def _citation_mark(effect: Effect, explanation: Explanation) -> str:
    """Cited against causal: the two do not always agree, and that is worth knowing.

    A source is a section with several pieces; it is used when one of them is.
    """
    if effect.verdict is EffectVerdict.CAUSAL and not effect.source_numbers:
        return texts.USED_UNCITED
    if effect.verdict is not EffectVerdict.NOISE or explanation.verdict is AnswerVerdict.NOISE:
        return ""
    used: set[int] = set()
    for each in explanation.effects:
        if each.verdict is not EffectVerdict.NOISE:
            used.update(each.source_numbers)
    return "" if used.issuperset(effect.source_numbers) else texts.CITED_UNUSED


def _money(cost: float) -> str:
    if cost >= 1:
        return f"{cost:.2f}"
    return f"{cost:.4f}" if cost >= 0.0001 else "less than 0.0001"
