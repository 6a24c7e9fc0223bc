"""Which of two pages that say the same is the one to show: the settled one before the draft, the team's before somebody's copy."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.models import Page

# Words that people mark a page with which is not the one to go by; English and German.
_STATE = "draft|wip|work in progress|outdated|obsolete|deprecated|superseded|archived|entwurf|veraltet|überholt|abgelöst|archiviert"
# … and such as a page is about as often: these count only where nothing else stands with them.
_ALONE = (
    "(?:old|alte?)(?: version| fassung)?|template|vorlage|archive?|(?:my )?copy|(?:meine )?kopie"
)
_NUMBER = r"(?:\s+\(?v?\d[\w.]*\)?)?"
_MORE = r"\s*(?:(?:[,;:–—-]|by\s|since\s|durch\s|seit\s)[^\[({\])}]*)?"
# Where a mark stands in a title; `Old town`, `Copying files` and `Backup procedure` are no marks.
_MARKED = (
    # [DRAFT] · (first draft 2) · (2023, archived) · (old, see the new one) · (superseded by …)
    rf"(?i)[\[({{]\s*(?:(?:[^\[({{\])}}]*[\s,;])?(?:{_STATE})|[\d\s.,:/-]*(?:{_ALONE}|backup)){_NUMBER}{_MORE}[\])}}]",
    # Draft: … · OLD – … · Entwurf 2: …
    rf"(?i)^\W*(?:{_STATE}|{_ALONE}){_NUMBER}(?:\s*:|\s+[–—|-])\s",
    # Copy of … · Copy (2) of … · Draft 2 of … · Kopie von …
    rf"(?i)^\W*(?:my |meine )?(?:(?:copy|draft){_NUMBER} of|(?:kopie|entwurf){_NUMBER} von)\s",
    # … – old · … - Copy (2) · …, veraltet · …_draft
    rf"(?i)\w(?:\s+[–—|-]\s*|,\s*|_)(?:{_STATE}|{_ALONE}){_NUMBER}\W*$",
    # … DRAFT …, unless the whole title is in capitals
    r"^(?=.*[a-zäöüß]).*(?<![\w-])(?:DRAFT|OLD|OUTDATED|OBSOLETE|DEPRECATED|SUPERSEDED|ARCHIVED|TEMPLATE"
    r"|ENTWURF|VERALTET|ÜBERHOLT|ABGELÖST|ARCHIVIERT|VORLAGE)(?![\w-])",
)
_IN_TITLE = tuple(re.compile(pattern) for pattern in _MARKED)
_LABEL = re.compile(rf"(?i)(?:status[-:_])?(?:{_STATE.replace(' ', '-')}|old|archive?)")


def is_unsettled(page: Page) -> bool:
    """A draft, a copy, something archived or in somebody's personal space."""
    said = any(pattern.search(page.title) for pattern in _IN_TITLE) or any(
        map(_LABEL.fullmatch, page.labels)
    )
    return said or page.status != "current" or is_personal(page)


def is_personal(page: Page) -> bool:
    return page.space.startswith("~")


def standing(page: Page) -> tuple[bool, bool, str]:
    """Greater is better: settled, then of a team, then changed last."""
    return (not is_unsettled(page), not is_personal(page), page.updated_at)


_EDITION = re.compile(r"^(?P<what>.*\w)\W+v(?P<number>\d+(?:\.\d+)*)\W*$", re.IGNORECASE)


def superseded(titles: Sequence[str]) -> NDArray[np.bool_]:
    """Which of these pages have a later edition beside them; shape (titles,).

    >>> superseded(["Travel v1", "Travel v2", "Crane v1", "Storm plan"]).tolist()
    [True, False, False, False]
    """
    editions = [_edition(title) for title in titles]
    last: dict[str, tuple[int, ...]] = {}
    for what, number in editions:
        last[what] = max(number, last.get(what, ()))
    return np.array([number < last[what] for what, number in editions], np.bool_)


def _edition(title: str) -> tuple[str, tuple[int, ...]]:
    found = _EDITION.match(title)
    if found is None:
        return title, ()
    return found["what"].casefold(), tuple(int(part) for part in found["number"].split("."))
