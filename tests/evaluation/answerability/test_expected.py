"""Whether an answer says what was asked for."""

from __future__ import annotations

import pytest

from evaluation.answerability.expected import of_question, of_typed
from evaluation.employees.questions import Wanted
from evaluation.sets.confquestions import Question

TEXTS = {"1": "hotels cost 14 eur in porto", "2": "nothing of that"}


def question(*facts: str) -> Question:
    return Question(
        conversation="hotels",
        turn=1,
        asked="What does it cost?",
        completed="",
        answer="It costs less than one might think",
        gold_urls=("1",),
        source="passage",
        is_complex=False,
        facts=facts,
    )


@pytest.mark.parametrize(
    ("text", "is_right"), [("**14** EUR in Porto", True), ("114 EUR", False), ("Porto", False)]
)
def test_a_fact_is_said_by_its_own_words_alone(text: str, is_right: bool) -> None:
    says = of_question(question("14"), TEXTS).says
    assert says is not None
    assert says(text) is is_right


def test_nobody_knows_whether_a_fact_is_said_that_its_page_does_not_have() -> None:
    assert of_question(question("15"), TEXTS).says is None
    assert of_question(question(), TEXTS).says is None


def test_what_is_typed_is_right_where_all_patterns_hit_and_has_every_page_of_its_titles() -> None:
    wanted = Wanted(
        id="1",
        corpus="sample",
        language="en",
        ask="hotel max",
        pages=("Hotels", "Trips"),
        patterns=("\\b14\\b", "eur"),
    )
    expected = of_typed(wanted, {"Hotels": ["1", "3"], "Trips": ["2"], "Other": ["4"]})
    assert expected.gold == {"1", "2", "3"}
    assert expected.says is not None
    assert expected.says("14 EUR")
    assert not expected.says("14 USD")
