"""An explanation in words: the verdict, the effect of each piece of evidence, method and cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bot.views.block_kit import SECTION_LIMIT
from bot.views.mrkdwn import escape, one_line, truncate
from core.attribution import Effect, Explanation, Method, Role, Spread
from core.language.sentences import Sentences

MOST_EFFECTS = 8
LABEL_LIMIT = 120
MOST_SECONDS = 90  # what takes longer is told in minutes
LEAST_COST = 0.0001  # nor are these


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


def progress(say: Sentences, done: int, total: int, seconds_left: float | None) -> str:
    """How far an explanation is; `total` may still change."""
    if not total:
        return say("explaining")
    if seconds_left is None:
        return say("explaining-progress", done=done, total=total)
    left = _duration(say, seconds_left)
    return say("explaining-left", done=done, total=total, left=left)


def as_text(say: Sentences, explanation: Explanation) -> str:
    """The explanation for notifications and for a Slack that rejects the blocks."""
    shown = select_effects(explanation).shown
    effects = [effect_text(say, effect, explanation) for effect in shown]
    lines = [verdict(say, explanation), *effects]
    return truncate("\n".join(lines), SECTION_LIMIT)


def alt_text(say: Sentences, explanation: Explanation) -> str:
    """What the chart shows, for whoever does not see it."""
    sentences = [say("chart-described")]
    for effect in select_effects(explanation).shown:
        label = f"{source_numbers(effect)} {truncate(effect.label, 80)}".lstrip()
        sentences.append(f"{label}: {amount(say, effect)}.")
    return " ".join(sentences)


def verdict(say: Sentences, explanation: Explanation) -> str:
    """What came of the whole answer, in words."""
    if explanation.verdict is None:
        return say(f"untested-{explanation.method}")
    return say(f"verdict-{explanation.verdict}")


def effect_text(say: Sentences, effect: Effect, explanation: Explanation) -> str:
    """Which evidence, what it is to the answer, and how much taking it away changed."""
    first = name(effect)
    if which := _group(say, effect):
        first += f" ({which})"
    key = "similarity" if explanation.method is Method.NAIVE else "effect"
    facts = [amount(say, effect, key), say("share", share=say.percent(effect.share))]
    listed = ", ".join(facts)
    second = f"{listed[:1].upper()}{listed[1:]}."
    if effect.role:
        second = f"{say(f'role-{effect.role}')} {second}"
    return f"{first}\n{second}"


def amount(say: Sentences, effect: Effect, key: str = "effect") -> str:
    """The effect with its interval; a single answer is a point and has none."""
    low, high = effect.away.low, effect.away.high
    mean = say.number(effect.away.mean, 2)
    if low >= high:
        return say(key, mean=mean)
    return say(f"{key}-between", mean=mean, low=say.number(low, 2), high=say.number(high, 2))


def name(effect: Effect) -> str:
    label = escape(one_line(effect.label, LABEL_LIMIT))
    return f"{source_numbers(effect)} {label}".lstrip()


def source_numbers(effect: Effect) -> str:
    return "".join(f"[{number}]" for number in effect.source_numbers)


def how(say: Sentences, explanation: Explanation) -> str:
    """How it was tested, in a few words."""
    if not explanation.tested:
        return say("how-method", method=explanation.method)
    if not explanation.effects:
        return say("how-no-evidence")
    return say("how-tries", count=explanation.tries)


def cost(say: Sentences, explanation: Explanation) -> str:
    """Calls, tokens, seconds, money where a price is known, and the model."""
    usage = explanation.usage
    seconds = explanation.seconds or usage.seconds
    facts = [say("seconds", seconds=say.number(seconds, 1))]
    if explanation.model or usage.calls:
        tokens = usage.prompt_tokens + usage.completion_tokens
        facts = [say("calls", count=usage.calls), say("tokens", count=tokens), *facts]
    if explanation.cost is not None:
        price = f"{_money(say, explanation.cost)} {escape(explanation.currency)}"
        facts.append(price.rstrip())
    model = escape(explanation.model)
    facts.append(say("model", model=model) if model else say("no-model-asked"))
    return f"{', '.join(facts)}."


def _duration(say: Sentences, seconds: float) -> str:
    if seconds < MOST_SECONDS:
        return say("seconds", seconds=max(1, round(seconds)))
    return say("minutes", minutes=round(seconds / 60))


def _is_silent(effect: Effect) -> bool:
    if effect.role is None:
        return not effect.share and effect.away == Spread(repeats=effect.away.repeats)
    return effect.role is Role.UNUSED


def _group(say: Sentences, effect: Effect) -> str:
    """What an effect stands for, when that is more than one piece; empty otherwise."""
    if effect.pages > 1:
        return say("group-pages", count=effect.pages)
    pieces = len(effect.evidence_ids)
    return say("group-pieces", count=pieces) if pieces > 1 else ""


def _money(say: Sentences, cost: float) -> str:
    if cost >= 1:
        return say.number(cost, 2)
    if cost >= LEAST_COST:
        return say.number(cost, 4)
    return say("less-than", amount=say.number(LEAST_COST, 4))
