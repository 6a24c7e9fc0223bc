"""How much of a question a span says, itself or by where it stands."""

from __future__ import annotations

import pytest
from wiki import hit, page, piece

from core.evidence.query.thesaurus import said_otherwise
from core.evidence.spans import Span, spans_of
from worker.extractive.ranking.coverage import (
    HEADING_WEIGHT,
    NEAR_WEIGHT,
    OTHERWISE_WEIGHT,
    AskedTerms,
)

QUESTION = "When is brekkie?"
ASKED = AskedTerms({"brekki": 1.0}, said_otherwise(QUESTION))


def first_span(text: str, title: str = "Canteen") -> Span:
    return next(spans_of([hit(piece(text), page("1", title))]))


@pytest.mark.parametrize(
    ("text", "title", "share"),
    [
        ("Brekkie is at 7.", "Canteen", 1.0),
        ("Breakfast is at 7.", "Canteen", OTHERWISE_WEIGHT),
        ("It is served at 7.", "Breakfast", OTHERWISE_WEIGHT * HEADING_WEIGHT),
        ("It is served at seven. Breakfast is free.", "Canteen", OTHERWISE_WEIGHT * NEAR_WEIGHT),
        ("Supper is at 7.", "Canteen", 0.0),
    ],
)
def test_a_word_is_said_by_what_else_it_is_called(text: str, title: str, share: float) -> None:
    assert ASKED.coverage(first_span(text, title)) == pytest.approx(share)


def test_several_words_say_it_only_together() -> None:
    note = AskedTerms({"sick": 1.0, "note": 1.0}, said_otherwise("Who needs my sick note?"))

    together = note.coverage(first_span("The medical certificate goes to Payroll."))

    assert together == pytest.approx(OTHERWISE_WEIGHT)
    assert note.coverage(first_span("The birth certificate goes to Payroll.")) == 0.0


def test_a_question_without_words_is_covered_by_nothing() -> None:
    assert AskedTerms({}).coverage(first_span("Breakfast is at 7.")) == 0.0
