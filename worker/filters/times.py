"""When pages were changed, as a question says it: "pages changed after March 2023", "Seiten, die seit gestern geändert wurden".

A date counts only where it stands with a word for pages: it is far more often what a question is about. What lies outside of the
grammar below is no filter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta

from core.question import Field
from worker.filters.found import FilterMatch
from worker.filters.periods import DATE, DURATION, Period, ago, period
from worker.filters.places import is_in_title
from worker.filters.vocabulary import Vocabulary
from worker.filters.wording import BLANK, after_pages, ends_here, made, unquoted

_Days = tuple[date | None, date | None]  # from the first on, until the day before the second

_AFTER = r"(?:after|later than|newer than|more recent than|nach(?: dem)?|neuer als|jünger als)"
_SINCE = (
    r"(?:since|as of|starting(?: from)?|not older than|seit(?: dem)?|ab(?: dem)?|nicht älter als)"
)
_BEFORE = r"(?:before|prior to|earlier than|older than|vor(?: dem)?|älter als)"
_UNTIL = r"(?:until|till|up to|bis(?: zum)?)"
_IN = r"(?:in|from|on|during|within|aus(?: dem)?|von|vom|am|im(?: jahr)?)"
_BY_MEANING: tuple[tuple[str, Callable[[Period], _Days]], ...] = (
    (_AFTER, lambda said: (said.end, None)),
    (_SINCE, lambda said: (said.first, None)),
    (_BEFORE, lambda said: (None, said.first)),
    (_UNTIL, lambda said: (None, said.end)),
    (_IN, lambda said: (said.first, said.end)),
)
_RELATION = "|".join(pattern for pattern, _ in _BY_MEANING)
_PHRASE = re.compile(
    rf"\b(?:"
    rf"(?:between|from|zwischen|von|vom)\s+(?:dem\s+)?(?P<first>{DATE})\s*"
    rf"(?:and|to|until|till|und|bis(?:\s+zum)?|-|–)\s*(?:dem\s+)?(?P<last>{DATE})"
    rf"|(?:in|within|during|from|over|aus)\s+(?:the|den|der)\s+(?:last|past|letzten|vergangenen)\s+(?P<span>{DURATION})"
    rf"|(?P<than>not older than|nicht älter als|since|seit|newer than|more recent than|older than|neuer als|jünger als|älter als)"
    rf"\s+(?P<long>{DURATION})(?:\s+ago)?"
    rf"|(?:from|ab|von|vom)\s+(?:dem\s+)?(?P<start>{DATE})\s+(?:on|onwards?|an)\b"
    rf"|(?:(?P<relation>{_RELATION})\s+(?:the\s+)?)?(?P<date>{DATE})"
    rf")",
    re.I,
)
_MEETING = re.compile(
    r"\b(?:minutes|notes|protokoll\w*)\s*$", re.I
)  # of a day: that is when people met
_COMPARED = re.compile(r".*\b(?:than|als)\b", re.I)
_ARE = re.compile(
    r"(?:,?\s*|.*?[\s,]+(?=(?:that|which|die|das)\b))(?P<said>(?:(?:that|which|die|das)\b)?\s*(?:(?:are|is|sind|ist)\b)?\s*)",
    re.I,
)
_AND = re.compile(rf"{BLANK}[ ,]*(?P<and>(?:and|und|but|aber)\b\s*|(?<=,)\s*)$", re.I)
_NEWS = re.compile(
    r"\W*(?:what(?:['’]s|\s+is|\s+has|\s+have)?|was\s+(?:hat\s+sich|ist))\s+(?:been\s+)?(?:(?:new|changed|updated|neu)\s*)?",
    re.I,
)
_WHAT = re.compile(r"\W*(?:what\s+(?:has|have|was|did)|was\s+(?:wurde|haben|hat))\b.*", re.I | re.S)
_WRITTEN = re.compile(r"\b(?:written|write|documented)\b", re.I)
_GESCHRIEBEN = re.compile(r"[^.?!;:]*\b(?:geschrieben|verfasst|dokumentiert)\W*", re.I)


def times(text: str, known: Vocabulary, today: date) -> Iterator[FilterMatch]:
    """Every time in the text that pages are asked for by, with the words around it that say so."""
    text = unquoted(text)
    for match in _PHRASE.finditer(text):
        where = _of_pages(text, match)
        first, end = _days(match, today) if where else (None, None)
        if (
            where is None
            or _is_no_filter(text, match, (first, end))
            or is_in_title(text, match.end(), known)
        ):
            continue
        if first:
            yield FilterMatch(Field.AFTER, first.isoformat(), *where)
        if end:
            yield FilterMatch(Field.BEFORE, end.isoformat(), *where)


def _is_no_filter(text: str, match: re.Match[str], days: _Days) -> bool:
    first, end = days
    if first is None or end is None:
        return False
    return first >= end or (
        first + timedelta(1) == end and _MEETING.search(text[: match.start()]) is not None
    )


def _days(match: re.Match[str], today: date) -> _Days:
    if match["first"]:
        return _between(match["first"], match["last"], today)
    if duration := match["span"] or match["long"]:
        day = ago(duration, today)
        return (None, day) if re.fullmatch(_BEFORE, match["than"] or "", re.I) else (day, None)
    said = period(match["start"] or match["date"], today)
    if said is None:
        return None, None
    relation = "since" if match["start"] else match["relation"] or "in"
    return next(
        meaning(said) for pattern, meaning in _BY_MEANING if re.fullmatch(pattern, relation, re.I)
    )


def _between(first: str, last: str, today: date) -> _Days:
    """Both ends belong to it; "between March and May 2024" says the year once."""
    end = period(last, today)
    year = re.search(r"(?:19|20)\d\d", last)
    start = period(
        f"{first} {year[0]}" if year and not re.search(r"\d{4}", first) else first, today
    )
    return (start.first, end.end) if start and end else (None, None)


def _of_pages(text: str, match: re.Match[str]) -> tuple[int, int] | None:
    """From where to where the text says that pages of this time are wanted; None when the time is about something else."""
    before = text[: match.start()]
    if joined := _AND.search(before):  # goes on from the filter before it
        return joined.start("and"), match.end()
    return made(text, *match.span()) or _compared(before, match) or _news(text, match)


def _compared(before: str, match: re.Match[str]) -> tuple[int, int] | None:
    """ "Which pages are older than two years?" """
    gap = after_pages(before)
    are = _ARE.fullmatch(gap) if gap and _COMPARED.match(match.group()) else None
    return (match.start() - len(gap or "") + are.start("said"), match.end()) if are else None


def _news(text: str, match: re.Match[str]) -> tuple[int, int] | None:
    """ "What has changed since Monday?", "What has been written about sorters since May?": a wiki is asked what is new in it."""
    before, after = text[: match.start()], text[match.end() :]
    relation = match["relation"] or match["than"] or ""
    since = re.fullmatch(_SINCE, relation, re.I)
    changed = re.sub(r"^\s*geändert\b", "", after, flags=re.I)
    is_news = since and _NEWS.fullmatch(before) and ends_here(changed)
    is_written = _WHAT.fullmatch(before) and (
        (_WRITTEN.search(before) and ends_here(after)) or _GESCHRIEBEN.fullmatch(after)
    )
    in_time = since or re.fullmatch(rf"{_AFTER}|{_BEFORE}", relation, re.I)
    return match.span() if is_news or (is_written and in_time) else None
