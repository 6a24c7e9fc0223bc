"""What an explanation cost: calls, tokens, seconds, money."""

from __future__ import annotations

from bot.views.mrkdwn import escape
from core.attribution import Explanation
from core.language.sentences import Sentences

LEAST_COST = 0.0001  # smaller ones are not told apart


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


def _money(say: Sentences, cost: float) -> str:
    if cost >= 1:
        return say.number(cost, 2)
    if cost >= LEAST_COST:
        return say.number(cost, 4)
    return say("less-than", amount=say.number(LEAST_COST, 4))
