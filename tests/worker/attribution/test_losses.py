"""Losses: what of the saved answer's sentences another answer no longer says."""

from __future__ import annotations

import pytest

from worker.attribution.statistics.losses import FIRST_SENTENCE, LOST, SavedAnswer


def loss(saved: str, other: str) -> float:
    """Of the first sentence."""
    return float(SavedAnswer(saved).losses([other])[0, FIRST_SENTENCE])


@pytest.mark.parametrize(
    ("saved", "other"),
    [
        ("A hotel in Porto costs 8,000 EUR.", "In Porto a hotel costs 8000 EUR [2]."),
        ("Ein Hotel in Porto kostet 8.000 EUR.", "In Porto kostet ein Hotel 8000 EUR."),
        ("The deadline is 18 August 2016.", "The deadline is 2016-08-18, as ever."),
        ("**Ask** Priya Raman.", "- Ask Priya Raman [1]."),
        ("In short: the gate opens at 6:30.", "The gate opens at 6:30."),
    ],
)
def test_the_same_in_other_words_loses_nothing(saved: str, other: str) -> None:
    assert loss(saved, other) <= 0.2


@pytest.mark.parametrize(
    ("saved", "other"),
    [
        ("A bike does not carry more than 90 kg.", "A bike carries at most 90 kg."),
        ("Nobody but Ines Varga opens the kiln.", "Only Ines Varga opens the kiln."),
        ("Mehr als 90 kg trägt ein Rad nicht.", "Ein Rad trägt höchstens 90 kg."),
        ("Ein Rad trägt höchstens 90 kg.", "Mehr als 90 kg trägt ein Rad nicht."),
        ("Das Tor öffnet nicht vor 7:30 Uhr.", "Das Tor öffnet um 7:30 Uhr."),
    ],
)
def test_a_limit_with_a_negation_is_not_the_opposite_of_one_without(saved: str, other: str) -> None:
    assert loss(saved, other) < LOST / 2


@pytest.mark.parametrize(
    ("saved", "other"),
    [
        ("A hotel in Porto costs 110 EUR.", "A hotel in Porto costs 95 EUR."),
        ("Dogs are allowed in the office.", "Dogs are not allowed in the office."),
        ("Hunde sind im Büro erlaubt.", "Hunde sind im Büro nicht erlaubt."),
        ("A bike does not carry more than 90 kg.", "A bike carries at most 60 kg."),
        ("Dogs are allowed in the office.", "Hunde sind im Büro erlaubt."),
        ("Dogs are allowed in the office.", "I cannot help with that."),
        ("Dogs are allowed in the office.", ""),
    ],
)
def test_another_number_the_opposite_another_language_and_nothing_are_losses(
    saved: str, other: str
) -> None:
    assert loss(saved, other) >= LOST


def test_each_sentence_is_lost_by_itself() -> None:
    saved = SavedAnswer("The canteen opens at 11:30. Its chef is Ada. Visitors need a badge.")
    (row,) = saved.losses(["Visitors need a badge."])
    assert (row[FIRST_SENTENCE:] >= LOST).tolist() == [True, True, False]


def test_what_leads_to_an_answer_is_no_sentence_of_it() -> None:
    assert SavedAnswer("I hope this helps. It costs 40 EUR.").sentences == ("It costs 40 EUR.",)


def test_a_sentence_is_shown_beside_what_is_said_in_its_place() -> None:
    saved = SavedAnswer("The badge costs 20 EUR. Parking is free.")
    assert saved.nearest(0, "Parking is free. The badge costs 5 EUR.") == "The badge costs 5 EUR."
    assert saved.nearest(0, "Parking is free. Dogs may enter.") == ""
    assert saved.nearest(0, "I found this: The badge costs 5 EUR.") == "The badge costs 5 EUR."
    assert saved.nearest(0, "Badge: it costs 5 EUR.") == "Badge: it costs 5 EUR."
