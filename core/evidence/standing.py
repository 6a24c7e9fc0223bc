"""Which of two pages that say the same is the one to show: the settled one before the draft, the team's before somebody's copy."""

from __future__ import annotations

import re

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
