"""Page status: drafts, copies, superseded pages and lists, and which of two pages to show."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core import grammar
from core.evidence.lexical.analyzer import content_words
from core.models import Page
from core.pages import PageStatus

_WORDS = grammar.merged().page_status
_MARK = rf"(?:{_WORDS.states}|{_WORDS.alone})"
_MINE = rf"(?:{_WORDS.mine} )?"
_NUMBER = r"(?:\s+\(?v?\d[\w.]*\)?)?"
_MORE = rf"\s*(?:(?:[,;:–—-]|{_WORDS.because}\s)[^\[({{\])}}]*)?"
# Where a mark stands in a title; `Old town`, `Copying files` and `Backup procedure` are no marks.
_MARKED = (
    # [DRAFT] · (first draft 2) · (2023, archived) · (old, see the new one) · (superseded by …)
    rf"[\[({{]\s*(?:(?:[^\[({{\])}}]*[\s,;])?{_WORDS.states}"
    rf"|[\d\s.,:/-]*(?:{_WORDS.alone}|{_WORDS.in_brackets})){_NUMBER}{_MORE}[\])}}]",
    # Draft: … · OLD – … · Entwurf 2: …
    rf"^\W*{_MARK}{_NUMBER}(?:\s*:|\s+[–—|-])\s",
    # Copy of … · Copy (2) of … · Draft 2 of … · Kopie von …
    rf"^\W*{_MINE}{_WORDS.copies}{_NUMBER} {_WORDS.copies_of}\s",
    # … – old · … - Copy (2) · …, veraltet · …_draft
    rf"\w(?:\s+[–—|-]\s*|,\s*|_){_MARK}{_NUMBER}\W*$",
)
_IN_TITLE = tuple(re.compile(pattern, re.IGNORECASE) for pattern in _MARKED)
# … DRAFT …, unless the whole title is in capitals
_IN_CAPITALS = re.compile(rf"(?<![\w-]){_WORDS.capitals}(?![\w-])")
_SAID = re.compile(rf"\b(?:{_WORDS.states}|{_WORDS.alone}|{_WORDS.copies})\b", re.IGNORECASE)
_LABEL = re.compile(
    rf"(?:status[-:_])?(?:{str(_WORDS.states).replace(' ', '-')}|{_WORDS.labels})",
    re.IGNORECASE,
)


def is_unsettled(page: Page) -> bool:
    """A draft, a copy, something archived or in somebody's personal space."""
    if page.status is not PageStatus.CURRENT or is_personal(page):
        return True
    if any(pattern.search(page.title) for pattern in _IN_TITLE):
        return True
    if _IN_CAPITALS.search(page.title) and not page.title.isupper():
        return True
    return any(_LABEL.fullmatch(label) for label in page.labels)


def asks_for_unsettled(question: str, page: Page) -> bool:
    """Whether a draft, a copy or somebody's own page is meant: it says so, or names the person.

    >>> of_ann = Page(id="7", space="~ann", title="Travel", url="", owner="Ann Moll")
    >>> asks_for_unsettled("What is in the draft?", of_ann)
    True
    >>> asks_for_unsettled("What has Ann written?", of_ann), asks_for_unsettled("Hotels?", of_ann)
    (True, False)
    """
    if _SAID.search(question):
        return True
    return not set(content_words(question)).isdisjoint(content_words(page.owner))


def is_personal(page: Page) -> bool:
    return page.space.startswith("~")


def authority(page: Page) -> tuple[bool, bool, str]:
    """Greater is better: settled, then of a team, then changed last."""
    return (not is_unsettled(page), not is_personal(page), page.updated_at)


# A version (v2, 4.1) or a year; no part of a date, of an identifier or of a longer number.
_EDITION = re.compile(
    r"(?<![\w./-])(?:v(?P<version>\d+(?:\.\d+)*)|(?P<dotted>\d{1,3}(?:\.\d{1,3})+)"
    r"|(?P<year>(?:19|20)\d\d))(?![\w/-]|\.\d)",
    re.IGNORECASE,
)


def superseded(titles: Sequence[str]) -> NDArray[np.bool_]:
    """Which of these pages have a later edition beside them; shape (titles,).

    Titles are editions of one page if they differ in nothing but one version or year.

    >>> superseded(["Travel v1", "Travel v2", "Crane v1", "Leave (2024)", "Leave (2026)"]).tolist()
    [True, False, False, True, False]
    >>> superseded(["Round 2026-02-10", "Round 2026-03-10", "INC-0231", "INC-0240"]).tolist()
    [False, False, False, False]
    """
    editions = [_edition(title) for title in titles]
    last: dict[tuple[str, str], tuple[int, ...]] = {}
    for name, number in editions:
        last[name] = max(number, last.get(name, ()))
    outdated = [number < last[name] for name, number in editions]
    return np.array(outdated, np.bool_)


def _edition(title: str) -> tuple[tuple[str, str], tuple[int, ...]]:
    """What the title is apart from its edition, and how that is counted; and its number."""
    found = _EDITION.findall(title)
    if len(found) != 1:
        return (title, ""), ()
    version, dotted, year = found[0]
    counted = "year" if year else "version"
    number = (version or dotted or year).split(".")
    name = _EDITION.sub("#", title).casefold()
    return (name, counted), tuple(map(int, number))
