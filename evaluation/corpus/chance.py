"""Seeded random draws and date formats that the templates of the corpus may call."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random
from typing import TypeVar

T = TypeVar("T")

MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
MONATE = [
    "Januar",
    "Februar",
    "März",
    "April",
    "Mai",
    "Juni",
    "Juli",
    "August",
    "September",
    "Oktober",
    "November",
    "Dezember",
]


class Chance:
    """A stream of draws; the same names give the same stream, whatever else is drawn."""

    def __init__(self, *names: object) -> None:
        self.random = Random("/".join(map(str, names)))

    def number(self, low: int, high: int, step: int = 1) -> int:
        return self.random.randrange(low, high + 1, step)

    def one(self, *of: T) -> T:
        return self.random.choice(of)

    def some(self, of: list[T], count: int) -> list[T]:
        return self.random.sample(of, count)

    def day(self, first: str, last: str) -> str:
        """A day in ISO 8601, both ends included."""
        start = date.fromisoformat(first)
        span = date.fromisoformat(last) - start
        drawn = start + timedelta(days=self.number(0, span.days))
        return drawn.isoformat()

    def is_so(self, probability: float) -> bool:
        return self.random.random() < probability


def long(day: str) -> str:
    """
    >>> long("2026-03-03")
    '3 March 2026'
    """
    when = date.fromisoformat(day)
    return f"{when.day} {MONTHS[when.month - 1]} {when.year}"


def short(day: str) -> str:
    """
    >>> short("2026-03-03")
    'Mar 3, 2026'
    """
    when = date.fromisoformat(day)
    return f"{MONTHS[when.month - 1][:3]} {when.day}, {when.year}"


def dots(day: str) -> str:
    """
    >>> dots("2026-03-03")
    '03.03.2026'
    """
    return date.fromisoformat(day).strftime("%d.%m.%Y")


def german(day: str) -> str:
    """
    >>> german("2026-03-03")
    '3. März 2026'
    """
    when = date.fromisoformat(day)
    return f"{when.day}. {MONATE[when.month - 1]} {when.year}"


def week(day: str) -> str:
    """
    >>> week("2026-03-03")
    'CW 10/2026'
    """
    year, number, _ = date.fromisoformat(day).isocalendar()
    return f"CW {number}/{year}"


def stamp(day: str) -> str:
    """As Confluence stores a date that was picked."""
    return f'<time datetime="{day}" />'


def later(day: str, days: int) -> str:
    """
    >>> later("2026-03-03", -3)
    '2026-02-28'
    """
    return (date.fromisoformat(day) + timedelta(days=days)).isoformat()


FILTERS = {each.__name__: each for each in (long, short, dots, german, week, stamp, later)}
