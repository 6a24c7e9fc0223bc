"""Filters by time of change: "changed after March 2023", "die seit gestern geändert wurden".

A date counts only where it stands with a word for pages: it is far more often what a question is
about. What lies outside of the grammar below is no filter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date, timedelta

from core.question import Field
from worker.filters.filter_match import FilterMatch
from worker.filters.periods import DATE, DURATION, Period, ago, period
from worker.filters.places import is_in_title
from worker.filters.vocabulary import Vocabulary
from worker.filters.wording import BLANK, Range, after_pages, ends_here, made, unquoted

_Days = tuple[date | None, date | None]  # from the first on, until the day before the second

_AFTER = r"(?:after|later than|newer than|more recent than|nach(?: dem)?|neuer als|jünger als)"
_SINCE = (
    r"(?:since|as of|starting(?: from)?|not older than|seit(?: dem)?|ab(?: dem)?|nicht älter als)"
)
_BEFORE = r"(?:before|prior to|earlier than|older than|vor(?: dem)?|älter als)"
_UNTIL = r"(?:until|till|up to|bis(?: zum)?)"
_IN = r"(?:in|from|on|during|within|aus(?: dem)?|von|vom|am|im(?: jahr)?)"
_DAYS: Mapping[str, Callable[[Period], _Days]] = {
    _AFTER: lambda period: (period.end, None),
    _SINCE: lambda period: (period.first, None),
    _BEFORE: lambda period: (None, period.first),
    _UNTIL: lambda period: (None, period.end),
    _IN: lambda period: (period.first, period.end),
}
_RELATION = "|".join(_DAYS)
_PHRASE = re.compile(
    rf"\b(?:"
    rf"(?:between|from|zwischen|von|vom)\s+(?:dem\s+)?(?P<first>{DATE})\s*"
    rf"(?:and|to|until|till|und|bis(?:\s+zum)?|-|–)\s*(?:dem\s+)?(?P<last>{DATE})"
    r"|(?:in|within|during|from|over|aus)\s+(?:the|den|der)\s+"
    rf"(?:last|past|letzten|vergangenen)\s+(?P<span>{DURATION})"
    r"|(?P<than>not older than|nicht älter als|since|seit|newer than|more recent than|older than"
    r"|neuer als|jünger als|älter als)"
    rf"\s+(?P<long>{DURATION})(?:\s+ago)?"
    rf"|(?:from|ab|von|vom)\s+(?:dem\s+)?(?P<start>{DATE})\s+(?:on|onwards?|an)\b"
    rf"|(?:(?P<relation>{_RELATION})\s+(?:the\s+)?)?(?P<date>{DATE})"
    rf")",
    re.I,
)
# Minutes of a day: that is when people met.
_MEETING = re.compile(r"\b(?:minutes|notes|protokoll\w*)\s*$", re.I)
_COMPARED = re.compile(r".*\b(?:than|als)\b", re.I)
_ARE = re.compile(
    r"(?:,?\s*|.*?[\s,]+(?=(?:that|which|die|das)\b))"
    r"(?P<said>(?:(?:that|which|die|das)\b)?\s*(?:(?:are|is|sind|ist)\b)?\s*)",
    re.I,
)
_AND = re.compile(rf"{BLANK}[ ,]*(?P<and>(?:and|und|but|aber)\b\s*|(?<=,)\s*)$", re.I)
_NEWS = re.compile(
    r"\W*(?:what(?:['’]s|\s+is|\s+has|\s+have)?|was\s+(?:hat\s+sich|ist))"
    r"\s+(?:been\s+)?(?:(?:new|changed|updated|neu)\s*)?",
    re.I,
)
_WHAT = re.compile(r"\W*(?:what\s+(?:has|have|was|did)|was\s+(?:wurde|haben|hat))\b.*", re.I | re.S)
_WRITTEN = re.compile(r"\b(?:written|write|documented)\b", re.I)
_GESCHRIEBEN = re.compile(r"[^.?!;:]*\b(?:geschrieben|verfasst|dokumentiert)\W*", re.I)


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
        is_before = re.fullmatch(_BEFORE, match["than"] or "", re.I)
        return (None, day) if is_before else (day, None)
    meant = period(match["start"] or match["date"], today)
    if meant is None:
        return None, None
    relation = "since" if match["start"] else match["relation"] or "in"
    return _days_of(relation, meant)


def _days_of(relation: str, meant: Period) -> _Days:
    for pattern, days in _DAYS.items():
        if re.fullmatch(pattern, relation, re.I):
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
    since = re.fullmatch(_SINCE, relation, re.I)
    changed = re.sub(r"^\s*geändert\b", "", after, flags=re.I)
    if since and _NEWS.fullmatch(before) and ends_here(changed):
        return match.span()
    in_time = since or re.fullmatch(rf"{_AFTER}|{_BEFORE}", relation, re.I)
    return match.span() if in_time and _is_written(before, after) else None


def _is_written(before: str, after: str) -> bool:
    """Whether the words around a time ask what was written."""
    if not _WHAT.fullmatch(before):
        return False
    if _WRITTEN.search(before) and ends_here(after):
        return True
    return _GESCHRIEBEN.fullmatch(after) is not None
