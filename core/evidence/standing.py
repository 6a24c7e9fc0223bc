"""Which of two pages that say the same is the one to show: the settled one before the draft, the team's before somebody's copy."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.models import Page

# What people write into the title of a page that is not the one to go by; English and German.
_UNSETTLED = re.compile(
    r"\b(draft|wip|work in progress|copy of|my copy|old|outdated|obsolete|deprecated|superseded|archived?|backup|template"
    r"|entwurf|kopie von|alt|veraltet|überholt|abgelöst|archiv|vorlage)\b",
    re.IGNORECASE,
)


def is_unsettled(page: Page) -> bool:
    """A draft, a copy, something archived or in somebody's personal space."""
    return page.status != "current" or is_personal(page) or any(map(_UNSETTLED.search, (page.title, *page.labels))) is True


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
