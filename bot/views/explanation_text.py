"""An explanation as plain text: for notifications, its progress, what it cost."""

from __future__ import annotations

from bot.views.block_kit import SECTION_LIMIT
from bot.views.explained.marks import marks
from bot.views.explained.otherwise import as_text as plainly
from bot.views.explained.otherwise import otherwise
from bot.views.explained.pages import USED
from bot.views.explained.untested import shares
from bot.views.explained.verdict import headline, how_sure, rest
from bot.views.mrkdwn import escape, one_line, truncate
from core.attribution import Effect, Explanation
from core.language.sentences import Sentences

MOST_DESCRIBED = 8  # effects in the words beside a picture
LABEL_LIMIT = 80
MOST_SECONDS = 90  # what takes longer is told in minutes
LEAST_COST = 0.0001  # smaller ones are not told apart


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
    lines = [
        escape(" ".join(filter(None, [headline(say, explanation), rest(say, explanation)]))),
        escape(plainly(otherwise(say, explanation))),
        escape(marks(say, explanation)),
        how_sure(say, explanation),
    ]
    if not explanation.tested:
        lines += shares(say, explanation)
    return truncate("\n".join(filter(None, lines)), SECTION_LIMIT)


def alt_text(say: Sentences, explanation: Explanation) -> str:
    """What the picture shows, for whoever does not see it."""
    sentences = [say("picture-described" if explanation.tested else "picture-described-shares")]
    found = [each for each in explanation.effects if each.role in USED or not explanation.tested]
    sentences += [_described(say, explanation, each) for each in found[:MOST_DESCRIBED]]
    return " ".join(sentences)


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


def _described(say: Sentences, explanation: Explanation, effect: Effect) -> str:
    numbers = "".join(f"[{number}]" for number in effect.source_numbers)
    page = f"{numbers} {one_line(effect.label, LABEL_LIMIT)}".lstrip()
    if not explanation.tested:
        return say("picture-share", page=page, share=say.percent(effect.share))
    return say(
        "picture-row",
        page=page,
        there=say.percent(effect.there.mean),
        away=say.percent(effect.away.mean),
    )


def _duration(say: Sentences, seconds: float) -> str:
    if seconds < MOST_SECONDS:
        return say("seconds", seconds=max(1, round(seconds)))
    return say("minutes", minutes=round(seconds / 60))


def _money(say: Sentences, cost: float) -> str:
    if cost >= 1:
        return say.number(cost, 2)
    if cost >= LEAST_COST:
        return say.number(cost, 4)
    return say("less-than", amount=say.number(LEAST_COST, 4))
