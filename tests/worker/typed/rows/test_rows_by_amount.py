"""Rows are chosen by the amount that a question names, where their thresholds hold it."""

from __future__ import annotations

import pytest
from written_rows import by_amount

from core.structure import TableRow
from worker.typed.rows.by_amount import rows_by_amount

ORDERS = (
    "Betrag | Wer",
    "bis 500 € | A",
    "501–5.000 € | B",
    "5.001 bis 25.000 € | C",
    "> 25.000 € | D",
)
NESTED = ("Who | Limit", "A | up to 500 EUR", "B | up to 5,000 EUR", "C | up to 25,000 EUR")
FROM = ("Wer | Rabatt", "A | ab 100 €", "B | ab 10.000 €", "C | ab 50.000 €")
NAMED = ("Up to (EUR) | Who", "500 | A", "5000 | B", "anything else | C")
LEAVE = ("Duration | Who", "up to 3 days | A", "from 4 days | B", "more than 2 weeks | C")
LOADS = ("Load | Crane", "< 500 kg | A", "500 to 5,000 kg | B", "6,000 kg or more | C")

SERVICE = ("Completed years | Leave", "0 to 4 | 25", "5 to 9 | 27", "10 and more | 30")


@pytest.mark.parametrize(
    ("question", "table", "chosen"),
    [
        ("How much leave after 6 years?", SERVICE, {2}),
        ("How much leave after 18 months?", SERVICE, {1}),
        ("Wer genehmigt 12000 euro?", ORDERS, {3}),
        ("Wer genehmigt 30.000 €?", ORDERS, {4}),
        ("Wer unterschreibt 18.000?", ORDERS, {3}),
        ("Who signs 12k?", ORDERS, {3}),
        ("Wer genehmigt 500 €?", ORDERS, {1}),
        ("Who signs 1,200 EUR a year?", NESTED, {2}),
        ("Who signs 25,000 EUR?", NESTED, {3}),
        ("Who signs less than 500 EUR?", NESTED, {1}),
        ("Who signs more than 500 EUR?", NESTED, {2}),
        ("Rabatt für 10.000 €", FROM, {2}),
        ("Rabatt für 9.999 €", FROM, {1}),
        ("Who signs 700 EUR?", NAMED, {2}),
        ("Who approves 5 days off?", LEAVE, {2}),
        ("Wer genehmigt drei Wochen?", LEAVE, {3}),
        ("Which crane lifts 499 kg?", LOADS, {1}),
        ("Which crane lifts 500 kg?", LOADS, {2}),
        ("Which crane lifts 7000 kg?", LOADS, {3}),
    ],
)
def test_the_nearest_threshold_that_holds_the_amount_is_chosen(
    question: str, table: tuple[str, ...], chosen: set[int]
) -> None:
    assert by_amount(question, table) == chosen


@pytest.mark.parametrize(
    ("question", "table"),
    [("Who signs 30,000 EUR?", NESTED), ("Rabatt für 50 €", FROM), ("over 25,000 euros", NESTED)],
)
def test_beyond_all_thresholds_there_is_no_row(question: str, table: tuple[str, ...]) -> None:
    assert by_amount(question, table) == set()


@pytest.mark.parametrize(
    ("question", "table"),
    [
        ("Who signs?", NESTED),
        ("Who signs 300 EUR or 700 EUR?", NESTED),
        ("Who signed in 2026?", NESTED),
        ("Who sits in room 12?", NESTED),
        ("Who approves 700 EUR?", LEAVE),
        ("Who approves 4711?", LEAVE),
        ("Who approves 20 days?", NAMED),
        ("Who signs 9000 EUR?", NAMED),
        ("Who signs 700 EUR?", ("Who | Limit", "A | up to 500 EUR", "B | 900 EUR")),
        ("Wer genehmigt 500,50 €?", ORDERS),
        ("Wer unterschreibt eine Rechnung über 5.000 €?", ("Wer", "bis 5.000 €", "bis 9.000 €")),
    ],
)
def test_what_is_no_single_amount_or_no_threshold_of_it_is_left_alone(
    question: str, table: tuple[str, ...]
) -> None:
    assert by_amount(question, table) is None


@pytest.mark.parametrize("question", ["Who signs 1.850?", "Who signs 1.850 EUR?"])
def test_a_number_that_may_be_read_in_two_ways_chooses_nothing(question: str) -> None:
    assert by_amount(question, ("Who", "up to 500", "up to 5000")) is None


def test_a_notation_that_the_table_has_is_read_as_there() -> None:
    assert by_amount("Who signs 1.850?", ("Wer", "bis 500", "bis 5.000")) == {2}
    assert by_amount("Who signs 1,850?", ("Wer", "bis 500", "bis 5.000")) is None


def test_limits_of_several_things_are_not_mixed() -> None:
    table = ("What | Limit", "Travel | up to 500 €", "Travel | up to 5000 €", "Tools | up to 900 €")
    assert by_amount("Who signs 700 €?", table) is None


def test_each_group_of_rows_has_its_own_limits() -> None:
    cells = [("Travel", "up to 500 €"), ("Travel", "up to 5000 €"), ("Tools", "up to 900 €")]
    rows = [
        TableRow(number=place, cells=(limit,), group=group)
        for place, (group, limit) in enumerate(cells, start=1)
    ]
    assert rows_by_amount("Who signs 700 €?", ("Limit",), rows) == frozenset({2, 3})
