"""Leads from cells: one that the question names by its row and column, or those of two rows."""

from __future__ import annotations

from collections.abc import Iterable

from core import grammar
from core.evidence.lexical.analyzer import STOP
from core.language.sentences import Sentences
from worker.typed.asked import Operation, TypedQuestion, whole_terms
from worker.typed.found_tables import TypedRow, TypedTable
from worker.typed.selection import selection
from worker.typed.wanted import is_wanted
from worker.typed.written import cited, fits, is_blank, plain

_WORDS = grammar.merged()
_NO_NOUN = STOP.union(_WORDS.headings.prepositions)
# Names of columns that are no part of a sentence: `Who`, `Value`, `Person`.
_SAY_NOTHING = frozenset((*_WORDS.composing.values, *_WORDS.drafting.name_columns, *STOP))
TWO = 2


def cell(say: Sentences, asked: TypedQuestion, table: TypedTable) -> str:
    """`Team lead of Vision: Priya Raman`, where exactly one row and one column are named.

    All that was asked must stand in title, headings, names of columns and the cells that are named:
    what stands in none of them may be another site, another year or another thing.
    """
    if asked.operation not in (Operation.CELL, Operation.COUNT):
        return ""
    selected = selection(asked, table)
    if selected is None or not selected.named or len(selected.rows) != 1:
        return ""
    names = list(selected.named.values())
    place = _column(asked, table, selected.named.items())
    if place is None:
        return ""
    if not asked.is_within(table.known(names)):
        return ""
    (row,) = selected.rows
    value = row.cells[place].strip()
    if not is_wanted(asked, table.header[place], value):
        return ""
    if is_blank(value) or not fits(value, *names):
        return ""
    sentence = _sentence(say, table, place, ", ".join(names), value)
    return cited(sentence, row.numbers)


def compared(say: Sentences, asked: TypedQuestion, table: TypedTable) -> str:
    """The same column of the two rows that are named."""
    named = table.named_cells(asked)
    if asked.operation is not Operation.COMPARED or len(named) != 1:
        return ""
    ((at, names),) = named.items()
    rows = [row for row in table.rows if row.cells[at].strip() in names]
    place = _column(asked, table, [(at, name) for name in names])
    if len(rows) != TWO or len(names) != TWO:
        return ""
    if place is None or not asked.is_within(table.known(names)):
        return ""
    return _two(say, table, rows, (at, place))


def _two(
    say: Sentences,
    table: TypedTable,
    rows: list[TypedRow],
    places: tuple[int, int],
) -> str:
    at, place = places
    first, second = rows
    cells = {
        "first": first.cells[at],
        "value": first.cells[place],
        "second": second.cells[at],
        "other": second.cells[place],
    }
    if not fits(*cells.values()):
        return ""
    shown = {name: plain(text) for name, text in cells.items()}
    sentence = say("lead-compared", column=plain(table.header[place]), **shown)
    return cited(sentence, (*first.numbers, *second.numbers))


def _column(
    asked: TypedQuestion,
    table: TypedTable,
    named: Iterable[tuple[int, str]],
) -> int | None:
    """The one column that is asked for beside those that say which row it is."""
    besides: set[int] = set()
    said: set[str] = set()
    for place, name in named:
        besides.add(place)
        said.update(whole_terms(name))
    called = table.columns(asked.wanted - said)
    columns = [each for each in called if table.is_meant(each, asked)]
    if asked.asks_who:
        columns = [each for each in table.of_people if each in columns or not called]
    if not (called or columns) and len(table.header) == TWO and not table.meanings:
        columns = [1]
    left = [place for place in columns if place not in besides]
    return left[0] if len(left) == 1 else None


def _sentence(say: Sentences, table: TypedTable, place: int, name: str, value: str) -> str:
    """A column that has a preposition already takes no second one: `Limit per night`.

    Where the column says nothing, the row's name is what `Column` is elsewhere, and the page's
    title is what it is said of.
    """
    column = table.header[place]
    words = set(column.casefold().split())
    if not words or words <= _SAY_NOTHING:
        column, name = name, table.page.title
        key = "lead-cell"
    else:
        is_noun = _NO_NOUN.isdisjoint(words) and "›" not in words
        key = "lead-cell-of" if is_noun else "lead-cell"
    return say(key, column=plain(column), name=plain(name), text=plain(value))
