"""Facts of a claim: what must stand on the pages letter by letter, or by its value.

Numbers, dates, days of the week, identifiers and names. Each is looked for in every statement; one
that stands nowhere is not supported, whatever else the claim says.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from core import grammar
from core.language import language
from worker.support.dates import taken_out, weekdays
from worker.support.identifiers import identifiers, names, stands_in
from worker.support.quantities import Quantity, quantities
from worker.support.statements import Statement
from worker.support.words import content, is_covered

COUNTED = 30  # a list of more things is not counted by a reader


class Reason(StrEnum):
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
class Fact:
    """One of them, with the statements that say it."""

    text: str
    reason: Reason  # for its absence
    said_by: tuple[Statement, ...]
    quantity: Quantity | None = None


def facts(text: str, statements: Sequence[Statement]) -> Iterator[Fact]:
    """The facts of a sentence, whether or not any statement says them."""
    days, rest = taken_out(text)
    for day in days:
        yield _fact(day.text, Reason.DATE, statements, lambda s, d=day: _has_day(s, d))
    for number, written in weekdays(rest).items():
        yield _fact(written, Reason.DATE, statements, lambda s, n=number: n in s.weekdays)
    for identifier in identifiers(rest):
        yield _fact(
            identifier, Reason.IDENTIFIER, statements, lambda s, i=identifier: stands_in(i, s.whole)
        )
    yield from _quantities(rest, statements)
    for name in names(rest, nouns_have_capitals=_nouns_have_capitals(text)):
        yield _fact(name, Reason.NAME, statements, lambda s, n=name: _has_name(s, n))


def _fact(
    text: str, reason: Reason, statements: Sequence[Statement], says: Callable[[Statement], bool]
) -> Fact:
    return Fact(text, reason, tuple(filter(says, statements)))


def _has_day(statement: Statement, day: object) -> bool:
    return any(day.is_said_by(other) for other in statement.days)  # type: ignore[attr-defined]


def _has_name(statement: Statement, name: str) -> bool:
    own = next(content(name), "")
    return not own or is_covered(own, statement.all_words)


def _quantities(text: str, statements: Sequence[Statement]) -> Iterator[Fact]:
    known = [each for name in identifiers(text) for each in quantities(name)]
    for quantity in quantities(text):
        if any(quantity.values & other.values for other in known):
            continue
        said_by = tuple(each for each in statements if _says(each, quantity))
        reason = Reason.NUMBER
        if not said_by and any(_has_value(each, quantity) for each in statements):
            reason = Reason.UNIT
        if not said_by and _is_a_count(quantity, text, statements):
            continue
        yield Fact(quantity.text, reason, said_by, quantity)


def _says(statement: Statement, quantity: Quantity) -> bool:
    if statement.says(quantity):
        return True
    return not quantity.unit and any(float(day.year) in quantity.values for day in statement.days)


def _has_value(statement: Statement, quantity: Quantity) -> bool:
    return any(quantity.values & other.values for other in statement.quantities)


def _is_a_count(quantity: Quantity, text: str, statements: Sequence[Statement]) -> bool:
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
