"""A follow-up of one word that stands in the place of another one of the question before."""

from __future__ import annotations

import pytest

from worker.question.rewrite import Past, by_rules
from worker.question.sibling import with_sibling


@pytest.mark.parametrize(
    ("fragment", "before", "whole"),
    [
        ("and write?", "Who gets read access?", "Who gets write access?"),
        ("and on Sunday", "Is the gate open on Monday?", "Is the gate open on Sunday?"),
        ("und morgen?", "Wer hat heute Dienst?", "Wer hat morgen Dienst?"),
        ("what about next week?", "Who is away this week?", "Who is away next week?"),
        ("2024?", "How many boats in 2023 over 300 kg?", "How many boats in 2024 over 300 kg?"),
        ("und bei 30.000?", "Wer zahlt 3000 Euro?", "Wer zahlt 30.000 Euro?"),
        ("und bei 500 euro?", "Wer zahlt 3000 Euro?", "Wer zahlt 500 Euro?"),
        ("und im Juni?", "Was kostet es im April?", "Was kostet es im Juni?"),
    ],
)
def test_a_word_takes_the_place_of_its_sibling(fragment: str, before: str, whole: str) -> None:
    assert with_sibling(fragment, before) == whole


@pytest.mark.parametrize(
    ("fragment", "before"),
    [
        ("and write?", "Who may read or write it?"),  # it is asked already
        ("and on Sunday?", "Who is on call?"),
        ("and on Sunday?", "Is it open on Monday and on Friday?"),  # which of them?
        ("und bei 30.000?", "Wer zahlt 3000 Euro im Raum 12?"),
        ("and 5 days?", "May I book 3 boats?"),  # another unit
        ("and 5000?", "Who pays 2000 euros?"),  # perhaps a year
        ("and in June?", "May I book a boat?"),
        ("and 8?", "What does error E-7 mean?"),
        ("and in Porto?", "Who works in Kiel?"),  # in no list
        ("who is there on Sunday?", "Is the gate open on Monday?"),
        ("and Monday?", "Is the gate open on Monday?"),
    ],
)
def test_where_it_is_not_clear_nothing_is_replaced(fragment: str, before: str) -> None:
    assert with_sibling(fragment, before) == ""


def test_each_of_several_takes_the_place_of_the_one_before() -> None:
    history = [Past("How many boats in 2021?"), Past("and 2022?")]
    completed = by_rules("and 2023?", history)
    assert (completed.text, completed.context) == ("How many boats in 2023?", ())


def test_what_goes_on_leans_on_the_whole_question() -> None:
    history = [Past("Who gets read access?"), Past("and write?")]
    assert by_rules("And how?", history).context == ("Who gets write access?",)
