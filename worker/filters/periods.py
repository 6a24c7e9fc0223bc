"""Dates in filters: as people write them, English and German, they become half-open periods.

A narrow grammar stands in front of dateparser, which knows the words but reads "4.2", "mo" and "in"
as dates too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from dateparser.date import DateDataParser

_MONTHS = (
    r"(?:(?:january?|februar[y]?|march|märz|april|june?|juni|july?|juli|august|september"
    r"|o[ck]tober|november|de[cz]ember|may|mai"
    r"|jan|feb|mar|mär|apr|jun|jul|aug|sept?|o[ck]t|nov|de[cz])\b\.?)"
)
_YEAR = r"(?:(?:19|20)\d\d\b(?![.:/-]\d))"
_DAY = r"(?:(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th|\.)?(?!\w))"
_ALONE = (  # a month without a year: only what is no other word; "may" and "march" are verbs
    r"(?:january?|februar[y]?|märz|april|june|juni|july|juli|august|september"
    r"|o[ck]tober|november|de[cz]ember|(?-i:March|May|Mai))\b"
)
_WEEKDAY = (
    r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday"
    r"|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)\b"
)
_RELATIVE = (
    r"(?:this|last|previous|past|current|dies\w{1,2}|letzt\w{1,2}|vergangen\w{1,2}|vorig\w{1,2})"
)
_NUMBER = (
    r"(?:\d{1,2}|an?|one|two|three|four|five|six|ten|twelve"
    r"|ein\w{0,2}|zwei|drei|vier|fünf|sechs|zehn|zwölf)"
)
_UNIT = r"(?:days?|weeks?|months?|years?|tag(?:en?)?|wochen?|monat(?:en?)?|jahr(?:en?)?)"
DURATION = rf"(?:{_NUMBER}\s+{_UNIT}\b)"
DATE = (
    r"(?:"
    r"(?:19|20)\d\d-\d\d(?:-\d\d)?(?![\w-])"
    r"|\d{1,2}\.\s?\d{1,2}\.\s?(?:19|20)\d\d\b"
    rf"|{_DAY}\s*(?:of\s+)?{_MONTHS}(?:,?\s*{_YEAR})?"
    rf"|{_MONTHS}\s*{_DAY}(?:,?\s*{_YEAR})?"
    rf"|{_MONTHS}\s*(?:of\s+)?{_YEAR}"
    rf"|Q[1-4]\s+{_YEAR}|{_YEAR}|{_ALONE}"
    rf"|(?:last\s+|letzt\w\w\s+)?{_WEEKDAY}"
    rf"|{_RELATIVE}\s+(?:week|month|year|woche|monat|jahr)s?\b(?!['’])"
    r"|(?:today|yesterday|heute|gestern|vorgestern)\b(?!['’])"
    r")"
)
_KNOWN_AS = (  # what dateparser knows in one form only
    (r"\b(?:letzt|vergangen|vorig)\w+\s+woche", "letzte woche"),
    (r"\b(?:letzt|vergangen|vorig)\w+\s+monats?", "letzten monat"),
    (r"\b(?:letzt|vergangen|vorig)\w+\s+jahr(?:es)?", "letztes jahr"),
    (r"\bdies\w*\s+woche", "diese woche"),
    (r"\bdies\w*\s+monats?", "diesen monat"),
    (r"\bdies\w*\s+jahr(?:es)?", "dieses jahr"),
    (r"\b(?:letzt\w\w|last)\s+(?=\w+(?:tag|day|woch)\b)", ""),
    (r"\b(?:past|previous)\s+", "last "),
    (r"\bcurrent\s+", "this "),
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
    for pattern, instead in _KNOWN_AS:
        plain = re.sub(pattern, instead, plain, flags=re.I)
    settings = {
        "RELATIVE_BASE": datetime.combine(today, time()),
        "PREFER_DATES_FROM": "past",
        "DATE_ORDER": "DMY",
    }
    found = DateDataParser(languages=["en", "de"], settings=settings).get_date_data(plain)
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
