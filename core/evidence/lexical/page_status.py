"""Page status: which pages are drafts, copies or superseded, and which of two pages to show."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core import grammar
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


def is_personal(page: Page) -> bool:
    return page.space.startswith("~")


def authority(page: Page) -> tuple[bool, bool, str]:
    """Greater is better: settled, then of a team, then changed last."""
    return (not is_unsettled(page), not is_personal(page), page.updated_at)


_EDITION = re.compile(r"^(?P<name>.*\w)\W+v(?P<number>\d+(?:\.\d+)*)\W*$", re.IGNORECASE)


def superseded(titles: Sequence[str]) -> NDArray[np.bool_]:
    """Which of these pages have a later edition beside them; shape (titles,).

    >>> superseded(["Travel v1", "Travel v2", "Crane v1", "Storm plan"]).tolist()
    [True, False, False, False]
    """
    editions = [_edition(title) for title in titles]
    last: dict[str, tuple[int, ...]] = {}
    for name, number in editions:
        last[name] = max(number, last.get(name, ()))
    outdated = [number < last[name] for name, number in editions]
    return np.array(outdated, np.bool_)


def _edition(title: str) -> tuple[str, tuple[int, ...]]:
    found = _EDITION.match(title)
    if found is None:
        return title, ()
    numbers = found["number"].split(".")
    return found["name"].casefold(), tuple(map(int, numbers))
