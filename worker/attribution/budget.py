"""The budget of one explanation: calls, tokens and money; whichever is used up first ends it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.errors import SettingsError
from core.policy.prices import cost
from core.usage import Usage


@dataclass(frozen=True)
class Budget:
    """What an explanation may take. None is no bound."""

    calls: int = 40
    tokens: int | None = None  # read and written
    money: float | None = None  # by PRICES

    model: str = ""  # whose price it is
    prices: str = ""  # the setting PRICES

    def left(self, used: Usage, largest: Usage) -> int:
        """How many more calls it allows, each as large as the largest may be."""
        left = self.calls - used.calls
        if self.tokens is not None:
            left = min(left, int((self.tokens - _tokens(used)) / max(_tokens(largest), 1)))
        if self.money is not None and (most := self._cost(largest)):
            left = min(left, int((self.money - self._cost(used)) / most))
        return max(left, 0)

    def after(self, used: Usage) -> Budget:
        """What is left of it."""
        tokens = None if self.tokens is None else max(self.tokens - _tokens(used), 0)
        money = None if self.money is None else max(self.money - self._cost(used), 0.0)
        return replace(self, calls=max(self.calls - used.calls, 0), tokens=tokens, money=money)

    def of_model(self, model: str) -> Budget:
        """The same for calls of this model.

        Raises:
            SettingsError: money is bounded, and PRICES does not say what the model costs.
        """
        budget = replace(self, model=model)
        if model and self.money is not None:
            budget._cost(Usage())
        return budget

    def _cost(self, usage: Usage) -> float:
        found = cost(usage, self.model, self.prices)
        if found is None:
            raise SettingsError(
                f"wrong setting: EXPLAIN_MAX_MONEY needs the price of {self.model} in PRICES "
                "(see .env.example)"
            )
        return found


def _tokens(usage: Usage) -> int:
    return usage.prompt_tokens + usage.completion_tokens
