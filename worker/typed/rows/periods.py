"""Spans of days that cells and questions name; a year that is missing is the nearest to today."""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass, replace
from datetime import date, timedelta

from worker.support.dates import Day

WEEK = 7  # days
_WEEKS_APART = 10  # at most, of the first and the last week of a span


@dataclass(frozen=True)
class DaySpan:
    """The days from `first` to `last`, both among them."""

    first: date
    last: date
    lacks_year: bool = False  # then its year is a guess

    def meets(self, other: DaySpan) -> bool:
        return self.first <= other.last and other.first <= self.last

    def days_from(self, day: date) -> int:
        """How far away it is; 0 where the day is one of it."""
        return max((self.first - day).days, (day - self.last).days, 0)


def one_day(day: date) -> DaySpan:
    return DaySpan(day, day)


def week_of(day: date) -> DaySpan:
    monday = day - timedelta(day.weekday())
    return DaySpan(monday, monday + timedelta(WEEK - 1))


def month_of(day: date) -> DaySpan:
    return DaySpan(day.replace(day=1), day.replace(day=monthrange(day.year, day.month)[1]))


def nearest(day: Day, today: date) -> DaySpan | None:
    """None where there is no such day.

    >>> nearest(Day(0, 1, 4, "4 January"), date(2026, 11, 29)).first
    datetime.date(2027, 1, 4)
    """
    if day.year:
        return _in_year(day, day.year)
    years = range(today.year - 1, today.year + 2)
    found = [span for span in (_in_year(day, year) for year in years) if span]
    if not found:
        return None
    return replace(min(found, key=lambda span: span.days_from(today)), lacks_year=True)


def between(one: Day, other: Day, today: date) -> DaySpan | None:
    """From the one to the other, which may be of the year after; None where it ends too early."""
    if other.year and not one.year:
        last = _in_year(other, other.year)
        first = _in_year(one, other.year)
        if first and last and first.first > last.last:
            first = _in_year(one, other.year - 1)
    else:
        first = nearest(one, today)
        last = _in_year(other, other.year or first.first.year) if first else None
        if first and last and not other.year and last.last < first.first:
            last = _in_year(other, first.first.year + 1)
    if not first or not last or last.last < first.first:
        return None
    return DaySpan(first.first, last.last, lacks_year=not (one.year or other.year))


def calendar_week(number: int, year: int, today: date) -> DaySpan | None:
    """By ISO 8601; without a year (0) the nearest to today. None where a year has no such week."""
    years = (year,) if year else range(today.year - 1, today.year + 2)
    found = []
    for each in years:
        try:
            found.append(week_of(date.fromisocalendar(each, number, 1)))
        except ValueError:
            continue  # 53 in a year of 52
    if not found:
        return None
    return replace(min(found, key=lambda week: week.days_from(today)), lacks_year=not year)


def weeks_through(first: DaySpan, number: int) -> DaySpan | None:
    """From a week to the next one of a number, where that is not far."""
    for weeks in range(1, _WEEKS_APART):
        monday = first.first + timedelta(WEEK * weeks)
        if monday.isocalendar().week == number:
            return replace(first, last=week_of(monday).last)
    return None


def a_year_later(span: DaySpan, years: int = 1) -> DaySpan:
    """The same days; of months, all of their days."""
    day = Day(span.last.year + years, span.last.month, span.last.day, "")
    whole = month_of(span.last).last == span.last
    last = _in_year(day._replace(day=0) if whole else day, day.year)
    first = _in_year(Day(0, span.first.month, span.first.day, ""), span.first.year + years)
    if not first or not last:
        return span  # 29 February
    return replace(span, first=first.first, last=last.last)


def _in_year(day: Day, year: int) -> DaySpan | None:
    try:
        first = date(year, day.month, day.day or 1)
    except ValueError:
        return None  # 30 February
    return one_day(first) if day.day else month_of(first)
