"""Leads over the rows of a whole table: counts, filters, extremes and sums."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core import grammar
from core.language.sentences import Sentences
from worker.typed.amounts import ReadColumn, agreed, read_column
from worker.typed.asked import EXTREMES, Operation, TypedQuestion, whole_terms
from worker.typed.found_tables import TypedTable
from worker.typed.selection import Selection, selection
from worker.typed.written import cited, fits, is_blank, listed, plain

MOST_BEST = 3  # rows that may share the highest value
FEWEST = 2  # rows of which one can be the highest

_GRAMMAR = grammar.merged()
# A cell that holds several things: they cannot be counted by rows.
_SEVERAL = re.compile(rf"[\n;,/]|\s(?:{_GRAMMAR.composing.several})\s", re.IGNORECASE)
_VALUES = frozenset(_GRAMMAR.composing.values)
_NAME_COLUMNS = frozenset(_GRAMMAR.drafting.name_columns)


def over_rows(say: Sentences, asked: TypedQuestion, table: TypedTable) -> str:
    """Empty where not all rows are there, one adds up others, or a word of the question is open."""
    if not table.is_whole or any(row.is_total for row in table.rows):
        return ""
    selected = selection(asked, table)
    if selected is None or not asked.is_within(table.known(selected.named.values())):
        return ""
    if asked.operation in EXTREMES:
        return _extreme(say, asked, table, selected)
    if asked.operation is Operation.TOTAL:
        return _total(say, asked, table, selected) or _count(say, asked, table, selected)
    if _has_open_column(asked, table, selected):
        return ""
    is_of_all = asked.operation is Operation.WHICH and not selected.named
    if asked.operation is Operation.COUNT or is_of_all:
        return _count(say, asked, table, selected)
    if asked.operation is Operation.WHICH:
        return _which(say, asked, table, selected)
    return ""


def _has_open_column(asked: TypedQuestion, table: TypedTable, selected: Selection) -> bool:
    """Whether a column is named that neither says which rows, nor what is counted.

    `Which systems have a backup?`, `Which have Hilde as deputy?` where she stands as owner.
    """
    said = asked.noun.union(*(whole_terms(cell) for cell in selected.named.values()))
    known = {*selected.named, _counted(asked, table)}
    return any(place not in known for place in table.columns(asked.wanted - said))


def _count(say: Sentences, asked: TypedQuestion, table: TypedTable, selected: Selection) -> str:
    place = _counted(asked, table)
    if place is None or place in selected.named:
        return ""
    names = _values(selected, place)
    if any(map(_SEVERAL.search, names)) or read_column(names) or not fits(*names):
        return ""
    if any(is_blank(name) or not any(map(str.isalpha, name)) for name in names):
        return ""
    sentence = say(
        "lead-count",
        scope=_scope(table, selected),
        count=len(names),
        names=listed(say, names),
    )
    return cited(sentence, selected.numbers)


def _which(say: Sentences, asked: TypedQuestion, table: TypedTable, selected: Selection) -> str:
    place = _counted(asked, table)
    if place is None or place in selected.named:
        return ""
    names = _values(selected, place)
    if not fits(*names):
        return ""
    sentence = say("lead-which", names=listed(say, names), cells=_cells(table, selected))
    return cited(sentence, selected.numbers)


def _total(say: Sentences, asked: TypedQuestion, table: TypedTable, selected: Selection) -> str:
    found = [
        (place, column)
        for place in table.columns(asked.noun or asked.wanted)
        if (column := _read(table, selected, place)) and not column.is_days
    ]
    if table.has_units or len(found) != 1 or len(selected.rows) < FEWEST or "%" in found[0][1].unit:
        return ""
    place, column = found[0]
    sums = {round(sum(reading), 6) for reading in column.readings}
    if len(sums) != 1:
        return ""
    total = sums.pop()
    digits = max(len(f"{total:.6f}".rstrip("0").partition(".")[2]), 0)
    sentence = say(
        "lead-total",
        column=plain(table.header[place]),
        scope=_scope(table, selected),
        total=f"{say.number(total, digits)} {plain(column.unit)}".strip(),
        count=len(selected.rows),
    )
    return cited(sentence, selected.numbers)


def _extreme(say: Sentences, asked: TypedQuestion, table: TypedTable, selected: Selection) -> str:
    found = _measured(asked, table, selected)
    if found is None or len(selected.rows) < FEWEST:
        return ""
    place, column = found
    shown = _shown(asked, table, place)
    best = agreed([_best(reading, asked.operation) for reading in column.readings])
    if shown is None or not 0 < len(best) <= MOST_BEST:
        return ""
    rows = [selected.rows[at] for at in best]
    names = [row.cells[shown].strip() for row in rows]
    value = rows[0].cells[place].strip()
    if not fits(value, *names):
        return ""
    sentence = say(
        f"lead-{asked.operation}",
        names=listed(say, names),
        column=plain(table.header[place]),
        value=plain(value),
        scope=_scope(table, selected),
    )
    return cited(sentence, selected.numbers)


def _scope(table: TypedTable, selected: Selection) -> str:
    """Of what it is true: `Departments (Site: Porto)`."""
    scope = plain(table.scope)
    return f"{scope} ({_cells(table, selected)})" if selected.named else scope


def _cells(table: TypedTable, selected: Selection) -> str:
    """The cells that the question names, under the names of their columns."""
    cells = [
        f"{table.header[place]}: {cell}" if table.header[place] else cell
        for place, cell in selected.named.items()
    ]
    return plain("; ".join(cells))


def _measured(
    asked: TypedQuestion,
    table: TypedTable,
    selected: Selection,
) -> tuple[int, ReadColumn] | None:
    """The one column whose cells are compared: of those that are named, else of its type."""
    if table.has_units:
        return None
    fitting: dict[int, ReadColumn] = {}
    for place in range(len(table.header)):
        column = _read(table, selected, place)
        if column and _suits(column, asked.operation):
            fitting[place] = column
    for terms in (asked.wanted - asked.noun, asked.noun):
        named = [place for place in table.columns(terms) if place in fitting]
        if len(named) == 1:
            return named[0], fitting[named[0]]
        if named:
            return None
    is_typed = asked.operation not in (Operation.HIGHEST, Operation.LOWEST)
    if is_typed and len(fitting) == 1:
        return next(iter(fitting.items()))
    return None


def _suits(column: ReadColumn, operation: Operation) -> bool:
    if operation in (Operation.LATEST, Operation.EARLIEST):
        return column.is_days
    if operation in (Operation.DEAREST, Operation.CHEAPEST):
        return column.is_money
    return not column.is_days


def _best(numbers: Sequence[float], operation: Operation) -> list[int]:
    """The places of the highest, or of the lowest."""
    is_lowest = operation in (Operation.LOWEST, Operation.EARLIEST, Operation.CHEAPEST)
    best = min(numbers) if is_lowest else max(numbers)
    return [place for place, number in enumerate(numbers) if number == best]


def _shown(asked: TypedQuestion, table: TypedTable, measured: int) -> int | None:
    """The column that is named to say which row it is."""
    place = _counted(asked, table)
    named = [each for each in table.columns(asked.wanted) if each != measured]
    if place is None and not asked.noun and len(named) == 1:
        place = named[0]
    shown = table.names if place in (None, measured) else place
    if shown is None or shown == measured:
        return None
    values = table.column(shown)
    return shown if len(set(values)) == len(values) else None


def _counted(asked: TypedQuestion, table: TypedTable) -> int | None:
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


def _plain_terms(terms: frozenset[str]) -> frozenset[str]:
    """Without what somebody is."""
    return frozenset(term for term in terms if ":" not in term)


def _values(selected: Selection, place: int) -> list[str]:
    """Each once: a merged cell stands in several rows."""
    return list(dict.fromkeys(row.cells[place].strip() for row in selected.rows))


def _read(table: TypedTable, selected: Selection, place: int) -> ReadColumn | None:
    """None of a column such as `Value`, in which each row speaks of something else."""
    if not _VALUES.isdisjoint(table.header[place].casefold().split()):
        return None
    values = [row.cells[place].strip() for row in selected.rows]
    return read_column(values, table.header[place])
