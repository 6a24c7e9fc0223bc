"""The rows of a table that are of the time, or for the amount, that a question names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from core import grammar
from core.evidence.lexical.analyzer import content_words, words
from core.question import Completed
from core.structure import TableRow
from worker.typed.rows.asked_time import AskedOrder, AskedTime, asked_time
from worker.typed.rows.by_amount import rows_by_amount
from worker.typed.rows.in_time import columns_in_time, rows_in_time
from worker.typed.rows.time_columns import time_columns

_WHEN = re.compile(rf"\b{grammar.merged().composing.words.when}(?!\w)", re.IGNORECASE)

_CODE = re.compile(r"[^\W\d_].*\d|\d.*[^\W\d_]")  # letters and digits


@dataclass(frozen=True)
class ReadTable:
    """A table with all its rows, and what is said above it."""

    header: Sequence[str]
    rows: Sequence[TableRow]
    above: frozenset[str]  # terms of title and headings
    named: Sequence[tuple[str, str]]  # cells that the question names, with their columns

    def known(self, terms: set[str]) -> set[str]:
        """Those of the terms that stand somewhere in it."""
        said = self.above.union(*map(_terms, self.rows), words(" ".join(self.header)))
        return terms & said

    def columns(self, terms: set[str]) -> list[int]:
        """The places of the columns whose names have one of the terms."""
        return [at for at, name in enumerate(self.header) if terms.intersection(words(name))]

    @property
    def called(self) -> list[TableRow]:
        """The rows that have all the cells that the question names."""
        cells = set(self.named)
        return [row for row in self.rows if cells <= _cells(self.header, row)]

    def with_code(self, question: str) -> list[TableRow]:
        """The rows that have an identifier of the question, `E-WIN-009`, if not all have."""
        codes = {term for term in content_words(question) if _CODE.search(term)}
        rows = [row for row in self.rows if codes & _terms(row)]
        return rows if len(rows) < len(self.rows) else []


def rows_meant(completed: Completed, table: ReadTable) -> frozenset[int]:
    """Their numbers; empty where the question names no time and no amount, or no row is of it."""
    if not completed.asked_on:
        return frozenset()
    day = date.fromisoformat(completed.asked_on)
    asked = asked_time(completed.question, day)
    if asked is None:
        by_amount = rows_by_amount(completed.question, table.header, table.rows) or frozenset()
        called = frozenset(row.number for row in _called(completed.question, table))
        return by_amount & called or by_amount
    if asked.order is not None and not _is_understood(asked, completed, table):
        return _to_come(completed.question, asked, day, table)
    return _in_time(completed.question, asked, day, table)


def _in_time(question: str, asked: AskedTime, day: date, table: ReadTable) -> frozenset[int]:
    """How long a row lasts may stand in the next one, so all are read; the next is one of those
    that are called.
    """
    called = _called(asked.rest, table)
    numbers = frozenset(row.number for row in called)
    every = rows_in_time(question, day, table.header, table.rows) or frozenset()
    if asked.order is None or every & numbers:
        return every & numbers or every
    return rows_in_time(question, day, table.header, called) or frozenset()


def _to_come(question: str, asked: AskedTime, day: date, table: ReadTable) -> frozenset[int]:
    """Of the rows that may be meant those that are not over; empty where columns differ in that."""
    if asked.order is not AskedOrder.NEXT:
        return frozenset()
    columns = columns_in_time(question, asked, day, time_columns(table.header, table.rows, day))
    called = {row.number for row in _called(asked.rest, table)}
    found = {
        frozenset(
            number
            for number, spans in (column.lasting or column.written).items()
            if number in called and any(span.last >= day for span in spans)
        )
        for column in columns
    }
    return found.pop() if len(found) == 1 else frozenset()


def time_places(completed: Completed, table: ReadTable) -> set[int]:
    """The columns that say of what time a row is, where the question asks for one."""
    if not completed.asked_on:
        return set()
    day = date.fromisoformat(completed.asked_on)
    asked = asked_time(completed.question, day)
    if asked is None:
        return set()
    columns = time_columns(table.header, table.rows, day)
    names = {
        name
        for column in columns_in_time(completed.question, asked, day, columns)
        for name in column.names
    }
    return {at for at, name in enumerate(table.header) if name in names}


def _is_understood(asked: AskedTime, completed: Completed, table: ReadTable) -> bool:
    """Whether the one row that comes next is surely one of what is asked for.

    A word that stands nowhere in the table may name a row by another name. And whether a day counts
    may stand in a column that is named: `open` on the next holiday of a city.
    """
    terms = set(content_words(asked.rest))
    if table.known(terms) != terms:
        return False
    if len(_called(asked.rest, table)) < len(table.rows) or not _WHEN.search(completed.question):
        return True
    cells = ([row.cells[at] for row in table.rows] for at in table.columns(terms))
    return all(max(Counter(column).values()) == 1 for column in cells)


def _called(rest: str, table: ReadTable) -> list[TableRow]:
    """The rows that the question calls: by whole cells, else by what it says beside the columns.

    `Rory next primary`: where he stands under that, not where he stands elsewhere.
    """
    rows = list(table.rows)
    if table.named:
        return table.called
    terms = set(content_words(rest)) - table.above - set(words(" ".join(table.header)))
    for places in (table.columns(set(content_words(rest))), range(len(table.header))):
        shared = [len(terms & set(words(" ".join(row.cells[at] for at in places)))) for row in rows]
        if most := max(shared, default=0):
            return [row for row, count in zip(rows, shared, strict=True) if count == most]
    return rows


def _terms(row: TableRow) -> set[str]:
    return set(words(" ".join((row.group, *row.cells))))


def _cells(header: Sequence[str], row: TableRow) -> set[tuple[str, str]]:
    return {(name, cell.replace("\n", "; ")) for name, cell in zip(header, row.cells, strict=False)}
