"""Rows are chosen by the time that a question asks for, however cells and questions write it."""

from __future__ import annotations

import pytest
from written_rows import TODAY, in_time, rows

from worker.typed.rows.in_time import rows_in_time

WEEKS = ("Week | On call", "48 (23–29 Nov) | Ida", "49 (30 Nov – 6 Dec) | Bo", "50 | Cy")
NUMBERED = ("KW | Dienst", "48 | Ida", "49 | Bo", "50 | Cy")
STARTING = ("Week starting | On call", "23 Nov 2026 | Ida", "30 Nov 2026 | Bo", "7 Dec 2026 | Cy")
FROM_TO = ("Von | Bis | Dienst", "23.11. | 29.11. | Ida", "30.11. | 6.12. | Bo", "7.12. | | Cy")
RELEASES = ("Date | Release", "3 Nov 2026 | 1", "1 Dec 2026 | 2", "2026-12-15 | 3", "tba | 4")
CRANES = (
    "Crane | Last inspection | Next inspection",
    "C1 | 3 March 2026 | 3 March 2027",
    "C2 | 12.12.2025 | 12.12.2026",
)
MONTHS = ("Monat | Thema", "November | Brand", "Dezember | Erste Hilfe", "Juni | Strom")
PRICES = ("Ab | Preis", "1.1.2025 | 10", "1.1.2026 | 12", "1.1.2027 | 13")
CLOSINGS = ("When | What", "vom 1. bis 15. Dezember | Kantine", "Thu 24 Dec (from noon) | Büro")


@pytest.mark.parametrize(
    ("question", "table", "chosen"),
    [
        ("Who is on call right now?", WEEKS, {1}),
        ("Who is on call next week?", WEEKS, {2}),
        ("who is on call on 8 december", WEEKS, {3}),
        ("Wer hat gerade Dienst?", NUMBERED, {1}),
        ("Wer hat morgen Dienst?", NUMBERED, {2}),
        ("Wer hat in KW 50 Dienst?", NUMBERED, {3}),
        ("Who is on call tonight?", STARTING, {1}),
        ("Who is on call on 2026-12-13?", STARTING, {3}),
        ("Wer hat am 8.12. Dienst?", FROM_TO, {3}),
        ("Wer hat diese Woche Dienst?", FROM_TO, {1}),
        ("Which releases are in December?", RELEASES, {2, 3}),
        ("Is there a release the day after tomorrow?", RELEASES, {2}),
        ("Was ist im Dezember dran?", MONTHS, {2}),
        ("Was kostet es derzeit?", PRICES, {2}),
        ("Was kostet es nächstes Jahr?", PRICES, {3}),
        ("Was ist am 10.12. zu?", CLOSINGS, {1}),
        ("What is closed on 24 December?", CLOSINGS, {2}),
        ("What is closed next month?", CLOSINGS, {1, 2}),
        ("What is closed in the next two weeks?", CLOSINGS, {1}),
        ("What is closed in the next 99999999999 weeks?", CLOSINGS, {1, 2}),
    ],
)
def test_a_row_is_of_the_time_that_is_asked_for(
    question: str, table: tuple[str, ...], chosen: set[int]
) -> None:
    assert in_time(question, table) == chosen


@pytest.mark.parametrize(
    ("question", "table", "chosen"),
    [
        ("When is the next release?", RELEASES, {2}),
        ("When was the last release?", RELEASES, {1}),
        ("Wann ist der nächste Release im Dezember?", RELEASES, {2}),
        ("Who is next?", WEEKS, {2}),
        ("When is the next inspection?", CRANES, {2}),
        ("When was the last inspection?", CRANES, {1}),
    ],
)
def test_the_next_is_the_first_from_today_and_the_last_was_before(
    question: str, table: tuple[str, ...], chosen: set[int]
) -> None:
    assert in_time(question, table) == chosen


def test_the_next_is_one_of_the_rows_that_are_given() -> None:
    header, *lines = CRANES
    given = rows(*lines)[:1]
    found = rows_in_time("next inspection of C1", TODAY, header.split(" | "), given)
    assert found == frozenset({1})


def test_of_a_day_that_is_today_the_next_is_today() -> None:
    assert in_time("When is the next fire drill?", ("Date", "29.11.2026", "30.11.2026")) == {1}


@pytest.mark.parametrize(
    ("question", "table"),
    [
        ("Wer hat am 21.12. Dienst?", NUMBERED),
        ("Who is on call on 14 December?", STARTING),
        ("Is there a release today?", RELEASES),
        ("When is the next release?", ("Date | Release", "3 Nov 2026 | 1")),
    ],
)
def test_where_no_row_is_of_that_time_none_is_chosen(question: str, table: tuple[str, ...]) -> None:
    assert in_time(question, table) == set()


@pytest.mark.parametrize(
    ("question", "table"),
    [
        ("Who leads the team?", WEEKS),
        ("May I bring my dog?", WEEKS),
        ("Morgen zusammen, wer leitet das Team?", WEEKS),
        ("Who sits next to Ida?", WEEKS),
        ("How long does a shift last on call?", WEEKS),
        ("What are the next two releases?", RELEASES),
        ("Who is on call today?", ("Team | Lead", "Vision | Ida")),
        ("Which release is out now?", RELEASES),
        ("What do I learn this week?", ("Week | Task", "1 | Tour", "2 | Safety", "3 | Exam")),
        ("When is the next inspection?", ("Crane | Last inspection", "C1 | 1.12.2026")),
        ("Which permit is valid today?", ("Permit | Valid until", "A | 31.12.2026")),
    ],
)
def test_what_asks_for_no_time_or_cannot_be_told_is_left_alone(
    question: str, table: tuple[str, ...]
) -> None:
    assert in_time(question, table) is None


def test_two_columns_that_say_different_days_are_left_alone() -> None:
    table = ("Task | Planned | Approved", "A | 1.12.2026 | 3.12.2026", "B | 3.12.2026 | 1.12.2026")
    assert in_time("What happens on 1 December 2026?", table) is None


def test_a_question_that_names_a_column_means_it() -> None:
    table = ("Task | Planned | Approved", "A | 1.12.2026 | 3.12.2026", "B | 3.12.2026 | 1.12.2026")
    assert in_time("What is planned on 1 December 2026?", table) == {1}


def test_two_columns_that_say_the_same_are_one() -> None:
    table = ("KW | Tage | Dienst", "48 | 23.–29.11. | Ida", "49 | 30.11.–6.12. | Bo")
    assert in_time("Wer hat nächste Woche Dienst?", table) == {2}


def test_a_month_of_a_question_about_the_past_is_the_last_one() -> None:
    table = ("Date | Release", "5 June 2026 | 1", "5 June 2027 | 2")
    assert in_time("Which release was in June?", table) == {1}
    assert in_time("Which release is in June?", table) == {2}


def test_where_neither_has_a_year_june_is_june() -> None:
    assert in_time("Was ist im Juni dran?", MONTHS) == {3}


def test_a_column_of_which_most_cells_are_no_days_is_none() -> None:
    assert in_time("Who is on leave today?", ("Note", "29.11.2026", "Ida", "Bo")) is None


def test_days_in_brackets_are_a_remark_beside_days() -> None:
    table = ("Date | Release", "8 Dec 2026 (was 1 Dec 2026) | 1", "9 Dec 2026 | 2")
    assert in_time("Which release is on 1 December?", table) == set()
