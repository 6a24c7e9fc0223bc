"""Cells of a table that say up to, from or between which amounts their row holds."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from core import grammar
from core.structure import TableRow
from worker.support.dates import taken_out
from worker.support.quantities import CLOCK, Quantity, quantities, units

_GRAMMAR = grammar.merged()
_WORDS = _GRAMMAR.rows.amounts
_THROUGH = rf"(?:[-–—]|\b{_GRAMMAR.rows.time.through}(?!\w))"
_MONEY = r"\s*(?:(?-i:[A-Z]{3})|[€$£])?\s*"  # may stand before its number
_JOINED = re.compile(rf"{_MONEY}{_THROUGH}{_MONEY}", re.IGNORECASE)
_BOTH = re.compile(rf"\s*{_WORDS.both}\s*", re.IGNORECASE)
_BETWEEN = re.compile(rf"\b{_WORDS.between}{_MONEY}$", re.IGNORECASE)
_BRACKETS = re.compile(r"\([^)]*\)|\[[^]]*\]")
_DIGITS = re.compile(r"\d(?:[\d.,'’\s]*\d)?")


class Bound(Enum):
    """On which side of its amount a threshold holds, and whether at the amount itself."""

    UP_TO = "up to"
    BELOW = "below"
    FROM = "from"
    ABOVE = "above"
    WITHIN = "within"


_BOUNDS = tuple(
    (re.compile(rf"(?<!\w){words}(?![^\W\d]){_MONEY}$", re.IGNORECASE), bound)
    for words, bound in (
        (_WORDS.up_to, Bound.UP_TO),
        (_WORDS.below, Bound.BELOW),
        (_WORDS.at_least, Bound.FROM),
        (_WORDS.above, Bound.ABOVE),
    )
)
_ABOUT = re.compile(rf"\b{_WORDS.above_or_about}{_MONEY}$", re.IGNORECASE)
_BEHIND = (
    (re.compile(rf"\s*{_WORDS.or_more}(?!\w)", re.IGNORECASE), Bound.FROM),
    (re.compile(rf"\s*{_WORDS.or_less}(?!\w)", re.IGNORECASE), Bound.UP_TO),
)


@dataclass(frozen=True)
class Threshold:
    """One amount, or the lower and the upper one of a range."""

    bound: Bound
    amounts: tuple[Quantity, ...]


@dataclass(frozen=True)
class ThresholdColumn:
    """The rows, by number, whose cell is a threshold; all of one unit, or of none (empty)."""

    thresholds: Mapping[int, Threshold]
    unit: str
    has_others: bool  # cells that are none: "everything above"
    factor: float = 1.0  # of numbers whose unit the column's name says: years, in months


def threshold_column(place: int, name: str, rows: Sequence[TableRow]) -> ThresholdColumn | None:
    """None where fewer than two cells, or not most, are thresholds, or where units differ."""
    cells = {row.number: row.cells[place] for row in rows if place < len(row.cells)}
    cells = {number: cell for number, cell in cells.items() if re.search(r"\w", cell)}
    of_column = _bound_before(_BRACKETS.sub(" ", name))
    found = {number: _threshold(cell, of_column) for number, cell in cells.items()}
    read = {number: threshold for number, threshold in found.items() if threshold}
    said = {
        each.common[0] for threshold in read.values() for each in threshold.amounts if each.unit
    }
    named = [Quantity(frozenset(), unit, 0, 0, "") for unit in units(name)]
    said = said or {each.common[0] for each in named}
    factors = {each.factor for each in named} or {1.0}
    if len(read) < 2 or 2 * len(read) <= len(cells) or len(said) > 1 or len(factors) > 1:
        return None
    return ThresholdColumn(read, next(iter(said), ""), len(read) < len(cells), factors.pop())


def amounts_of(text: str) -> list[Quantity]:
    """The amounts of a text, without its dates and times of day."""
    return [each for each in quantities(taken_out(text)[1]) if each.unit != CLOCK]


def bound_of(amount: Quantity, text: str) -> Bound | None:
    """What the words around an amount say of it."""
    for pattern, bound in _BEHIND:
        if pattern.match(text, amount.end):
            return bound
    return _bound_before(text[: amount.start])


def may_be_about(amount: Quantity, text: str) -> bool:
    """Whether the word before it may also say that it is this amount, and no more."""
    return bool(_ABOUT.search(text[: amount.start]))


def notation(amount: Quantity) -> str:
    """Its number as it is written; without words and multiples.

    >>> [notation(each) for each in amounts_of("30.000 EUR, 12k EUR")]
    ['30.000', '12000']
    """
    found = _DIGITS.search(amount.text)
    value = max(amount.values)
    if not found or value > float(re.sub(r"\D", "", found[0])):
        return f"{value:.0f}"
    return found[0]


def _threshold(cell: str, of_column: Bound | None) -> Threshold | None:
    found = amounts_of(cell)
    if not found:
        return None
    first, *others = found
    if others and _are_joined(first, others[0], cell):
        return Threshold(Bound.WITHIN, (first, others[0]))
    if any(other.common[0] == first.common[0] for other in others):
        return None  # "500 €, in the second year 1000 €"
    bound = bound_of(first, cell) or of_column
    return Threshold(bound, (first,)) if bound else None


def _are_joined(one: Quantity, other: Quantity, cell: str) -> bool:
    between = cell[one.end : other.start]
    if _JOINED.fullmatch(between):
        return True
    return bool(_BOTH.fullmatch(between) and _BETWEEN.search(cell[: one.start]))


def _bound_before(text: str) -> Bound | None:
    """Of the longest words that end the text: "no more than" is not "more than"."""
    found = [(pattern.search(text), bound) for pattern, bound in _BOUNDS]
    starts = {match.start(): bound for match, bound in found if match}
    return starts[min(starts)] if starts else None
