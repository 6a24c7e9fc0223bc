"""What a question word wants of a cell: `when` a time, `how much is` a price, `where` a place."""

from __future__ import annotations

import re

from core import grammar
from worker.support.dates import taken_out, weekdays
from worker.support.quantities import CLOCK, quantities, units
from worker.typed.amounts import CURRENCY
from worker.typed.asked import Operation, TypedQuestion

_WORDS = grammar.merged().composing.words
_WHEN, _WHERE, _PRICE, _HOW_LONG = (
    re.compile(rf"\b{words}(?!\w)", re.IGNORECASE)
    for words in (_WORDS.when, _WORDS.where, _WORDS.price, _WORDS.how_long)
)
_PLACES = frozenset(_WORDS.places)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_SPANS = frozenset(("s", "min", "h", "d", "w", "month", "y"))
_MONEY = frozenset(("EUR", "USD", "GBP", "CHF", "cent"))


def is_wanted(asked: TypedQuestion, column: str, value: str) -> bool:
    """Whether a cell under the name of its column is of the kind that is asked for.

    A question word that wants nothing certain, such as `what`, takes every cell.
    """
    text = asked.text
    found = {each.unit for each in quantities(value)}
    if _WHEN.search(text):
        return CLOCK in found or _names_a_day(value)
    if _WHERE.search(text):
        return not _PLACES.isdisjoint(column.casefold().split())
    if _PRICE.search(text):
        return bool(found) and _is_money(found, column, value)
    if _HOW_LONG.search(text):
        return not _SPANS.isdisjoint(found | units(column)) and bool(found) and CLOCK not in found
    if asked.operation is Operation.COUNT:
        return bool(found) and CLOCK not in found and not _is_money(found, column, value)
    return True


def is_price_asked(asked: TypedQuestion) -> bool:
    return bool(_PRICE.search(asked.text))


def _names_a_day(value: str) -> bool:
    return bool(taken_out(value)[0] or weekdays(value) or _YEAR.search(value))


def _is_money(found: set[str], column: str, value: str) -> bool:
    in_words = found | units(column)
    return not _MONEY.isdisjoint(in_words) or bool(CURRENCY.search(f"{column} {value}"))
