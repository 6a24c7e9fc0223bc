"""Leads that compare the numbers or days of a column, or add them up."""

from __future__ import annotations

from collections.abc import Sequence

from core import grammar
from core.language.sentences import Sentences
from worker.typed.amounts import ReadColumn, agreed, read_column
from worker.typed.asked import Operation, TypedQuestion, without_brackets
from worker.typed.tables.counting import counted
from worker.typed.tables.selection import Selection, scope
from worker.typed.tables.typed_table import TypedTable
from worker.typed.written import cited, fits, listed, plain

MOST_BEST = 3  # rows that may share the highest value
FEWEST = 2  # rows of which one can be the highest

_GRAMMAR = grammar.merged()
_PRICES = frozenset(_GRAMMAR.composing.prices)
_DAYS = frozenset(_GRAMMAR.composing.days)
_PERIODS = frozenset(_GRAMMAR.composing.periods)
_VALUES = frozenset(_GRAMMAR.composing.values)


def total(say: Sentences, asked: TypedQuestion, table: TypedTable, selected: Selection) -> str:
    found = [
        (place, column)
        for place in table.columns(asked.noun or asked.wanted)
        if (column := _read(table, selected, place)) and not column.is_days
    ]
    if table.has_units or len(found) != 1 or len(selected.rows) < FEWEST or "%" in found[0][1].unit:
        return ""
    place, column = found[0]
    if table.is_called(0, _PERIODS) or len(_bare(table)) < len(table.rows):
        return ""
    if table.is_called(place, _PRICES):
        return ""  # of one of each
    if table.is_label(place) or not table.counts(place, asked.written):
        return ""
    sums = {round(sum(reading), 6) for reading in column.readings}
    if len(sums) != 1:
        return ""
    total = sums.pop()
    digits = max(len(f"{total:.6f}".rstrip("0").partition(".")[2]), 0)
    sentence = say(
        "lead-total",
        column=plain(table.header[place]),
        scope=scope(table, selected),
        total=f"{say.number(total, digits)} {plain(column.unit)}".strip(),
        count=len(selected.rows),
    )
    return cited(sentence, selected.numbers)


def extreme(say: Sentences, asked: TypedQuestion, table: TypedTable, selected: Selection) -> str:
    found = _measured(asked, table, selected)
    if found is None or len(selected.rows) < FEWEST:
        return ""
    place, column = found
    if not selected.as_columns <= table.terms[place]:
        return ""  # of a row that is called as another column is, perhaps
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
        scope=scope(table, selected),
    )
    return cited(sentence, selected.numbers)


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
        if column and _suits(column, asked.operation) and not table.is_label(place):
            fitting[place] = column
    for terms in (asked.wanted - asked.noun, asked.noun):
        called = table.columns(terms)
        named = [place for place in called if place in fitting and table.is_meant(place, asked)]
        if len(named) == 1:
            return named[0], fitting[named[0]]
        is_told = terms is not asked.noun and not {0, table.names}.issuperset(called)
        if named or is_told:  # the turnover, which cannot be read
            return None
    if asked.noun and counted(asked, table) is None:
        return None
    # The oldest truck is not the one that was looked at first.
    usual = _PRICES if asked.operation in (Operation.DEAREST, Operation.CHEAPEST) else _DAYS
    plain = [place for place in fitting if table.is_called(place, usual)]
    return (plain[0], fitting[plain[0]]) if len(plain) == len(fitting) == 1 else None


def _bare(table: TypedTable) -> set[str]:
    """The names of its rows: `Line 1 (early)` and `Line 1 (late)` are the same one."""
    return {without_brackets(row.cells[0]).strip() for row in table.rows}


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
    place = counted(asked, table)
    named = [each for each in table.columns(asked.wanted) if each != measured]
    if place is None and not asked.noun and len(named) == 1:
        place = named[0]
    shown = table.names if place in (None, measured) else place
    if shown is None or shown == measured:
        return None
    values = table.column(shown)
    return shown if len(set(values)) == len(values) else None


def _read(table: TypedTable, selected: Selection, place: int) -> ReadColumn | None:
    """None of a column such as `Value`, in which each row speaks of something else."""
    if not _VALUES.isdisjoint(table.header[place].casefold().split()):
        return None
    values = [row.cells[place].strip() for row in selected.rows]
    return read_column(values, table.header[place])
