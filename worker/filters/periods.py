"""Dates in filters: as people write them, they become half-open periods.

A narrow grammar stands in front of dateparser, which knows the words but reads "4.2", "mo" and "in"
as dates too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import chain

from dateparser.date import DateDataParser

from core import grammar
from core.grammar import Words

_GRAMMAR = grammar.merged()
_WORDS = _GRAMMAR.dates


def _whole_months() -> Words:
    """The names that are no other word, and the others with a capital."""
    names: dict[str, None] = {}
    for language in grammar.languages().values():
        for written in language.months.names.values():
            names |= dict.fromkeys(written[:1])
    with_capital = _GRAMMAR.months.with_capital
    for name in with_capital:
        names.pop(name.lower(), None)
    return Words((*names, f"(?-i:{with_capital})"))


_MONTH_NAMES = Words(chain(*_GRAMMAR.months.names.values()))
_MONTHS = rf"(?:{_MONTH_NAMES}\b\.?)"
_OF = rf"(?:{_WORDS.of}\s+)?"
_YEAR = r"(?:(?:19|20)\d\d\b(?![.:/-]\d))"
_DAY = rf"(?:(?:0?[1-9]|[12]\d|3[01])(?:{_WORDS.ordinals}|\.)?(?!\w))"
DURATION = rf"(?:(?:\d{{1,2}}|{_WORDS.numbers})\s+{_WORDS.units}\b)"
DATE = (
    r"(?:"
    r"(?:19|20)\d\d-\d\d(?:-\d\d)?(?![\w-])"
    r"|\d{1,2}\.\s?\d{1,2}\.\s?(?:19|20)\d\d\b"
    rf"|{_DAY}\s*{_OF}{_MONTHS}(?:,?\s*{_YEAR})?"
    rf"|{_MONTHS}\s*{_DAY}(?:,?\s*{_YEAR})?"
    rf"|{_MONTHS}\s*{_OF}{_YEAR}"
    rf"|Q[1-4]\s+{_YEAR}|{_YEAR}|{_whole_months()}\b"
    rf"|(?:{_WORDS.last}\s+)?{_WORDS.weekdays}\b"
    rf"|{_WORDS.this_or_last}\s+{_WORDS.weeks}s?\b(?!['’])"
    rf"|{_WORDS.days}\b(?!['’])"
    r")"
)
# Days that lead into the next period, from the first day of one.
_STEP = {"day": 1, "week": 7, "month": 32, "quarter": 95, "year": 367}


@dataclass(frozen=True)
class Period:
    """The days from `first` on, `end` not among them."""

    first: date
    end: date


def period(words: str, today: date) -> Period | None:
    """What a date stands for, as seen from today; without a year, the last one that has begun.

    >>> period("March 2023", date(2026, 3, 18))
    Period(first=datetime.date(2023, 3, 1), end=datetime.date(2023, 4, 1))
    """
    parsed = _parsed(words, today)
    if parsed is None:
        return None
    day, unit = parsed
    first = _first(day, unit)
    end = _first(first + timedelta(_STEP[unit]), unit)
    return Period(first, end)


def ago(duration: str, today: date) -> date | None:
    """The day so long before today.

    >>> ago("zwei Wochen", date(2026, 3, 18))
    datetime.date(2026, 3, 4)
    """
    parsed = _parsed(duration, today)
    return parsed[0] if parsed else None


def _parsed(words: str, today: date) -> tuple[date, str] | None:
    """A day of the period that is meant, and its unit: day, week, month, quarter or year."""
    plain = " ".join(words.split())
    for pattern, instead in _WORDS.known_as:
        plain = re.sub(pattern, instead, plain, flags=re.I)
    settings = {
        "RELATIVE_BASE": datetime.combine(today, time()),
        "PREFER_DATES_FROM": "past",
        "DATE_ORDER": "DMY",
    }
    found = DateDataParser(languages=list(grammar.languages()), settings=settings).get_date_data(
        plain
    )
    if not found.date_obj or found.period not in _STEP:
        return None
    return found.date_obj.date(), found.period


def _first(day: date, unit: str) -> date:
    """The first day of the unit that this day is in."""
    if unit == "week":
        return day - timedelta(day.weekday())
    if unit == "month":
        return day.replace(day=1)
    if unit == "quarter":
        return day.replace(month=day.month - (day.month - 1) % 3, day=1)
    if unit == "year":
        return day.replace(month=1, day=1)
    return day
