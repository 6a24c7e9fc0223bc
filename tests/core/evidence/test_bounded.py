"""A question as it is searched: of a pasted text the middle is left out."""

from __future__ import annotations

import pytest

from core.evidence.lexical.analyzer import written
from core.evidence.query.asked import MOST_WORDS, bounded


def test_a_question_of_any_usual_length_stays_as_it_is() -> None:
    question = "How much is it,\n and where? " * 40
    assert bounded(question) == question


@pytest.mark.parametrize("between", [" ", ",", "\n", "; ", "（"])
def test_of_a_pasted_text_the_middle_goes_whatever_stands_between_its_words(between: str) -> None:
    text = between.join(f"word{number}" for number in range(10_000))
    kept = written(bounded(text))
    assert len(kept) == MOST_WORDS
    assert (kept[0], kept[-1]) == ("word0", "word9999")
