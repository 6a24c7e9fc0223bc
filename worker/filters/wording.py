"""Patterns for words by which a question speaks of pages, not of their content."""

from __future__ import annotations

import re

from core import grammar

Range = tuple[int, int]  # start and end of some words in a text

_WORDS = grammar.merged().filters
PAGES = rf"\b{_WORDS.pages}\b"
THAT = _WORDS.that
OR = re.compile(rf"\s*(?:,|/|{_WORDS.either}\b)\s*", re.I)
BLANK = "\u2003"  # stands for what was found already: as white as a space, and nobody types it

_PAGES = re.compile(PAGES, re.I)
# Between pages and a verb or date that is not about them: "pages that say when it was changed".
_ELSEWHERE = re.compile(rf"[.?!:;]|\b{_WORDS.elsewhere}\b", re.I)
_WHICH = re.compile(rf"\b{_WORDS.which}(?=\s+{_WORDS.auxiliary}\b)", re.I)
_NOT = re.compile(rf"\b{grammar.merged().negation.of_filters}\b\s*(?:\S+\s+)?$", re.I)
_QUOTED = re.compile(r"[\"“„«][^\"“”„«»]*[\"”“»]")
_TOPIC = r"(?:\s*[^\s,].*?)"  # "pages about backups …"
_MADE_BEFORE = re.compile(
    rf"(?:,?\s*|{_TOPIC}[\s,]+)"
    rf"(?P<said>{THAT}\s+(?:{_WORDS.auxiliary}\s+)*(?:{_WORDS.pages_are}|{_WORDS.things_are}))\s*"
    rf"|(?:,?\s*|{_TOPIC}\s+)(?P<short>(?:{_WORDS.auxiliary}\s+)*{_WORDS.pages_are})\s*"
    rf"|,?\s*(?P<things>(?:{_WORDS.auxiliary}\s+)*{_WORDS.things_are})\s*",
    re.I | re.S,
)
_MADE_AFTER = re.compile(rf"\s*{_WORDS.made_behind}\b(?:\s+{_WORDS.auxiliary}\b)*", re.I)
_CLAUSE = re.compile(
    rf"(?:\s*|.*?[,\s])(?P<said>(?:{THAT}\b)?\s*(?:{_WORDS.auxiliary}\b\s*)*)", re.I | re.S
)
_PARTICIPLE = re.compile(rf"\s*{_WORDS.made_before_pages}\s+(?={PAGES})", re.I)


def after_pages(text: str) -> str | None:
    """The text behind the last word for pages; None without one, or when the subject changes."""
    found = list(_PAGES.finditer(text))
    if not found:
        return None
    gap = text[found[-1].end() :]
    is_elsewhere = _ELSEWHERE.search(_WHICH.sub("", gap))
    return None if is_elsewhere else gap


def names_pages(text: str) -> bool:
    return _PAGES.search(text) is not None


def made(
    text: str,
    start: int,
    end: int,
) -> Range | None:
    """The words from `start` to `end` (a date, or by whom) with the verb that pages are made.

    >>> made("Which pages were changed in May?", 25, 31)  # in May
    (12, 31)
    >>> made("Which machine was changed in May?", 26, 32) is None
    True
    """
    before, after = text[:start], text[end:]
    if participle := _PARTICIPLE.match(after):  # "seit gestern geänderte Seiten"
        return start, end + participle.end()
    gap = after_pages(before)
    if gap is None:
        return None
    verb = _MADE_AFTER.match(after)
    if not gap.strip(f" ,({BLANK}"):
        return start, end + (verb.end() if verb else 0)
    gap_start = start - len(gap)
    if earlier := _MADE_BEFORE.fullmatch(gap):
        return gap_start + earlier.start(earlier.lastgroup or 0), end
    clause = _CLAUSE.fullmatch(gap)
    if verb is None or clause is None:
        return None
    return gap_start + clause.start("said"), end + verb.end()


def is_negated(before: str) -> bool:
    """Whether what follows is excluded: conditions have no way to say so.

    >>> is_negated("Which pages are not ")
    True
    """
    return _NOT.search(before) is not None


def ends_here(after: str) -> bool:
    """Whether nothing more is said.

    >>> ends_here(" ?"), ends_here(" of Porto?")
    (True, False)
    """
    return re.fullmatch(r"[\s?!.,;:)]*", after) is not None


def unquoted(text: str) -> str:
    """The text with what stands in quotation marks masked, each character in its place."""
    return _QUOTED.sub(lambda match: "·" * len(match.group()), text)
