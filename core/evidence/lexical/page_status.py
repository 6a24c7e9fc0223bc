"""Page status: which pages are drafts, copies or superseded, and which of two pages to show."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.models import Page
from core.pages import PageStatus

# Words that mark a page which is not the one to go by; English and German.
_STATE = (
    "draft|wip|work in progress|outdated|obsolete|deprecated|superseded|archived"
    "|entwurf|veraltet|überholt|abgelöst|archiviert"
)
# Words that may as well be a page's subject: these count only where nothing else is with them.
_ALONE = (
    "(?:old|alte?)(?: version| fassung)?|template|vorlage|archive?|(?:my )?copy|(?:meine )?kopie"
)
_NUMBER = r"(?:\s+\(?v?\d[\w.]*\)?)?"
_MORE = r"\s*(?:(?:[,;:–—-]|by\s|since\s|durch\s|seit\s)[^\[({\])}]*)?"
# Where a mark stands in a title; `Old town`, `Copying files` and `Backup procedure` are no marks.
_MARKED = (
    # [DRAFT] · (first draft 2) · (2023, archived) · (old, see the new one) · (superseded by …)
    rf"(?i)[\[({{]\s*(?:(?:[^\[({{\])}}]*[\s,;])?(?:{_STATE})|[\d\s.,:/-]*(?:{_ALONE}|backup))"
    rf"{_NUMBER}{_MORE}[\])}}]",
    # Draft: … · OLD – … · Entwurf 2: …
    rf"(?i)^\W*(?:{_STATE}|{_ALONE}){_NUMBER}(?:\s*:|\s+[–—|-])\s",
    # Copy of … · Copy (2) of … · Draft 2 of … · Kopie von …
    rf"(?i)^\W*(?:my |meine )?(?:(?:copy|draft){_NUMBER} of|(?:kopie|entwurf){_NUMBER} von)\s",
    # … – old · … - Copy (2) · …, veraltet · …_draft
    rf"(?i)\w(?:\s+[–—|-]\s*|,\s*|_)(?:{_STATE}|{_ALONE}){_NUMBER}\W*$",
    # … DRAFT …, unless the whole title is in capitals
    r"^(?=.*[a-zäöüß]).*(?<![\w-])(?:DRAFT|OLD|OUTDATED|OBSOLETE|DEPRECATED|SUPERSEDED|ARCHIVED"
    r"|TEMPLATE|ENTWURF|VERALTET|ÜBERHOLT|ABGELÖST|ARCHIVIERT|VORLAGE)(?![\w-])",
)
_IN_TITLE = tuple(re.compile(pattern) for pattern in _MARKED)
_LABEL = re.compile(rf"(?i)(?:status[-:_])?(?:{_STATE.replace(' ', '-')}|old|archive?)")


def is_unsettled(page: Page) -> bool:
    """A draft, a copy, something archived or in somebody's personal space."""
    if page.status is not PageStatus.CURRENT or is_personal(page):
        return True
    if any(pattern.search(page.title) for pattern in _IN_TITLE):
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
