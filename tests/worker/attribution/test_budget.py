from __future__ import annotations

import pytest

from core.errors import SettingsError
from core.usage import Usage
from worker.attribution.budget import Budget

PRICES = "small=1/10"
CALL = Usage(calls=1, prompt_tokens=1000, completion_tokens=100)  # 0.002 of money
FOUR = CALL + CALL + CALL + CALL


@pytest.mark.parametrize(
    ("budget", "left"),
    [
        (Budget(10), 6),
        (Budget(10, tokens=1100 * 7), 3),
        (Budget(10, money=0.0125, model="small", prices=PRICES), 2),
        (Budget(10, tokens=1100 * 7, money=0.0125, model="small", prices=PRICES), 2),
        (Budget(3), 0),
        (Budget(10, tokens=1), 0),
    ],
)
def test_whichever_is_used_up_first_ends_it(budget: Budget, left: int) -> None:
    assert budget.left(FOUR, CALL) == left
    assert budget.after(FOUR).left(Usage(), CALL) == left


def test_money_cannot_be_bounded_without_a_price() -> None:
    with pytest.raises(SettingsError, match="EXPLAIN_MAX_MONEY needs the price of large"):
        Budget(money=1.0, prices=PRICES).of_model("large")


def test_a_quoted_answer_needs_no_price() -> None:
    assert Budget(money=1.0).of_model("").money == 1.0
