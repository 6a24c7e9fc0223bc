"""Filters by time of change: "changed after March 2023", "die seit gestern geändert wurden".

A date counts only where it stands with a word for pages: it is far more often what a question is
about. What lies outside of the grammar below is no filter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date, timedelta

from core import grammar
from core.grammar import Words
from core.question import Field
from worker.filters.filter_match import FilterMatch
from worker.filters.periods import DATE, DURATION, Period, ago, period
from worker.filters.places import is_in_title
from worker.filters.vocabulary import Vocabulary
from worker.filters.wording import (
    BLANK,
    THAT,
    Range,
    after_pages,
    ends_here,
    made,
    unquoted,
)

_Days = tuple[date | None, date | None]  # from the first on, until the day before the second

_WORDS = grammar.merged().filters.time
_DAYS: Mapping[Words, Callable[[Period], _Days]] = {
    _WORDS.after: lambda period: (period.end, None),
    _WORDS.since: lambda period: (period.first, None),
    _WORDS.before: lambda period: (None, period.first),
    _WORDS.until: lambda period: (None, period.end),
    _WORDS.within: lambda period: (period.first, period.end),
}
_RELATION = "|".join(map(str, _DAYS))
_PHRASE = re.compile(
    rf"\b(?:"
    rf"{_WORDS.between}\s+(?P<first>{DATE})\s*(?:{_WORDS.and_until}|-|–)\s*(?P<last>{DATE})"
    rf"|{_WORDS.over_the_last}\s+(?P<span>{DURATION})"
    rf"|(?P<than>{_WORDS.newer}|(?P<older>{_WORDS.older}))"
    rf"\s+(?P<long>{DURATION})(?:\s+{_WORDS.ago})?"
    rf"|{_WORDS.starting}\s+(?P<start>{DATE})\s+{_WORDS.onwards}\b"
    rf"|(?:(?P<relation>{_RELATION})\s+(?:{_WORDS.the}\s+)?)?(?P<date>{DATE})"
    rf")",
    re.I,
)
# Minutes of a day: that is when people met.
_MEETING = re.compile(rf"\b{_WORDS.meeting}\s*$", re.I)
_SINCE = re.compile(str(_WORDS.since), re.I)
_AFTER_OR_BEFORE = re.compile(f"{_WORDS.after}|{_WORDS.before}", re.I)
_COMPARED = re.compile(rf".*\b{_WORDS.than}\b", re.I)
_ARE = re.compile(
    rf"(?:,?\s*|.*?[\s,]+(?={THAT}\b))(?P<said>(?:{THAT}\b)?\s*(?:{_WORDS.are}\b)?\s*)",
    re.I,
)
_AND = re.compile(rf"{BLANK}[ ,]*(?P<and>{_WORDS.also}\b\s*|(?<=,)\s*)$", re.I)
_NEWS = re.compile(rf"\W*{_WORDS.news}", re.I)
_NEWS_BEHIND = re.compile(rf"^\s*{_WORDS.news_behind}\b", re.I)
_WHAT = re.compile(rf"\W*{_WORDS.what_was}\b.*", re.I | re.S)
_WRITTEN = re.compile(rf"\b{_WORDS.written}\b", re.I)
_WRITTEN_BEHIND = re.compile(rf"[^.?!;:]*\b{_WORDS.written_behind}\W*", re.I)


def times(
    text: str,
    known: Vocabulary,
    today: date,
) -> Iterator[FilterMatch]:
    """Every time that pages are filtered by, with the words around it that say so."""
    text = unquoted(text)
    for match in _PHRASE.finditer(text):
        where = _of_pages(text, match)
        if where is None:
            continue
        first, end = _days(match, today)
        is_no_filter = _is_no_filter(text, match, (first, end))
        if is_no_filter or is_in_title(text, match.end(), known):
            continue
        if first:
            yield FilterMatch(Field.AFTER, first.isoformat(), *where)
        if end:
            yield FilterMatch(Field.BEFORE, end.isoformat(), *where)


def _is_no_filter(
    text: str,
    match: re.Match[str],
    days: _Days,
) -> bool:
    first, end = days
    if first is None or end is None:
        return False
    if first >= end:
        return True
    if first + timedelta(1) != end:
        return False
    return _MEETING.search(text[: match.start()]) is not None


def _days(match: re.Match[str], today: date) -> _Days:
    if match["first"]:
        return _between(match["first"], match["last"], today)
    if duration := match["span"] or match["long"]:
        day = ago(duration, today)
        return (None, day) if match["older"] else (day, None)
    meant = period(match["start"] or match["date"], today)
    if meant is None:
        return None, None
    if match["start"]:
        return _DAYS[_WORDS.since](meant)
    if match["relation"]:
        return _days_of(match["relation"], meant)
    return _DAYS[_WORDS.within](meant)


def _days_of(relation: str, meant: Period) -> _Days:
    for pattern, days in _DAYS.items():
        if re.fullmatch(str(pattern), relation, re.I):
            return days(meant)
    raise AssertionError(relation)  # _PHRASE matches no other relation


def _between(first: str, last: str, today: date) -> _Days:
    """Both ends belong to it; "between March and May 2024" says the year once."""
    year = re.search(r"(?:19|20)\d\d", last)
    if year and not re.search(r"\d{4}", first):
        first = f"{first} {year[0]}"
    start, end = period(first, today), period(last, today)
    if start is None or end is None:
        return None, None
    return start.first, end.end


def _of_pages(text: str, match: re.Match[str]) -> Range | None:
    """The part of the text that asks for pages of this time; None without such a part."""
    before = text[: match.start()]
    if joined := _AND.search(before):  # goes on from the filter before it
        return joined.start("and"), match.end()
    where = made(text, *match.span())
    return where or _compared(before, match) or _news(text, match)


def _compared(before: str, match: re.Match[str]) -> Range | None:
    """ "Which pages are older than two years?" """
    gap = after_pages(before)
    if not gap or not _COMPARED.match(match.group()):
        return None
    are = _ARE.fullmatch(gap)
    if are is None:
        return None
    return match.start() - len(gap) + are.start("said"), match.end()


def _news(text: str, match: re.Match[str]) -> Range | None:
    """ "What has changed since Monday?", "What has been written about sorters since May?" """
    before = text[: match.start()]
    after = text[match.end() :]
    relation = match["relation"] or match["than"] or ""
    since = _SINCE.fullmatch(relation)
    changed = _NEWS_BEHIND.sub("", after)
    if since and _NEWS.fullmatch(before) and ends_here(changed):
        return match.span()
    in_time = since or _AFTER_OR_BEFORE.fullmatch(relation)
    return match.span() if in_time and _is_written(before, after) else None


def _is_written(before: str, after: str) -> bool:
    """Whether the words around a time ask what was written."""
    if not _WHAT.fullmatch(before):
        return False
    if _WRITTEN.search(before) and ends_here(after):
        return True
    return _WRITTEN_BEHIND.fullmatch(after) is not None
