"""What model calls cost, by the prices in the settings."""

from __future__ import annotations

from core.errors import SettingsError
from core.settings import Settings
from core.usage import Usage

PER = 1_000_000  # tokens that a price is for


def cost(
    usage: Usage,
    model: str,
    prices: str,
) -> float | None:
    """Money for these tokens; None when there is no price for the model.

    `prices` is the setting PRICES: money per million tokens in and out,
    `small-model=0.25/2, big-model=1.25/10`.

    Raises:
        SettingsError: PRICES cannot be read.
    """
    price = _read(prices).get(model)
    if price is None:
        return None
    given, written = price
    return (usage.prompt_tokens * given + usage.completion_tokens * written) / PER


def require_prices(chosen: Settings) -> None:
    """What bounds money needs to know what the models cost.

    Raises:
        SettingsError: PRICES does not say it.
    """
    bounds = {
        "LIMIT_MONEY_PER_DAY": chosen.limit_money_per_day,
        "LIMIT_PERSON_MONEY_PER_DAY": chosen.limit_person_money_per_day,
        "EXPLAIN_MAX_MONEY": chosen.explain_max_money,
    }
    bounded = [name for name, money in bounds.items() if money]
    if not bounded:
        return
    for model in {*chosen.llm_model_names, chosen.llm_explain_model} - {None}:
        if cost(Usage(), model or "", chosen.prices) is None:
            raise SettingsError(
                f"wrong setting: {bounded[0]} needs the price of {model} in PRICES "
                "(see .env.example)"
            )


def _read(prices: str) -> dict[str, tuple[float, float]]:
    found: dict[str, tuple[float, float]] = {}
    for each in prices.split(","):
        each = each.strip()
        if not each:
            continue
        model, _, price = each.rpartition("=")
        given, _, written = price.partition("/")
        try:
            found[model.strip()] = (float(given), float(written))
        except ValueError:
            raise SettingsError(
                f"wrong setting: PRICES: {each!r} is not MODEL=IN/OUT (see .env.example)"
            ) from None
    return found
