"""Years: what a page says of a later one is not quoted to who asks for an earlier one.

The limits of 2025 are no answer to who asks for those of 2024, although they have all of the
question's other words. Only what can hardly mean anything else is told: a rule of 2024 may hold in
2026, and a deadline for 2024 is a day of 2025.
"""

from __future__ import annotations

import re

from core import grammar
from core.question import Completed

_SAID = grammar.merged().answers
_YEAR = r"(?<![\w.,/-])(?:19|20)\d\d(?![\w%/-]|[.,]\d)"
_IN_YEAR = re.compile(rf"(?<!\w){_SAID.in_year} ({_YEAR})", re.IGNORECASE)
# Asks for a day, a span, or whether something is so: another year may be its answer.
_ASKS_OTHERWISE = re.compile(rf"(?<!\w){_SAID.not_of_a_year}(?!\w)", re.IGNORECASE)
_ANY_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_CITED = re.compile(r"\[\d+\]")


def asks_for_an_earlier_year(completed: Completed) -> bool:
    """Whether it names a year that was over when it was asked, in whatever words."""
    years = map(int, _ANY_YEAR.findall(completed.question))
    this_year = int(completed.asked_on[:4] or 0)
    return any(year < this_year for year in years)


def is_of_a_later_year(completed: Completed, text: str) -> bool:
    """Whether headings or sentences of an excerpt name later years alone than is asked for."""
    asked = [int(year) for year in _IN_YEAR.findall(completed.question)]
    if not asked or _ASKS_OTHERWISE.search(completed.question):
        return False
    heads = " ".join(line for line in text.splitlines() if _CITED.search(line))
    if not (_ANY_YEAR.search(heads) or _IN_YEAR.search(text)):
        return False
    return min(map(int, _ANY_YEAR.findall(text))) > max(asked)
