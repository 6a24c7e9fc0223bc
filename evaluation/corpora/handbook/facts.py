"""Deals the facts of pages: different ones to pages of one family, others with another seed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta
from random import Random

Pool = str | Sequence[str]  # of which a fact is drawn: all of them, or a range such as <8..64/8> GB

_NUMBERS = re.compile(r"<(\d+)\.\.(\d+)(?:/(\d+))?>")
_DAYS = re.compile(r"<(\d{4}-\d\d-\d\d)\.\.(\d{4}-\d\d-\d\d)>")


class PoolTooSmall(Exception):
    """A pool holds fewer facts than there are pages that need one; the message names it."""


def deal(said: Pool, holders: Sequence[str], seed: str) -> dict[str, str]:
    """A fact for each holder; no two get the same.

    Raises:
        PoolTooSmall: there are more holders than facts.
    """
    pool = spread(said)
    if len(pool) < len(holders):
        raise PoolTooSmall(f"{seed}: {len(pool)} facts for {len(holders)} pages")
    return dict(zip(holders, Random(seed).sample(pool, len(holders)), strict=True))


def spread(said: Pool) -> list[str]:
    """
    >>> spread("<10..30/10> minutes")
    ['10 minutes', '20 minutes', '30 minutes']
    >>> spread("<2026-02-28..2026-03-01>")
    ['28 February 2026', '1 March 2026']
    """
    if not isinstance(said, str):
        return list(map(str, said))
    if days := _DAYS.search(said):
        return _days(date.fromisoformat(days[1]), date.fromisoformat(days[2]))
    numbers = _NUMBERS.search(said)
    if numbers is None:
        return [said]
    low, high, step = int(numbers[1]), int(numbers[2]), int(numbers[3] or 1)
    return [_NUMBERS.sub(str(number), said) for number in range(low, high + 1, step)]


def _days(first: date, last: date) -> list[str]:
    days = []
    for after in range((last - first).days + 1):
        day = first + timedelta(days=after)
        days.append(f"{day.day} {day:%B %Y}")
    return days
