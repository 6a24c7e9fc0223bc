"""Rows of tables: whether a fact stands in a row that the sentence speaks of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from worker.support.facts import ClaimedFact
from worker.support.statements import PageStatement
from worker.support.words import content

MOST_KEY_WORDS = 6  # a cell of more is no name for its row


def is_of_another_row(
    fact: ClaimedFact, clauses: Sequence[str], statements: Sequence[PageStatement]
) -> bool:
    """Whether the sentence names rows, and the fact stands in none of them, nor outside of them.

    Of `clauses` the first is the one that holds the fact: what it names counts, else what the whole
    sentence names, which stands last.
    """
    rows = [each for each in fact.said_by if each.cells]
    if not rows or len(rows) < len(fact.said_by):
        return False
    tables = [each for each in statements if each.cells]
    for clause in clauses:
        words = frozenset(content(clause)) - frozenset(content(fact.text))
        named = [row for row in tables if any(_names(row, words, clause, tables))]
        if named:
            return not any(row in rows for row in named)
    return False


def _names(
    row: PageStatement, words: frozenset[str], clause: str, tables: Sequence[PageStatement]
) -> Iterator[bool]:
    """For each cell, whether these words name it and it tells its row from others."""
    for place, (_, value) in enumerate(row.cells):
        key = frozenset(content(value))
        if not key or len(key) > MOST_KEY_WORDS or not key <= words:
            continue
        if len(key) == 1 and value not in clause:
            continue  # "people" is not the team People
        beside = [other for other in tables if other.table == row.table]
        same = sum(_cell(other, place) == value for other in beside)
        yield same <= max(1, len(beside) // 3)


def _cell(row: PageStatement, place: int) -> str:
    return row.cells[place][1] if place < len(row.cells) else ""
