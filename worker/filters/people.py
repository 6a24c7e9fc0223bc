"""Filters by author or owner: "pages by Anna", "Annas Seiten", "What did Anna write about sorters?"

A person who does something else in the question, such as approving a release, is what it is about.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from core import grammar
from core.question import Field
from worker.filters.filter_match import FilterMatch
from worker.filters.periods import DATE
from worker.filters.vocabulary import Vocabulary
from worker.filters.wording import (
    OR,
    PAGES,
    THAT,
    Range,
    after_pages,
    ends_here,
    made,
    unquoted,
)

_WORDS = grammar.merged().filters.people
_BY = re.compile(rf"\b(?:(?P<by>{_WORDS.by})|{_WORDS.from_or_by})\s+", re.I)
_OWNED = re.compile(
    rf"(?:,?\s*|.*?[\s,]+(?={THAT}\s))(?P<said>(?:{THAT}\s+)?{_WORDS.owned})\s*",
    re.I | re.S,
)
_DATE = re.compile(DATE, re.I)
_SET_OFF = re.compile(r"[,(]\s*$")
_WRITTEN = re.compile(rf"\W*{_WORDS.what_written}", re.I | re.S)
_GENITIVE = re.compile(
    rf"(?P<name>[^\s,;:?!]+?(?:\s+[^\s,;:?!]+?)?){_WORDS.genitive}"
    rf"\s+(?:{_WORDS.own}\s+)?{PAGES}",
    re.I,
)
_WHO = re.compile(rf"{PAGES},?\s+(?:{THAT}\s+)?", re.I)
_WROTE = re.compile(rf"\s+{_WORDS.wrote}\b", re.I)
_DID = re.compile(rf"\b{_WORDS.what_did}\s+", re.I)
_WHICH = re.compile(rf"\b{_WORDS.which}\s+{PAGES}\s+{_WORDS.did}\s+", re.I)
_WRITE = re.compile(
    rf"(?P<write>\s+{_WORDS.write}\b)|(?=[^?!.;]*\b{_WORDS.written_behind}\b)",
    re.I,
)


def people(text: str, known: Vocabulary) -> Iterator[FilterMatch]:
    """Every person that the question names as the owner or author of the pages it wants."""
    text = unquoted(text)
    for match in _BY.finditer(text):
        yield from _by(text, match, known)
    for match in _GENITIVE.finditer(text):
        yield from _own(match, known)
    for match in _WHO.finditer(text):
        yield from _subject(text, match.end(), _WROTE, known)
    for match in (*_DID.finditer(text), *_WHICH.finditer(text)):
        yield from _subject(text, match.end(), _WRITE, known)


def _by(
    text: str,
    match: re.Match[str],
    known: Vocabulary,
) -> Iterator[FilterMatch]:
    name, length = known.person(text[match.end() :]) or ("", 0)
    end = match.end() + length
    if not name or _is_date(text, match, end):
        return
    listed = OR.match(text, end)
    if listed and known.person(text[listed.end() :]):
        return  # of two people, neither alone is meant
    where = made(text, match.start(), end)
    where = where or _owned(text, match, end) or _set_off(text, match, end)
    if where:
        yield FilterMatch(Field.PERSON, name, *where)


def _subject(
    text: str,
    start: int,
    verb: re.Pattern[str],
    known: Vocabulary,
) -> Iterator[FilterMatch]:
    """The person whose name begins at `start`, if the verb follows."""
    name, length = known.person(text[start:]) or ("", 0)
    follows = verb.match(text, start + length)
    if name and follows:
        yield FilterMatch(Field.PERSON, name, start, follows.end())


def _is_date(
    text: str,
    match: re.Match[str],
    end: int,
) -> bool:
    """Some are called May: pages by May are hers, pages from May 2024 are not."""
    day = _DATE.match(text, match.end())
    if day is None:
        return False
    return not match["by"] or day.end() > end


def _owned(
    text: str,
    match: re.Match[str],
    end: int,
) -> Range | None:
    gap = after_pages(text[: match.start()]) or ""
    owned = _OWNED.fullmatch(gap) if gap else None
    if owned is None:
        return None
    return match.start() - len(gap) + owned.start("said"), end


def _set_off(
    text: str,
    match: re.Match[str],
    end: int,
) -> Range | None:
    """ "How are gateways deployed, by Chris?", "What has been written about sorters by Anna?" """
    before = text[: match.start()]
    if not match["by"] or not ends_here(text[end:]):
        return None
    if _SET_OFF.search(before) or _WRITTEN.fullmatch(before):
        return match.start(), end
    return None


def _own(
    match: re.Match[str],
    known: Vocabulary,
) -> Iterator[FilterMatch]:
    """The name may be the last word alone: "are Anna's pages"."""
    whole = match["name"]
    for name in (whole, whole.split()[-1]):
        if value := known.value(Field.PERSON, name):
            start = match.start() + whole.rindex(name)
            yield FilterMatch(Field.PERSON, value, start, match.end())
            return
