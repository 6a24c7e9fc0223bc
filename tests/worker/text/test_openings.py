"""Openings: when only the thing of a title is asked for, and what sums its page up."""

from __future__ import annotations

import pytest
from wiki import page, piece

from core.models import Kind
from worker.text.openings import asks_what_it_is, opening

INCIDENT = page("1", "Post-mortem INC-118: sorters stopped in Porto")


@pytest.mark.parametrize(
    "question",
    [
        "What was INC-118?",
        "what's the post-mortem INC-118",
        "Tell me about INC-118",
        "Was ist INC-118?",
        "Erkläre mir INC-118",
        "What happened in INC-118?",
    ],
)
def test_the_thing_of_a_title_is_asked_for(question: str) -> None:
    assert asks_what_it_is(question, INCIDENT)


@pytest.mark.parametrize(
    "question",
    [
        "What was the cause of INC-118?",
        "When was INC-118?",
        "INC-118",
        "What is Porto?",  # stands only in what explains the title
        "What is it?",
        "What was INC-119?",
    ],
)
def test_something_else_is_asked_for(question: str) -> None:
    assert not asks_what_it_is(question, INCIDENT)


def test_a_word_of_a_long_title_is_not_its_thing() -> None:
    assert not asks_what_it_is("What is Tern?", page("2", "How to deploy a Tern gateway"))
    assert asks_what_it_is("What is Tern?", page("2", "Tern 4.2"))


def test_a_summary_is_the_opening_wherever_it_stands() -> None:
    first = piece("It is resolved.", heading_path=())
    summary = piece("All sorters stood still.", heading_path=("Summary",))
    cause = piece("A certificate had ended.", heading_path=("Why",))
    table = piece("Date: 22 January", kind=Kind.TABLE, heading_path=())
    assert opening([table, first, cause, summary]) == summary
    assert opening([table, first, cause]) == first
    assert opening([table, cause]) is None
