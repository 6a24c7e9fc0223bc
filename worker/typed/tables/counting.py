"""Leads that count rows, or name those that a filter leaves."""

from __future__ import annotations

import re

from core import grammar
from core.language.sentences import Sentences
from worker.typed.amounts import read_column
from worker.typed.asked import TypedQuestion, content, without_brackets
from worker.typed.tables.selection import Selection, cells, scope
from worker.typed.tables.typed_table import TypedTable
from worker.typed.written import cited, fits, is_blank, listed

_GRAMMAR = grammar.merged()
# A cell that holds several things: they cannot be counted by rows.
_SEVERAL = re.compile(rf"[\n;,/]|\s(?:{_GRAMMAR.composing.several})\s", re.IGNORECASE)
# One that stands for a number of them: `D1–D4`, `1 to 10`, `2 x`.
_RANGE = re.compile(rf"^\d|\d\s*[–—-]\s*\w|&|\+|\b(?:{_GRAMMAR.support.ranges})\b", re.IGNORECASE)
_QUANTITIES = frozenset(_GRAMMAR.composing.quantities)
_NAME_COLUMNS = frozenset(_GRAMMAR.drafting.name_columns)


def count(say: Sentences, asked: TypedQuestion, table: TypedTable, selected: Selection) -> str:
    place = counted(asked, table)
    if place is None or place in selected.named:
        return ""
    if not _is_about(asked, table, selected) or _has_quantities(asked, table, place):
        return ""
    names = _values(selected, place)
    if len({without_brackets(name).strip() for name in names}) < len(selected.rows):
        return ""  # two of a kind, one thing twice, or a merged cell
    if any(_SEVERAL.search(name) or _RANGE.search(name) for name in names):
        return ""
    if read_column(names) or not fits(*names):
        return ""
    if any(is_blank(name) or not any(map(str.isalpha, name)) for name in names):
        return ""
    sentence = say(
        "lead-count",
        scope=scope(table, selected),
        count=len(names),
        names=listed(say, names),
    )
    return cited(sentence, selected.numbers)


def which(say: Sentences, asked: TypedQuestion, table: TypedTable, selected: Selection) -> str:
    place = counted(asked, table)
    if place is None or place in selected.named:
        return ""
    names = _values(selected, place)
    if not fits(*names) or not all(any(map(str.isalpha, name)) for name in names):
        return ""
    sentence = say("lead-which", names=listed(say, names), cells=cells(table, selected))
    return cited(sentence, selected.numbers)


def counted(asked: TypedQuestion, table: TypedTable) -> int | None:
    """The column of the things that are asked for.

    It has their name, or it is called `Name` and their name stands above the table.
    """
    if not asked.noun:
        return None
    exact = [place for place, own in enumerate(table.terms) if _plain_terms(own) == asked.noun]
    if len(exact) == 1:
        return exact[0]
    called = [
        place
        for place, name in enumerate(table.header)
        if _NAME_COLUMNS.intersection(name.casefold().split())
    ]
    is_above = asked.noun <= table.above
    return called[0] if is_above and not exact and called == [table.names] else None


def _is_about(asked: TypedQuestion, table: TypedTable, selected: Selection) -> bool:
    """Whether the table is one of all that is counted: a heading says so.

    Not the colleagues of a list of desks, and of `Customers that we lost` not all customers.
    """
    if not asked.noun.issubset(content(table.scope)):
        return False
    known = asked.open_terms.union(asked.noun, *table.terms)
    return bool(selected.named) or known.issuperset(content(table.scope))


def _has_quantities(asked: TypedQuestion, table: TypedTable, counted: int) -> bool:
    """Whether a column says how many of a row there are: then its rows are kinds."""
    others = [place for place in range(len(table.header)) if place != counted]
    called = table.columns(asked.noun)
    return any(
        table.is_called(place, _QUANTITIES)
        or (place in called and read_column(table.column(place)) is not None)
        for place in others
    )


def _plain_terms(terms: frozenset[str]) -> frozenset[str]:
    """Without what somebody is."""
    return frozenset(term for term in terms if ":" not in term)


def _values(selected: Selection, place: int) -> list[str]:
    """Each once: a merged cell stands in several rows."""
    return list(dict.fromkeys(row.cells[place].strip() for row in selected.rows))
