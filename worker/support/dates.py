"""Dates of a claim or statement: days, months and weekdays, in whatever notation and language.

Other than the dates of core.evidence.lexical, which are index terms, these may lack their year.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from core import grammar
from core.evidence.lexical.dates import MONTHS

_GRAMMAR = grammar.merged()
_WITH_CAPITAL = "|".join(map(str.capitalize, sorted(MONTHS, key=len, reverse=True)))
_MONTH = rf"(?P<name>(?-i:{_WITH_CAPITAL}))\b\.?"
_ORDINAL = rf"(?:{_GRAMMAR.dates.ordinals}|\.)?"
_YEAR = r"(?P<year>(?:19|20)\d{2})"
_DAY = r"(?P<day>[12]\d|3[01]|0?[1-9])"
_NUMBER = r"(?P<month>1[0-2]|0?[1-9])"
_RANGE = rf"(?:[-–—]|\b{_GRAMMAR.support.ranges}\b)(?:\s+zum)?"
_NOTATIONS = (
    # The first day of "10 to 17 March".
    rf"{_DAY}{_ORDINAL}(?=\s*{_RANGE}\s*\d{{1,2}}{_ORDINAL}\s+{_MONTH}(?:,?\s+{_YEAR})?)",
    rf"{_YEAR}-{_NUMBER}-{_DAY}(?:T[\d:.]+Z?)?",
    rf"{_DAY}\.\s?{_NUMBER}\.\s?(?P<year>(?:19|20)?\d{{2}})",
    rf"{_NUMBER}/{_DAY}/{_YEAR}",
    rf"{_DAY}{_ORDINAL}\s+(?:{_GRAMMAR.dates.of}\s+)?{_MONTH}(?:,?\s+{_YEAR})?",
    rf"{_MONTH}\s+{_DAY}{_ORDINAL}(?!\s?[:.]?\d)(?:,?\s+{_YEAR})?",
    rf"{_DAY}\.\s?{_NUMBER}\.",
    rf"{_MONTH}(?:\s+{_YEAR})?",
)
_DATES = tuple(
    re.compile(rf"(?<![\w.]){notation}(?!\w|\.\d)", re.IGNORECASE) for notation in _NOTATIONS
)
_WEEKDAYS: dict[str, int] = {}
for _language in grammar.languages().values():
    _WEEKDAYS |= {name: place for place, name in enumerate(_language.dates.weekdays)}
_WEEKDAY = re.compile(rf"\b({'|'.join(_WEEKDAYS)})s?\b", re.IGNORECASE)


class Day(NamedTuple):
    """A date as far as it is named: what it leaves open is 0."""

    year: int
    month: int
    day: int
    text: str

    def is_said_by(self, other: Day) -> bool:
        """Whether the other names it: a day of March is named by no other day, but March is."""
        same_year = not (self.year and other.year) or self.year == other.year
        return same_year and self.month == other.month and self.day in (0, other.day)


def taken_out(text: str) -> tuple[list[Day], str]:
    """The dates, and the text with blanks in their places.

    >>> taken_out("since 31.3. or 2016-08-18")[0]
    [Day(year=2016, month=8, day=18, text='2016-08-18'), Day(year=0, month=3, day=31, text='31.3.')]
    """
    placed, left = placed_days(text)
    return [day for _, day in placed], left


def placed_days(text: str) -> tuple[list[tuple[int, Day]], str]:
    """The dates, each with the place where it stands, and the text with blanks in their places."""
    days: list[tuple[int, Day]] = []
    for pattern in _DATES:
        days += (
            (found.start(), _day(found[0].strip(), found.groupdict()))
            for found in pattern.finditer(text)
        )
        text = pattern.sub(lambda found: " " * len(found[0]), text)
    return days, text


def weekdays(text: str) -> dict[int, str]:
    """Each day of the week, 0 for Monday, with how it is written."""
    return {_WEEKDAYS[found[1].lower()]: found[0] for found in _WEEKDAY.finditer(text)}


def _day(text: str, parts: Mapping[str, str | None]) -> Day:
    named = parts.get("name")
    month = MONTHS[named.lower()] if named else int(parts["month"] or 0)
    year = int(parts.get("year") or 0)
    if 0 < year < 100:
        year += 2000
    return Day(year, month, int(parts.get("day") or 0), text)
