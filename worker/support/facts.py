"""Facts of a claim: what must stand on the pages letter by letter, or by its value.

Numbers, dates, days of the week, identifiers and names. Each is looked for in every statement; one
that stands nowhere is not supported, whatever else the claim says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from core import grammar
from core.language import language
from worker.support.dates import Day, taken_out, weekdays
from worker.support.identifiers import identifiers, names, stands_in
from worker.support.quantities import Quantity, quantities
from worker.support.statements import PageStatement
from worker.support.words import content, is_covered

COUNTED = 30  # a list of more things is not counted by a reader


class WhatLacks(StrEnum):
    """What of a sentence the pages do not say."""

    NUMBER = "number"
    UNIT = "unit"
    DATE = "date"
    NAME = "name"
    IDENTIFIER = "identifier"
    NEGATION = "negation"
    QUANTIFIER = "quantifier"
    CONTENT = "content"


@dataclass(frozen=True)
class ClaimedFact:
    """One of them, with the statements that say it."""

    text: str
    reason: WhatLacks  # for its absence
    said_by: tuple[PageStatement, ...]
    quantity: Quantity | None = None


def facts(text: str, statements: Sequence[PageStatement]) -> Iterator[ClaimedFact]:
    """The facts of a sentence, whether or not any statement says them."""
    days, rest = taken_out(text)
    for day in days:
        yield ClaimedFact(
            day.text, WhatLacks.DATE, tuple(each for each in statements if _names(each, day))
        )
    for number, written in weekdays(rest).items():
        said_by = tuple(each for each in statements if number in each.weekdays)
        yield ClaimedFact(written, WhatLacks.DATE, said_by)
    for identifier in identifiers(rest):
        said_by = tuple(each for each in statements if stands_in(identifier, each.whole))
        yield ClaimedFact(identifier, WhatLacks.IDENTIFIER, said_by)
    yield from _quantities(rest, statements)
    for name in names(rest, nouns_have_capitals=_nouns_have_capitals(text)):
        said_by = tuple(each for each in statements if _has_word(each, name))
        yield ClaimedFact(name, WhatLacks.NAME, said_by)


def _names(statement: PageStatement, day: Day) -> bool:
    return any(day.is_said_by(other) for other in statement.days)


def _has_word(statement: PageStatement, name: str) -> bool:
    own = next(content(name), "")
    return not own or is_covered(own, statement.all_words)


def _quantities(text: str, statements: Sequence[PageStatement]) -> Iterator[ClaimedFact]:
    known = [each for name in identifiers(text) for each in quantities(name)]
    for quantity in quantities(text):
        if quantity.values == {1.0} and not re.search(r"\d", quantity.text):
            continue  # "a year" is mostly no amount
        if any(quantity.values & other.values for other in known):
            continue
        said_by = tuple(each for each in statements if _says(each, quantity))
        reason = WhatLacks.NUMBER
        if not said_by and any(_has_value(each, quantity) for each in statements):
            reason = WhatLacks.UNIT
        if not said_by and _is_a_count(quantity, text, statements):
            continue
        yield ClaimedFact(quantity.text, reason, said_by, quantity)


def _says(statement: PageStatement, quantity: Quantity) -> bool:
    if statement.says(quantity):
        return True
    return not quantity.unit and any(float(day.year) in quantity.values for day in statement.days)


def _has_value(statement: PageStatement, quantity: Quantity) -> bool:
    return any(quantity.values & other.values for other in statement.quantities)


def _is_a_count(quantity: Quantity, text: str, statements: Sequence[PageStatement]) -> bool:
    """Whether it says how many items a list, a table or the sentence itself names."""
    if quantity.unit or max(quantity.values) > COUNTED:
        return False
    named = len(re.findall(r",|\s(?:and|und|&)\s", text)) + 1
    return float(named) in quantity.values or any(
        float(each.listed) in quantity.values for each in statements if each.listed > 1
    )


def _nouns_have_capitals(text: str) -> bool:
    known = grammar.languages().get(language(text) or "")
    return known is None or known.nouns_have_capitals
