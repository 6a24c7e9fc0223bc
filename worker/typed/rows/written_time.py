"""The days that a cell or a question names: one, from one to another, months, calendar weeks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from core import grammar
from core.evidence.lexical.dates import MONTHS
from worker.support.dates import Day, placed_days
from worker.typed.rows.periods import DaySpan, between, calendar_week, nearest, weeks_through

_GRAMMAR = grammar.merged()
_WORDS = _GRAMMAR.rows.time
_AMOUNTS = _GRAMMAR.rows.amounts
_SIGN = rf"(?:[-–—]|\b{_WORDS.through}\b)"
_DAY = rf"\d{{1,2}}(?:{_GRAMMAR.dates.ordinals})?"
_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
# "23.–29.11." and "Nov 23–29" as "23.11.–29.11." and "Nov 23–Nov 29".
_DOTTED = re.compile(
    rf"(?<![\d.])(\d{{1,2}}\.)(\s*{_SIGN}\s*)(?=\d{{1,2}}\.\s?(\d{{1,2}}\.))", re.IGNORECASE
)
_AFTER_MONTH = re.compile(
    rf"\b({_MONTH})(\.?\s+{_DAY}\s*{_SIGN}\s*)(?={_DAY}(?!\w|[.:]\d|\s+(?:{_MONTH})\b))",
    re.IGNORECASE,
)
# A weekday may stand before the second day.
_WEEKDAY = r"(?:[^\W\d]{2,10}\.?,?\s*)?"
_FROM_TO = re.compile(rf"[\s,]*{_SIGN}\s*{_WEEKDAY}", re.IGNORECASE)
_AND = re.compile(rf"\s*(?:{_SIGN}|{_AMOUNTS.both}\b)\s*{_WEEKDAY}", re.IGNORECASE)
_BETWEEN = re.compile(rf"\b{_AMOUNTS.between}\b(?:\s+[^\W\d]+)?\s*$", re.IGNORECASE)
_NUMBER = r"(?P<number>\d{1,2})(?![\d:]|\.\d)"
_THROUGH = rf"(?:\s*(?:[/-]|{_SIGN})\s*(?P<through>\d{{1,2}})(?!\w|[.:]\d))?"
_OF_YEAR = r"(?:\s*[/,]?\s*(?P<year>(?:19|20)\d\d)\b)?"
_WEEK = re.compile(
    rf"\b(?:{_WORDS.calendar_weeks}|{_WORDS.week})s?\.?\s*{_NUMBER}{_THROUGH}{_OF_YEAR}",
    re.IGNORECASE,
)
_BARE_WEEK = re.compile(rf"\W*{_NUMBER}{_THROUGH}{_OF_YEAR}")
_ISO_WEEK = re.compile(r"\b(?P<year>20\d\d)-?W(?P<number>\d\d)\b(?P<through>)")


def day_spans(text: str, today: date) -> tuple[list[DaySpan], str]:
    """The days and months of a text, and the text with blanks in their places.

    >>> day_spans("Mon 23.–29.11. Ida", date(2026, 11, 29))[0][0].last
    datetime.date(2026, 11, 29)
    """
    text = _AFTER_MONTH.sub(r"\1\2\1 ", _DOTTED.sub(r"\1\3\2", text))
    placed, left = placed_days(text)
    return list(_spans(sorted(placed), text, today)), left


def week_spans(text: str, today: date, *, bare: bool = False) -> tuple[list[DaySpan], str]:
    """The calendar weeks of a text, and the text with blanks; `bare`: a number alone is one.

    >>> week_spans("KW 49/50", date(2026, 11, 29))[0][0].last
    datetime.date(2026, 12, 13)
    """
    found: list[DaySpan] = []
    for pattern in (_ISO_WEEK, _WEEK):
        for match in pattern.finditer(text):
            found += _weeks(match, today)
        text = pattern.sub(blank, text)
    alone = _BARE_WEEK.match(text) if bare and not found else None
    return found + (list(_weeks(alone, today)) if alone else []), text


def blank(found: re.Match[str]) -> str:
    """As many blanks as the pattern has found characters."""
    return " " * len(found[0])


def _spans(placed: list[tuple[int, Day]], text: str, today: date) -> Iterator[DaySpan]:
    place = 0
    while place < len(placed):
        start, day = placed[place]
        place += 1
        span = nearest(day, today)
        if place < len(placed):
            next_start, next_day = placed[place]
            joined = _AND if _BETWEEN.search(text[:start]) else _FROM_TO
            if joined.fullmatch(text[start + len(day.text) : next_start]):
                span = between(day, next_day, today)
                place += 1
        if span:
            yield span


def _weeks(match: re.Match[str], today: date) -> Iterator[DaySpan]:
    first = calendar_week(int(match["number"]), int(match["year"] or 0), today)
    if first and match["through"]:
        first = weeks_through(first, int(match["through"]))
    if first:
        yield first
