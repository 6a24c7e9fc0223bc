"""Placement of facts: whether what a sentence names stands where the page speaks of the same thing.

A page that says 25 days of one thing and 30 of another supports neither the other way round.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.embeddings import Vectors
from worker.support.agreement import limits_contradict, says_more_without_a_number
from worker.support.facts import ClaimedFact, WhatLacks
from worker.support.identifiers import identifiers, names
from worker.support.nearness import Nearness
from worker.support.rows import is_of_another_row
from worker.support.statements import PageStatement

CLEARLY = 0.08  # nearer than another statement


def misplaced(fact: ClaimedFact, parts: Sequence[str], near: Nearness) -> Iterator[WhatLacks]:
    """What is wrong with a fact of the pages; `parts`: the clauses, then the whole sentence."""
    statements = near.statements
    text = parts[-1]
    holding = [part for part in parts if fact.text in part] or [text]
    if is_of_another_row(fact, holding, statements):
        yield fact.reason
        return
    clause = holding[0]
    nearness = near.of(clause.replace(fact.text, " "))
    if _another_is_said_nearer(fact, text, statements, nearness):
        yield fact.reason
    elif fact.quantity and _limit_contradicts(fact, text, statements, nearness):
        yield WhatLacks.QUANTIFIER


def _another_is_said_nearer(
    fact: ClaimedFact, text: str, statements: Sequence[PageStatement], nearness: Vectors
) -> bool:
    """Whether the statement that is clearly nearest says another of the same sort in its place."""
    best = int(nearness.argmax())
    own = [how for each, how in zip(statements, nearness, strict=True) if each in fact.said_by]
    if float(nearness[best]) - float(max(own)) <= CLEARLY:
        return False
    return any(_others(fact, text, statements[best]))


def _others(fact: ClaimedFact, text: str, nearest: PageStatement) -> Iterator[bool]:
    """Of each such thing, whether the sentence does not say it anyhow."""
    if fact.quantity is not None:
        for other in nearest.quantities:
            if other.unit == fact.quantity.unit:
                yield other.text not in text
    elif fact.reason is WhatLacks.NAME and fact.text in _second_names(text):
        for name in _second_names(nearest.text):
            yield name not in text
    elif fact.reason is WhatLacks.IDENTIFIER:
        for identifier in identifiers(nearest.text):
            yield identifier not in text


def _second_names(text: str) -> list[str]:
    """Of people: a single name may be that of anything."""
    return list(names(text, nouns_have_capitals=True))


def _limit_contradicts(
    fact: ClaimedFact, text: str, statements: Sequence[PageStatement], nearness: Vectors
) -> bool:
    quantity = fact.quantity
    assert quantity is not None
    _, place = max((how, at) for at, how in enumerate(nearness) if statements[at] in fact.said_by)
    nearest = statements[place]
    following = [nearest, *statements[place + 1 : place + 2]]
    if any(says_more_without_a_number(each.text) for each in following):
        return False  # "More than that …" speaks of the other side of the limit
    same = [other for other in nearest.quantities if quantity.is_said_by(other)]
    return bool(same) and all(
        limits_contradict(quantity, text, other, _around(nearest)) for other in same
    )


def _around(statement: PageStatement) -> str:
    """Of a row, the names of its columns stand before each of its numbers."""
    if not statement.cells:
        return statement.whole
    return " ".join([statement.context, *(column for column, _ in statement.cells)])
