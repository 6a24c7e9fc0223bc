"""The rows of a table whose threshold holds the amount that a question names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, product

from core.structure import TableRow
from worker.support.quantities import CURRENCIES, Quantity
from worker.typed.amounts import read_column
from worker.typed.rows.thresholds import (
    Bound,
    ThresholdColumn,
    amounts_of,
    bound_of,
    may_be_about,
    notation,
    threshold_column,
)

_FEWEST_DIGITS = 3  # of a number without a unit
_YEAR = re.compile(r"(?:19|20)\d\d")
_SIGNS = frozenset(".,")  # between thousands, or before decimals
_TIMES = frozenset({"s", "month"})
_TOPS, _FLOORS = (Bound.UP_TO, Bound.BELOW), (Bound.FROM, Bound.ABOVE)
_LITTLE = 1e-9  # as a part: "over 500" is more than that
_Limits = Mapping[int, tuple[Bound, float, float]]


def rows_by_amount(
    question: str, header: Sequence[str], rows: Sequence[TableRow]
) -> frozenset[int] | None:
    """Their numbers; empty where the thresholds, all of them readable, end before the amount.

    None where the question names no single amount, no column has thresholds of its unit, or where
    two columns, or two readings of a number such as 1.850, give different rows.

    >>> cells = [("up to 500 €",), ("over 500 €",)]
    >>> rows = [TableRow(number=place, cells=each) for place, each in enumerate(cells, start=1)]
    >>> rows_by_amount("Who signs an order of 700 euros?", ("Order",), rows)
    frozenset({2})
    """
    amount = _amount(question)
    if amount is None:
        return None
    found = set()
    for place, name in enumerate(header):
        column = threshold_column(place, name, rows)
        if column and _may_compare(amount, column):
            for value, limits in _readings(amount, column, rows):
                for moved in _meant(value, amount, question):
                    found.add(_chosen(column, limits, moved, rows))
    return found.pop() if len(found) == 1 else None


def _amount(question: str) -> Quantity | None:
    """The one with a unit, else the one bare number that may be an amount."""
    found = [each for each in amounts_of(question) if not _is_article(each)]
    with_unit = [each for each in found if each.unit]
    bare = [each for each in found if not each.unit and _may_be_amount(each)]
    listed = with_unit or bare
    return listed[0] if len(listed) == 1 else None


def _is_article(amount: Quantity) -> bool:
    """Whether it is "a year", and no amount."""
    return not re.search(r"\d", amount.text) and amount.values == {1.0}


def _may_be_amount(amount: Quantity) -> bool:
    number = notation(amount)
    return len(re.sub(r"\D", "", number)) >= _FEWEST_DIGITS and not _YEAR.fullmatch(number)


def _may_compare(amount: Quantity, column: ThresholdColumn) -> bool:
    unit = amount.common[0]
    if unit and column.unit:
        return unit == column.unit
    if unit:
        return unit in CURRENCIES  # a column of money often does not say so
    return column.unit not in _TIMES


def _readings(
    amount: Quantity, column: ThresholdColumn, rows: Sequence[TableRow]
) -> Iterator[tuple[float, _Limits]]:
    """The amount with the limits, where these are in order; else 5.000 was no five."""
    listed = [each for threshold in column.thresholds.values() for each in threshold.amounts]
    for value, numbers in _numbers(notation(amount), [notation(each) for each in listed]):
        factors = [each.factor if each.unit else column.factor for each in listed]
        values = [factor * number for factor, number in zip(factors, numbers, strict=True)]
        limits = _limits(column, iter(values))
        groups = (_of_group(limits, rows, group) for group in {row.group for row in rows})
        if all(map(_is_one_ladder, groups)):
            yield value * amount.factor, limits


def _numbers(asked: str, cells: Sequence[str]) -> Iterator[tuple[float, Sequence[float]]]:
    """Read in one notation where the table has the sign of the question, else each in its own."""
    together = read_column([asked, *cells])
    if together and _SIGNS.intersection(asked) <= set("".join(cells)):
        yield from ((reading[0], reading[1:]) for reading in together.readings)
        return
    one, others = read_column([asked]), read_column(cells)
    if one and others:
        for (value,), numbers in product(one.readings, others.readings):
            yield value, numbers


def _limits(column: ThresholdColumn, values: Iterator[float]) -> _Limits:
    limits = {}
    for number, threshold in column.thresholds.items():
        read = [next(values) for _ in threshold.amounts]
        limits[number] = (threshold.bound, read[0], read[-1])
    return limits


def _meant(value: float, amount: Quantity, question: str) -> Iterator[float]:
    """More than 500 is past a limit of 500, and less than 500 is below it."""
    bound = bound_of(amount, question)
    if bound is Bound.ABOVE:
        yield value * (1 + _LITTLE)
    if bound is Bound.BELOW:
        yield value * (1 - _LITTLE)
    elif bound is not Bound.ABOVE or may_be_about(amount, question):
        yield value


def _chosen(
    column: ThresholdColumn, limits: _Limits, value: float, rows: Sequence[TableRow]
) -> frozenset[int] | None:
    """Of each group its own rows: the nearest of nested limits, and every range."""
    groups = (_of_group(limits, rows, group) for group in {row.group for row in rows})
    chosen = frozenset().union(*(_held(inside, value) for inside in groups))
    if not chosen and (column.has_others or _is_between(limits, value)):
        return None
    return chosen


def _is_between(limits: _Limits, value: float) -> bool:
    """Whether it falls into a gap, as 500.50 does between "up to 500" and "from 501"."""
    ends = [end for _, low, high in limits.values() for end in (low, high)]
    return min(ends) <= value <= max(ends)


def _of_group(limits: _Limits, rows: Sequence[TableRow], group: str) -> _Limits:
    return {
        row.number: limits[row.number]
        for row in rows
        if row.group == group and row.number in limits
    }


def _is_one_ladder(limits: _Limits) -> bool:
    """Whether the limits rise, or fall, all the way: else they are of several things."""
    if any(low > high for _, low, high in limits.values()):
        return False
    steps = list(pairwise(low for _, low, _ in limits.values()))
    return all(one <= other for one, other in steps) or all(one >= other for one, other in steps)


def _held(limits: _Limits, value: float) -> set[int]:
    holding = {n: limit for n, limit in limits.items() if _holds(limit, value)}
    tops = [low for bound, low, _ in holding.values() if bound in _TOPS]
    floors = [low for bound, low, _ in holding.values() if bound in _FLOORS]
    return {
        number
        for number, (bound, low, _) in holding.items()
        if bound is Bound.WITHIN
        or (bound in _TOPS and low == min(tops))
        or (bound in _FLOORS and low == max(floors))
    }


def _holds(limit: tuple[Bound, float, float], value: float) -> bool:
    bound, low, high = limit
    return {
        Bound.UP_TO: value <= low,
        Bound.BELOW: value < low,
        Bound.FROM: value >= low,
        Bound.ABOVE: value > low,
        Bound.WITHIN: low <= value <= high,
    }[bound]
