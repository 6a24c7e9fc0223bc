"""What is written in different ways is the same number, time, date or identifier."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worker.support.dates import taken_out, weekdays
from worker.support.identifiers import identifiers, names, stands_in
from worker.support.quantities import quantities


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1,000 EUR", "1 000 €"),
        ("1.000 Euro", "€1000"),
        ("two weeks", "14 Tage"),
        ("drei Monate", "3 months"),
        ("85 %", "85 percent"),
        ("30 cents", "0,30 €"),
        ("400 thousand rows", "400,000 rows"),
        ("half an hour", "30 Minuten"),
        ("9 am", "09:00"),
        ("17.30 Uhr", "5:30 pm"),
        ("12:15 am", "0:15 Uhr"),
        ("12.30 Uhr", "12:30 pm"),
        ("day 3", "the third day"),
        ("10 working days", "zehn Arbeitstage"),
        ("a 52-minute outage", "52 Minuten"),
    ],
)
def test_a_quantity_is_the_same_in_another_notation(one: str, other: str) -> None:
    (mine,), (theirs,) = quantities(one), quantities(other)
    assert mine.is_said_by(theirs)
    assert theirs.is_said_by(mine)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("10 days", "10 weeks"),
        ("110 EUR", "110 USD"),
        ("9 am", "9 pm"),
        ("12 am", "12 pm"),
        ("1.500 m", "1.5 km"),
    ],
)
def test_another_unit_is_another_quantity(one: str, other: str) -> None:
    (mine,), (theirs,) = quantities(one), quantities(other)
    assert not mine.is_said_by(theirs)


@given(st.integers(min_value=1000, max_value=999_999_999))
def test_thousands_may_be_grouped_in_any_way(number: int) -> None:
    english = f"{number:,} days"
    for other in (english.replace(",", "."), english.replace(",", " "), f"{number} Tage"):
        (mine,), (theirs,) = quantities(english), quantities(other)
        assert mine.is_said_by(theirs)


@given(st.integers(2, 9999), st.integers(2, 9999))
def test_two_numbers_are_the_same_only_if_they_are_equal(one: int, other: int) -> None:
    (mine,), (theirs,) = quantities(f"{one} days"), quantities(f"{other} Tage")
    assert mine.is_said_by(theirs) == (one == other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("18.8.16", "18 August 2016"),
        ("18. August 2016", "2016-08-18"),
        ("bis zum 31.3.", "until March 31st"),
        ("31 March", "31 March 2026"),
        ("im März", "on 5 March"),
    ],
)
def test_a_date_is_the_same_in_another_notation(one: str, other: str) -> None:
    (mine,), (theirs,) = taken_out(one)[0], taken_out(other)[0]
    assert mine.is_said_by(theirs)


def test_another_day_or_year_is_another_date() -> None:
    (day,), (other,) = taken_out("3 May 2026")[0], taken_out("4 May 2026")[0]
    (year,) = taken_out("3 May 2025")[0]
    assert not day.is_said_by(other)
    assert not day.is_said_by(year)


def test_days_of_the_week_are_translated() -> None:
    assert list(weekdays("on Tuesdays")) == list(weekdays("am Dienstag")) == [1]


def test_identifiers_are_compared_as_a_whole() -> None:
    assert stands_in("SEV 1", "a SEV1")
    assert not stands_in("F-1", "F-17")
    assert not stands_in("4.2", "Tern 4.2.1")
    assert identifiers("F-17 and 4.2.1, within 2 days") == ["F-17", "4.2.1"]


def test_where_all_nouns_have_capitals_a_name_is_the_second_of_two() -> None:
    assert list(names("Frag Ada Byron im Büro", nouns_have_capitals=True))[-1] == "Byron"
    assert "Büro" not in list(names("Frag Ada Byron im Büro", nouns_have_capitals=True))
