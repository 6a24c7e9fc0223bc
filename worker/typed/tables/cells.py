"""Leads from cells: one that the question names by its row and column, or those of two rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from core import grammar
from core.evidence.lexical.analyzer import STOP
from core.language.sentences import Sentences
from worker.typed.asked import Operation, TypedQuestion, whole_terms
from worker.typed.tables.selection import selection
from worker.typed.tables.typed_table import TypedRow, TypedTable
from worker.typed.wanted import is_price_asked, is_wanted
from worker.typed.written import cited, fits, is_blank, plain

_WORDS = grammar.merged()
_NO_NOUN = STOP.union(_WORDS.headings.prepositions)
# Names of columns that are no part of a sentence: `Who`, `Value`, `Person`.
_SAY_NOTHING = frozenset((*_WORDS.composing.values, *_WORDS.drafting.name_columns, *STOP))
# Names of rows that say who somebody is.
_PEOPLE = frozenset(term for word in _WORDS.headings.people for term in whole_terms(word))
_PRICES = frozenset(_WORDS.composing.prices)
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
    if not asked.is_within(table.known_of([place, *selected.named], names)):
        return ""
    (row,) = selected.rows
    is_named = _is_named_by_its_name(asked, table, selected.named)
    if not is_named or not _has_subject(asked, table, place):
        return ""
    if not _is_certain(asked, table, [row], names):
        return ""
    if asked.operation is Operation.COUNT and not _is_counted(asked, table, place, names):
        return ""
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
    if place is None or not asked.is_within(table.known_of([place, at], names)):
        return ""
    if (
        not table.says_no_more(asked)
        or not all(row.is_in_force for row in rows)
        or not table.holds(names)
    ):
        return ""
    return _two(say, table, rows, (at, place))


def _is_certain(
    asked: TypedQuestion, table: TypedTable, rows: list[TypedRow], names: list[str]
) -> bool:
    """Whether nothing above the table, beside it or in these rows speaks against them."""
    is_in_force = all(row.is_in_force for row in rows)
    return is_in_force and table.says_no_more(asked) and table.holds(names)


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
        is_told = bool(asked.open_terms - said)  # `who is Petra Moos` names no column at all
        columns = [each for each in table.of_people if each in columns or (is_told and not called)]
    if not (called or columns) and _is_announced(asked, table, said):
        columns = [1]
    left = [place for place in columns if place not in besides]
    return left[0] if len(left) == 1 else None


def _is_announced(asked: TypedQuestion, table: TypedTable, said: set[str]) -> bool:
    """A list of pairs, whose rows say what stands there; or of prices, where one is asked for."""
    if len(table.header) != TWO or table.meanings:
        return False
    if _says_nothing(table.header[1]):
        return not asked.asks_who or not said.isdisjoint(_PEOPLE)
    return is_price_asked(asked) and table.is_called(1, _PRICES)


def _is_counted(asked: TypedQuestion, table: TypedTable, place: int, names: list[str]) -> bool:
    """What is counted is called so by the column, or by the row of a list of pairs."""
    if _says_nothing(table.header[place]):
        return any(not asked.counted.isdisjoint(name.casefold().split()) for name in names)
    return table.counts(place, asked.counted)


def _is_named_by_its_name(
    asked: TypedQuestion, table: TypedTable, named: Mapping[int, str]
) -> bool:
    """The limit of Hugo Vale is not that of the row in which he stands as a deputy.

    What names it besides is a name, too: a place that is `closed` on another day is none.
    """
    known = {0, table.names} | {place for place in named if asked.wanted & table.terms[place]}
    besides = [cell for place, cell in named.items() if place not in known]
    return not known.isdisjoint(named) and not any(cell.islower() for cell in besides)


def _has_subject(asked: TypedQuestion, table: TypedTable, place: int) -> bool:
    """Of a list of pairs the page says whose they are: `the budget` alone may be any project's."""
    is_of_pairs = _says_nothing(table.header[place])
    return not is_of_pairs or not asked.open_terms.isdisjoint(table.above)


def _sentence(say: Sentences, table: TypedTable, place: int, name: str, value: str) -> str:
    """A column that has a preposition already takes no second one: `Limit per night`.

    Where the column says nothing, the row's name is what `Column` is elsewhere, and the page's
    title is what it is said of.
    """
    column = table.header[place]
    words = set(column.casefold().split())
    if _says_nothing(column):
        column, name = name, table.page.title
        key = "lead-cell"
    else:
        is_noun = _NO_NOUN.isdisjoint(words) and "›" not in words
        key = "lead-cell-of" if is_noun else "lead-cell"
    return say(key, column=plain(column), name=plain(name), text=plain(value))


def _says_nothing(column: str) -> bool:
    return _SAY_NOTHING.issuperset(column.casefold().split())
