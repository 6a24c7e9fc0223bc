"""Cells that can be compared: numbers with a unit, and days, in the notations of both languages.

`1,850` is a number of thousands or one with decimals. A column is read in each way that all its
cells allow, and what differs between the two is not certain.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from core.evidence.lexical.analyzer import whole_words
from core.evidence.lexical.dates import dates

_SPACE = "\u00a0\u2009\u202f "
_AMOUNT = re.compile(
    rf"(?P<before>[^\w\s]?|[A-Z]{{3}})[{_SPACE}]?"
    rf"(?P<number>[-−+]?\d[\d.,'’{_SPACE}]*\d|[-−+]?\d)"
    rf"[{_SPACE}]?(?P<unit>[^\d]*)"
)
CURRENCY = re.compile(r"[€$£¥]|\b[A-Z]{3}\b")
LONGEST_DAY = 24  # characters of a cell that is a day and nothing else
LONGEST_UNIT = 30


@dataclass(frozen=True)
class ReadColumn:
    """The cells of a column as numbers, all of one unit; `readings`: the ways to read them."""

    readings: tuple[tuple[float, ...], ...]
    unit: str = ""  # as it stands in the first cell
    is_money: bool = False
    is_days: bool = False  # then its numbers are days as YYYYMMDD


def read_column(values: Sequence[str], name: str = "") -> ReadColumn | None:
    """None where a cell is neither a number nor a day, or where their units differ.

    >>> read_column(["1.850 kg", "900 kg"]).readings
    ((1.85, 900.0), (1850.0, 900.0))
    >>> read_column(["3 March 2026", "2025-12-24"]).readings
    ((20260303.0, 20251224.0),)
    """
    days = [_day(value) for value in values]
    if values and all(days):
        return ReadColumn((tuple(map(float, days)),), is_days=True)
    found = [_AMOUNT.fullmatch(value.strip()) for value in values]
    amounts = [match for match in found if match is not None]
    units = {_unit(match) for match in amounts}
    if not amounts or len(amounts) < len(values) or len(units) > 1:
        return None
    if any(len(match["unit"]) > LONGEST_UNIT for match in amounts):
        return None
    readings = tuple(dict.fromkeys(_readings([match["number"] for match in amounts])))
    if not readings:
        return None
    said = " ".join([amounts[0]["before"], amounts[0]["unit"], name])
    return ReadColumn(readings, amounts[0]["unit"].strip(), bool(CURRENCY.search(said)))


def _day(value: str) -> int:
    """As YYYYMMDD; 0 where the cell is not one day."""
    if len(value) > LONGEST_DAY:
        return 0
    found = [each for each in dates(value) if len(each) == len("2026-03-01")]
    return int(found[0].replace("-", "")) if len(found) == 1 else 0


def _unit(match: re.Match[str]) -> tuple[str, ...]:
    return (match["before"], *whole_words(match["unit"]), *re.findall(r"[^\w\s]", match["unit"]))


def _readings(numbers: Sequence[str]) -> Iterator[tuple[float, ...]]:
    """All numbers with a comma between thousands, and all with a point there, if that can be."""
    for thousands, decimal in (",.", ".,"):
        pattern = re.compile(
            rf"[-−+]?(?:\d+|\d{{1,3}}(?:[{thousands}'’{_SPACE}]\d{{3}})+)(?:[{decimal}]\d+)?"
        )
        if all(map(pattern.fullmatch, numbers)):
            yield tuple(_number(each, decimal) for each in numbers)


def _number(text: str, decimal: str) -> float:
    whole, _, rest = text.replace("−", "-").partition(decimal)
    digits = re.sub(rf"[.,'’{_SPACE}]", "", whole)
    return float(f"{digits}.{rest or 0}")


def agreed(readings: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """The places that every reading gives; nothing where two differ."""
    same = all(tuple(one) == tuple(other) for one, other in product(readings, repeat=2))
    return tuple(readings[0]) if readings and same else ()
