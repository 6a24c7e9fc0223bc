"""An explanation in words: the verdict, the effect of each piece of evidence, method and cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bot.views.block_kit import SECTION_LIMIT
from bot.views.mrkdwn import escape, one_line, truncate
from core.attribution import AnswerVerdict, Effect, EffectVerdict, Explanation, Method
from core.language.sentences import Sentences

MOST_EFFECTS = 8
LABEL_LIMIT = 120
MOST_SECONDS = 90  # what takes longer is told in minutes
LEAST_P = 0.001  # smaller ones are not told apart
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
    pairs = [together_text(say, pair) for pair in explanation.together]
    lines = [verdict(say, explanation), *effects, *pairs]
    return truncate("\n".join(lines), SECTION_LIMIT)


def alt_text(say: Sentences, explanation: Explanation) -> str:
    """What the chart shows, for whoever does not see it."""
    sentences = [say("chart-described")]
    for effect in select_effects(explanation).shown:
        label = f"{source_numbers(effect)} {truncate(effect.label, 80)}".lstrip()
        sentences.append(f"{label}: {amount(say, effect)}.")
    if explanation.tested:
        empty = say.number(explanation.empty.mean, 2)
        null = say.number(explanation.null.mean, 2)
        sentences.append(say("chart-described-ends", empty=empty, null=null))
    return " ".join(sentences)


def verdict(say: Sentences, explanation: Explanation) -> str:
    """What came of the whole answer, in words."""
    if not explanation.tested:
        return say(f"untested-{explanation.method}")
    if explanation.verdict is AnswerVerdict.DID_NOT_MATTER:
        return say("verdict-not-needed")
    if explanation.verdict is AnswerVerdict.NOISE:
        return say("verdict-noise")
    verdicts = {effect.verdict for effect in explanation.effects}
    if EffectVerdict.CAUSAL in verdicts:
        return say("verdict-needed")
    if explanation.together:
        return f"{say('verdict-needed')} {say('verdict-only-together')}"
    return f"{say('verdict-needed')} {say('verdict-nothing-alone')}"


def effect_text(say: Sentences, effect: Effect, explanation: Explanation) -> str:
    """Which evidence, what taking it away did, and how much that was."""
    first = name(effect)
    if which := _group(say, effect):
        first += f" ({which})"
    key = "similarity" if explanation.method is Method.NAIVE else "effect"
    facts = [amount(say, effect, key), say("share", share=say.percent(effect.share))]
    if mark := _citation_mark(effect, explanation):
        facts.append(say(mark))
    listed = ", ".join(facts)
    second = f"{listed[:1].upper()}{listed[1:]}."
    if effect.verdict:
        second = f"{say(_consequence(effect))} {second}"
    return f"{first}\n{second}"


def together_text(say: Sentences, effect: Effect) -> str:
    """Two clusters that change the answer although neither does alone."""
    if effect.pages > 1:
        said = say("together-pages", count=effect.pages, label=name(effect))
    else:
        said = say("together", label=name(effect))
    return f"{said} ({amount(say, effect)})."


def amount(say: Sentences, effect: Effect, key: str = "effect") -> str:
    """The effect with its interval; a single answer is a point and has none."""
    low, high = effect.change.low, effect.change.high
    mean = say.number(effect.change.mean, 2)
    if low >= high:
        return say(key, mean=mean)
    return say(f"{key}-between", mean=mean, low=say.number(low, 2), high=say.number(high, 2))


def p_value(say: Sentences, p: float) -> str:
    if p < LEAST_P:
        return say("p-value-below", p=say.number(LEAST_P, 3))
    return say("p-value", p=say.number(p, 3))


def name(effect: Effect) -> str:
    label = escape(one_line(effect.label, LABEL_LIMIT))
    return f"{source_numbers(effect)} {label}".lstrip()


def source_numbers(effect: Effect) -> str:
    return "".join(f"[{number}]" for number in effect.source_numbers)


def how(say: Sentences, explanation: Explanation) -> str:
    """How it was tested, in a few words."""
    if not explanation.tested:
        return say("how-method", method=explanation.method)
    if not explanation.effects and not explanation.skipped:
        return say("how-no-evidence")
    null = say.number(explanation.null.mean, 2)
    empty = say.number(explanation.empty.mean, 2)
    return f"{_compared(say, explanation)} {say('how-varies', null=null, empty=empty)}"


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
    if effect.verdict is None and effect.share:
        return False
    return effect.change.mean == effect.change.high == 0


def _group(say: Sentences, effect: Effect) -> str:
    """What an effect stands for, when that is more than one piece; empty otherwise."""
    if effect.clusters > 1:
        return say("group-clusters", count=effect.clusters)
    if effect.pages > 1:
        return say("group-pages", count=effect.pages)
    pieces = len(effect.evidence_ids)
    return say("group-pieces", count=pieces) if pieces > 1 else ""


def _consequence(effect: Effect) -> str:
    """The key of what taking it away did."""
    if effect.verdict is EffectVerdict.NOISE and _is_silent(effect):
        return "effect-silent"
    return f"effect-{effect.verdict}"


def _citation_mark(effect: Effect, explanation: Explanation) -> str:
    """Cited against causal: the two do not always agree, and that is worth knowing.

    A key; empty where they agree.

    A source is a section with several pieces; it is used when one of them is.
    """
    if effect.verdict is EffectVerdict.CAUSAL and not effect.source_numbers:
        return "used-uncited"
    if effect.verdict is not EffectVerdict.NOISE or explanation.verdict is AnswerVerdict.NOISE:
        return ""
    used: set[int] = set()
    for each in explanation.effects:
        if each.verdict is not EffectVerdict.NOISE:
            used.update(each.source_numbers)
    return "" if used.issuperset(effect.source_numbers) else "cited-unused"


def _compared(say: Sentences, explanation: Explanation) -> str:
    if not explanation.test:
        return say("how-quoted")
    key = f"test-{explanation.test}"
    test = say(key) if key in say else escape(explanation.test)
    answers = {"null": explanation.null.repeats, "repeats": explanation.repeats}
    return say("how-compared", test=test, **answers)


def _money(say: Sentences, cost: float) -> str:
    if cost >= 1:
        return say.number(cost, 2)
    if cost >= LEAST_COST:
        return say.number(cost, 4)
    return say("less-than", amount=say.number(LEAST_COST, 4))
