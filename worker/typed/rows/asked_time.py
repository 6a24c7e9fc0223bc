"""The time that a question asks for: days, weeks and months, or what comes next or was last."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from enum import Enum

from core import grammar
from core.evidence.lexical.dates import MONTHS
from worker.support.dates import weekdays
from worker.support.quantities import quantities
from worker.typed.rows.periods import WEEK, DaySpan, a_year_later, month_of, one_day, week_of
from worker.typed.rows.written_time import blank, day_spans, week_spans

_GRAMMAR = grammar.merged()
_WORDS = _GRAMMAR.rows.time
_ALSO_WORDS = frozenset(name.lower() for name in _GRAMMAR.months.with_capital)
_SHORT = 4  # letters of an abbreviation: "dec" alone may be anything
_MONTH = re.compile(
    rf"(?P<before>\b{_WORDS.before_months}\s+|\d(?:{_GRAMMAR.dates.ordinals}|\.)?\s*"
    rf"(?:{_GRAMMAR.dates.of}\s+)?)?"
    rf"\b(?P<name>{'|'.join(sorted(MONTHS, key=len, reverse=True))})\b(?P<after>\.?\s+\d)?",
    re.IGNORECASE,
)
_DOTTED = re.compile(rf"\b({_WORDS.before_days}\s+\d{{1,2}}\.\d{{1,2}})(?![.\d])", re.IGNORECASE)
_WEEK_OF = re.compile(rf"\b{_WORDS.week_of}\s+(?=\S*\d)", re.IGNORECASE)
_WAS = re.compile(rf"\b{_WORDS.was}\b", re.IGNORECASE)
_NOW = re.compile(rf"\b{_WORDS.now}(?!\w)", re.IGNORECASE)
_DAYS = tuple(
    (re.compile(rf"\b(?:{words})(?!\w)", re.IGNORECASE), days)
    for words, days in (
        (_WORDS.after_tomorrow, 2),
        (_WORDS.today, 0),  # before tomorrow: "heute morgen"
        (_WORDS.tomorrow, 1),
        (_WORDS.yesterday, -1),
    )
)
_SHIFTS = ((_WORDS.current, 0), (_WORDS.following, 1), (_WORDS.previous, -1))
_UNITS = re.compile(
    rf"(?P<weekend>{_WORDS.weekend})|(?P<week>{_WORDS.week})"
    rf"|(?P<month>{_WORDS.month})|(?P<year>{_WORDS.year})",
    re.IGNORECASE,
)
_PERIODS = tuple(
    (re.compile(rf"\b{words}\s+(?P<unit>{_UNITS.pattern})(?!\w)", re.IGNORECASE), shift)
    for words, shift in _SHIFTS
)
_IN_A_ROW = tuple(
    (re.compile(rf"\b{words}\s+(?=(?P<many>\w+\s+\w+))", re.IGNORECASE), shift)
    for words, shift in _SHIFTS[1:]
)
_DAYS_OF = {"d": 1, "w": WEEK, "month": 30, "y": 365}  # nobody counts the next months in days
_WEEKDAY = re.compile(
    rf"\b(?:(?P<following>{_WORDS.following})|{_WORDS.before_weekdays})\s+"
    rf"(?P<name>{'|'.join(_GRAMMAR.dates.weekdays)})(?!\w)",
    re.IGNORECASE,
)
_FARTHEST = 36_500  # days
# What is next stands behind it: where a period stood, there are blanks now.
_NEXT = re.compile(rf"\b{_WORDS.next}(?= [^\W\d]|[?.!]*$)", re.IGNORECASE)
_LAST = re.compile(rf"\b{_WORDS.last}(?= [^\W\d]|[?.!]*$)", re.IGNORECASE)
_Reading = Callable[[str, date], tuple[list[DaySpan], str]]


class AskedOrder(Enum):
    """What is counted from today: the first that comes, or the latest that has been."""

    NEXT = "next"
    LAST = "last"


@dataclass(frozen=True)
class AskedTime:
    """The spans of which any may be meant; with an order, the one row within them."""

    spans: tuple[DaySpan, ...] = ()
    order: AskedOrder | None = None
    is_now: bool = False  # what holds now may have begun long ago
    rest: str = field(default="", compare=False)  # the question without the words that say this


def asked_time(question: str, today: date) -> AskedTime | None:
    """None where a question asks for no time, or for one that can be read in two ways.

    >>> span, = asked_time("Wer hat nächste Woche Dienst?", date(2026, 11, 29)).spans
    >>> span.first
    datetime.date(2026, 11, 30)
    >>> asked_time("May I bring my dog?", date(2026, 11, 29)) is None
    True
    """
    text = _DOTTED.sub(r"\1.", _MONTH.sub(_with_capital, question))
    is_past = bool(_WAS.search(text))
    spans: list[DaySpan] = []
    for reading in (_written_days, _written_weeks, _days, _periods, _in_a_row):
        found, text = reading(text, today)
        spans += found
    spans = [_turned(span, today, is_past=is_past) for span in spans]
    if not spans:
        spans += _weekdays(text, today, is_past=is_past)
    text = _WEEKDAY.sub(blank, text)
    is_now = not spans and bool(_NOW.search(text))
    order = _order(text)
    if is_now and order is None:
        spans.append(one_day(today))
    if not spans and order is None:
        return None
    rest = text
    for words in (_NOW, _NEXT, _LAST):
        rest = words.sub(" ", rest)
    return AskedTime(tuple(spans), order, is_now, " ".join(rest.split()))


def _with_capital(found: re.Match[str]) -> str:
    """The name of a month as pages write it; in small letters where it may be another word."""
    name = found["name"]
    is_sure = bool(found["before"] or found["after"])
    if not is_sure and name.lower() not in _ALSO_WORDS:
        is_sure = len(name) > _SHORT or name[0].isupper()
    written = name.capitalize() if is_sure else name.lower()
    return f"{found['before'] or ''}{written}{found['after'] or ''}"


def _written_days(text: str, today: date) -> tuple[list[DaySpan], str]:
    is_week = _WEEK_OF.search(text)
    spans, left = day_spans(text, today)
    if is_week and len(spans) == 1:
        return [week_of(spans[0].first)], _WEEK_OF.sub(blank, left)
    return spans, left


def _written_weeks(text: str, today: date) -> tuple[list[DaySpan], str]:
    return week_spans(text, today)


def _days(text: str, today: date) -> tuple[list[DaySpan], str]:
    spans = []
    for pattern, days in _DAYS:
        if pattern.search(text):
            spans.append(one_day(today + timedelta(days)))
            text = pattern.sub(blank, text)
    return spans, text


def _periods(text: str, today: date) -> tuple[list[DaySpan], str]:
    spans = []
    for pattern, shift in _PERIODS:
        for found in pattern.finditer(text):
            unit = _UNITS.fullmatch(found["unit"])
            spans.append(_period(unit.lastgroup or "" if unit else "", shift, today))
        text = pattern.sub(blank, text)
    return spans, text


def _period(unit: str, shift: int, today: date) -> DaySpan:
    week = week_of(today + timedelta(WEEK * shift))
    if unit == "week":
        return week
    if unit == "weekend":
        return DaySpan(week.last - timedelta(1), week.last)
    if unit == "month":
        months = today.year * 12 + today.month - 1 + shift
        return month_of(date(months // 12, months % 12 + 1, 1))
    return DaySpan(date(today.year + shift, 1, 1), date(today.year + shift, 12, 31))


def _in_a_row(text: str, today: date) -> tuple[list[DaySpan], str]:
    """The next three weeks, from today on; the next three of anything else are no one row."""
    spans = []
    for pattern, shift in _IN_A_ROW:
        for found in pattern.finditer(text):
            counted = [each for each in quantities(found["many"]) if max(each.values) > 1]
            for many in (each for each in counted if each.unit in _DAYS_OF):
                days = int(min(max(many.values) * _DAYS_OF[many.unit], _FARTHEST))
                first, last = sorted((today, today + timedelta(days * shift)))
                spans.append(DaySpan(first, last))
            if counted:
                text = f"{text[: found.start()]}{blank(found)}{text[found.end() :]}"
    return spans, text


def _turned(span: DaySpan, today: date, *, is_past: bool) -> DaySpan:
    """A month without its year is the next one, or, of what has been, the last one."""
    if not span.lacks_year or span != _whole_months(span):
        return span
    if is_past and span.first > today:
        return a_year_later(span, -1)
    if not is_past and span.last < today:
        return a_year_later(span)
    return span


def _whole_months(span: DaySpan) -> DaySpan:
    return DaySpan(month_of(span.first).first, month_of(span.last).last, span.lacks_year)


def _weekdays(text: str, today: date, *, is_past: bool) -> Iterator[DaySpan]:
    """Friday is the next one; "next Friday" is another one where this week has one to come."""
    for found in _WEEKDAY.finditer(text):
        (weekday,) = weekdays(found["name"])
        ahead = (weekday - today.weekday()) % WEEK
        if is_past:
            yield one_day(today - timedelta((-ahead) % WEEK))
        elif not found["following"] or today.weekday() + ahead >= WEEK:
            yield one_day(today + timedelta(ahead))


def _order(text: str) -> AskedOrder | None:
    is_next, is_last = bool(_NEXT.search(text)), bool(_LAST.search(text))
    if is_next == is_last:
        return None
    return AskedOrder.NEXT if is_next else AskedOrder.LAST
