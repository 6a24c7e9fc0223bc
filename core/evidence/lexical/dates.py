"""Dates as index terms: a day is found however it is written, and by its month.

>>> dates("the storm of 7.3.19")
['2019-03', '2019-03-07']
>>> dates("Minutes, March 7th, 2019") == dates("Protokoll vom 7. März 2019") == dates("2019-03-07")
True
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from core import grammar

_GRAMMAR = grammar.merged()
MONTHS: dict[str, int] = {}
for _names in (_GRAMMAR.months.names, _GRAMMAR.months.on_pages):
    for _number, _words in _names.items():
        MONTHS.update(dict.fromkeys(_words, _number))

_MONTH = rf"(?P<name>{'|'.join(sorted(MONTHS, key=len, reverse=True))})\.?"
_OF = rf"(?:{_GRAMMAR.dates.of}\s+)?"
_ORDINAL = _GRAMMAR.dates.ordinals
_YEAR = r"(?P<year>(?:19|20)\d{2})"
_DAY = r"(?P<day>\d{1,2})"
_NOTATIONS = (
    rf"{_YEAR}-(?P<month>\d{{1,2}})-{_DAY}",
    rf"{_DAY}\.\s?(?P<month>\d{{1,2}})\.\s?(?P<year>(?:19|20)?\d{{2}})",
    rf"{_DAY}(?:{_ORDINAL}|\.)?\s+{_OF}{_MONTH},?\s+{_YEAR}",
    rf"{_MONTH}\s+{_DAY}{_ORDINAL}?,?\s+{_YEAR}",
    rf"(?P<month>\d{{1,2}})/{_DAY}/{_YEAR}",
    rf"{_MONTH}\s+{_YEAR}",
)
# "4.8.16.2" is a version.
_DATE = tuple(
    re.compile(rf"(?<![\w.]){notation}(?!\w|\.\d)", re.IGNORECASE) for notation in _NOTATIONS
)
_MAY_HOLD_ONE = re.compile(r"\d{2}")


def dates(text: str) -> list[str]:
    """The months and days that a text names, as ISO 8601.

    3/4/2024 is read the American way, since dots are the European one.
    """
    if not _MAY_HOLD_ONE.search(text):
        return []
    named: dict[str, None] = {}  # in order, each once
    for pattern in _DATE:
        for found in pattern.finditer(text):
            named |= dict.fromkeys(_terms(found.groupdict()))
    return list(named)


def _terms(parts: Mapping[str, str]) -> Iterator[str]:
    month = MONTHS[parts["name"].lower()] if "name" in parts else int(parts["month"])
    day = int(parts.get("day") or 0)
    if not 1 <= month <= 12 or day > 31:
        return
    year = int(parts["year"])
    if year < 100:
        year += 2000
    yield f"{year}-{month:02}"
    if day:
        yield f"{year}-{month:02}-{day:02}"
