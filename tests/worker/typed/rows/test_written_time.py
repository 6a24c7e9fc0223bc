"""Days, spans, months and weeks are read as both languages write them."""

from __future__ import annotations

from datetime import date

import pytest
from written_rows import TODAY

from worker.typed.rows.asked_time import AskedOrder, AskedTime, asked_time
from worker.typed.rows.periods import DaySpan
from worker.typed.rows.written_time import day_spans, week_spans


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2026-12-08", "2026-12-08", "2026-12-08"),
        ("Mon 23 Nov", "2026-11-23", "2026-11-23"),
        ("4.1.", "2027-01-04", "2027-01-04"),
        ("23–29 Nov 2024", "2024-11-23", "2024-11-29"),
        ("Nov 23–29, 2024", "2024-11-23", "2024-11-29"),
        ("vom 1. bis zum 15. Dezember", "2026-12-01", "2026-12-15"),
        ("27 April to 3 May", "2027-04-27", "2027-05-03"),
        ("23.–29.11.", "2026-11-23", "2026-11-29"),
        ("Mo., 28.12. – So., 3.1.2027", "2026-12-28", "2027-01-03"),
        ("between 8 and 12 December", "2026-12-08", "2026-12-12"),
        ("Februar 2028", "2028-02-01", "2028-02-29"),
        ("Nov 2026 – Jan 2027", "2026-11-01", "2027-01-31"),
    ],
)
def test_a_span_is_read_from_its_first_to_its_last_day(text: str, first: str, last: str) -> None:
    (span,), _ = day_spans(text, TODAY)
    assert (span.first.isoformat(), span.last.isoformat()) == (first, last)


def test_days_with_and_between_them_are_two() -> None:
    assert len(day_spans("1 and 15 December", TODAY)[0]) == 2


def test_a_day_that_does_not_exist_is_none() -> None:
    assert day_spans("30 February 2026", TODAY)[0] == []


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("CW 48", "2026-11-23", "2026-11-29"),
        ("KW49", "2026-11-30", "2026-12-06"),
        ("week 3", "2027-01-18", "2027-01-24"),
        ("KW 48/2025", "2025-11-24", "2025-11-30"),
        ("2026-W48", "2026-11-23", "2026-11-29"),
        ("KW 52–1", "2026-12-21", "2027-01-10"),
    ],
)
def test_a_calendar_week_is_seven_days(text: str, first: str, last: str) -> None:
    (span,), _ = week_spans(text, TODAY)
    assert (span.first.isoformat(), span.last.isoformat()) == (first, last)


def test_a_number_is_a_week_only_where_that_is_known() -> None:
    assert week_spans("48", TODAY)[0] == []
    assert len(week_spans("48", TODAY, bare=True)[0]) == 1


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("on Friday", "2026-12-04"),
        ("who had duty on Friday", "2026-11-27"),
        ("wer ist heute morgen da", "2026-11-29"),
        ("übermorgen", "2026-12-01"),
        ("in der Woche vom 7.12.", "2026-12-07"),
        ("am 8.12", "2026-12-08"),
        ("last week", "2026-11-16"),
        ("in may", "2027-05-01"),
        ("this weekend", "2026-11-28"),
    ],
)
def test_a_question_counts_from_today(question: str, first: str) -> None:
    asked = asked_time(question, TODAY)
    assert asked is not None
    assert [span.first.isoformat() for span in asked.spans] == [first]


def test_next_before_a_period_is_no_order() -> None:
    december = DaySpan(date(2026, 12, 1), date(2026, 12, 31), lacks_year=True)
    assert asked_time("Who is on call next December?", TODAY) == AskedTime((december,))
    assert asked_time("next audit", TODAY) == AskedTime(order=AskedOrder.NEXT)


def test_next_friday_is_not_guessed_where_this_week_has_one() -> None:
    assert asked_time("next Friday", date(2026, 11, 25)) is None
    assert asked_time("next Friday", TODAY) is not None
