"""Placement of facts: whether what a sentence names stands where the page speaks of the same thing.

A page that says 25 days of one thing and 30 of another supports neither the other way round.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.embeddings import Vectors
from worker.support.agreement import clauses, limits_contradict, says_more_without_a_number
from worker.support.facts import ClaimedFact, WhatLacks
from worker.support.identifiers import identifiers, names
from worker.support.nearness import Nearness
from worker.support.polarity import denies
from worker.support.quantities import Quantity, quantities
from worker.support.rows import is_of_another_row
from worker.support.statements import PageStatement

# How much nearer another statement, or another part of one, has to be; see docs/benchmarks.md.
CLEARLY = 0.25


def misplaced(fact: ClaimedFact, parts: Sequence[str], near: Nearness) -> Iterator[WhatLacks]:
    """What is wrong with a fact of the pages; `parts`: the clauses, then the whole sentence."""
    statements = near.statements
    text = parts[-1]
    holding = [part for part in parts if fact.text in part] or [text]
    # Names and codes are said of several rows, and where other words name a row.
    if fact.quantity and is_of_another_row(fact, holding, statements):
        yield fact.reason
        return
    clause = holding[0]
    nearness = near.of(clause.replace(fact.text, " "))
    if _another_is_said_nearer(fact, text, statements, nearness) or _stands_in_another_part(
        fact, clause, near
    ):
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


def _stands_in_another_part(fact: ClaimedFact, clause: str, near: Nearness) -> bool:
    """Whether each statement says it of something else: "Lab 8103, pharmacy 8194".

    Of its parts another, with another fact of the same sort, is clearly nearer to the clause.
    """
    if fact.reason is WhatLacks.DATE:
        return False
    bare = _without_facts(clause)
    return all(_is_elsewhere(fact, bare, each, near) for each in fact.said_by)


def _is_elsewhere(fact: ClaimedFact, bare: str, statement: PageStatement, near: Nearness) -> bool:
    own: list[str] = []
    others: list[str] = []
    for part in clauses(statement.text):
        if same := _of_the_sort(fact, part):
            (own if any(same) else others).append(_without_facts(part))
    if not own or not others:
        return False
    far = max(near.between(bare, each) for each in own)
    return max(near.between(bare, each) for each in others) > far + CLEARLY


def _of_the_sort(fact: ClaimedFact, part: str) -> list[bool]:
    """Of each fact of its sort in a part, whether it is this one."""
    if fact.quantity is not None:
        unit = fact.quantity.common[0]
        same = [each for each in quantities(part) if each.common[0] == unit]
        return [fact.quantity.is_said_by(each) for each in same]
    if fact.reason is WhatLacks.IDENTIFIER:
        return [each == fact.text for each in identifiers(part)]
    return []


def _without_facts(text: str) -> str:
    for each in reversed(quantities(text)):
        text = f"{text[: each.start]} {text[each.end :]}"
    for name in identifiers(text):
        text = text.replace(name, " ")
    return text


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
    if denies(text):
        return False  # "never more than 30" sets the limit that "at most 30" does
    _, place = max((how, at) for at, how in enumerate(nearness) if statements[at] in fact.said_by)
    nearest = statements[place]
    following = [nearest, *statements[place + 1 : place + 2]]
    if any(says_more_without_a_number(each.text) for each in following):
        return False  # "More than that …" speaks of the other side of the limit
    same = [(other, said) for other, said in _with_text(nearest) if quantity.is_said_by(other)]
    return bool(same) and all(
        limits_contradict(quantity, text, other, said) for other, said in same
    )


def _with_text(statement: PageStatement) -> Iterator[tuple[Quantity, str]]:
    """Its numbers, with the text in which each has its place: of a row, the column and the cell."""
    if not statement.cells:
        for each in statement.quantities:
            yield each, statement.whole
    for column, value in statement.cells:
        for each in quantities(f"{column} {value}"):
            yield each, f"{column} {value}"
