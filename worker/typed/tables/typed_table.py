"""A table as typed structure: its columns by what they are called, its rows by what they say."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from core import grammar, organization_terms
from core.models import Page
from worker.entities.asked import asked as organization_question
from worker.typed.asked import TypedQuestion, content, role_term, whole_terms, without_brackets
from worker.typed.tables.said_otherwise import (
    is_annulled,
    shares_a_word,
    speaks_of,
)

_GRAMMAR = grammar.merged()
_TOTALS = frozenset(_GRAMMAR.composing.totals)
_SUBSETS = re.compile(rf"\W*{_GRAMMAR.composing.subsets}(?!\w)", re.IGNORECASE)
_REVISED = frozenset(_GRAMMAR.composing.revised)
_CONDITION = re.compile(
    rf"(?<!\S)(?:{_GRAMMAR.headings.applies}|{_GRAMMAR.composing.accompanied})\s.*", re.IGNORECASE
)
_LABELS = frozenset(_GRAMMAR.composing.labels)
_NUMBER_OF = re.compile(rf"\b{_GRAMMAR.composing.rows.count}(?!\w)", re.IGNORECASE)
_UNITS = frozenset(_GRAMMAR.composing.units)
_MEANINGS = frozenset(_GRAMMAR.composing.meaning_columns)
_CONTRASTING = frozenset(_GRAMMAR.composing.contrasting)
_BEHIND = frozenset(_GRAMMAR.headings.prepositions)
_WHO = frozenset((*_GRAMMAR.headings.people, *_GRAMMAR.drafting.name_columns)) - {"name"}


@dataclass(frozen=True)
class TypedRow:
    """A row, and the numbers of the hits that show it."""

    cells: tuple[str, ...]
    group: str = ""
    numbers: tuple[int, ...] = ()

    @property
    def is_total(self) -> bool:
        """It adds up the others, or some of them."""
        return bool(_SUBSETS.match(self.cells[0])) or any(
            not _TOTALS.isdisjoint(cell.casefold().split()) for cell in self.cells
        )

    @property
    def is_in_force(self) -> bool:
        return not is_annulled((self.group, *self.cells))


@dataclass(frozen=True)
class TypedTable:
    """A table of a page, as far as hits show it."""

    page: Page
    header: tuple[str, ...]
    rows: tuple[TypedRow, ...]  # in their order
    is_whole: bool
    scope: str  # what stands above it: a heading, or the page's title
    above: frozenset[str]  # terms of title, headings and what announces it, not of a statement
    beside: tuple[str, ...] = ()  # sentences right beside it that speak of what has changed since
    changed: tuple[str, ...] = ()  # those of its page

    @cached_property
    def terms(self) -> tuple[frozenset[str], ...]:
        """Of each column: the terms of its name, and what somebody is who stands there."""
        return tuple(frozenset(_terms_of(name)) for name in self.header)

    @cached_property
    def of_people(self) -> list[int]:
        """The columns that say who: `Person`, `Team lead`."""
        return [
            place
            for place, name in enumerate(self.header)
            if _WHO.intersection(_told_apart(name.casefold())[-1:]) or organization_terms.role(name)
        ]

    @cached_property
    def has_units(self) -> bool:
        """A column says the unit of each row: the rows cannot be compared."""
        return any(not _UNITS.isdisjoint(name.casefold().split()) for name in self.header)

    @property
    def meanings(self) -> list[int]:
        """The columns that say what something is, behind the one that names it."""
        return [
            place
            for place, name in enumerate(self.header)
            if place and not _MEANINGS.isdisjoint(name.casefold().split())
        ]

    @cached_property
    def names(self) -> int | None:
        """The column that names the rows: the first with letters in which no two are alike."""
        for place in range(len(self.header)):
            values = self.column(place)
            lettered = all(any(map(str.isalpha, value)) for value in values)
            if lettered and len(set(values)) == len(values):
                return place
        return None

    def column(self, place: int) -> list[str]:
        return [row.cells[place].strip() for row in self.rows]

    def columns(self, terms: Iterable[str]) -> list[int]:
        """The columns that these terms name best: not `Team` beside `Team lead`."""
        wanted = set(terms)
        shared = {place: own & wanted for place, own in enumerate(self.terms)}
        best: list[int] = []
        for place, own in shared.items():
            is_outdone = any(own < other for other in shared.values())
            if own and not is_outdone:
                best.append(place)
        return best

    def is_meant(self, place: int, asked: TypedQuestion) -> bool:
        """Whether the question has every word of a column's name that says which it is.

        Not `Account manager` for `manager`, nor `Minimum order` for `order`; what stands behind a
        preposition, a number and a unit's name say no more: `Limit per night`, `Team lead`. But
        a taxi from the airport is none to it.
        """
        if self.is_revised(place):
            return False
        if not _CONTRASTING.isdisjoint(self._words(place)):
            name = " ".join(self.header[place].casefold().split())
            return name in asked.text.casefold()
        roles = frozenset(asked.roles.values())
        *before, last = _told_apart(self.header[place]) or [""]
        open_words = before if roles & self.terms[place] else [*before, last]
        terms = (term for word in open_words for term in content(word))
        return all(term in asked.open_terms for term in terms)

    def known(self, cells: Iterable[str] = ()) -> frozenset[str]:
        """The terms above the table, of its columns' names, and of these cells."""
        return self.known_of(range(len(self.header)), cells)

    def known_of(self, places: Iterable[int], cells: Iterable[str]) -> frozenset[str]:
        """The same without the names of other columns: a surcharge is not part of the price."""
        said = (*(self.header[place] for place in places), *cells)
        terms = (self.terms[place] for place in places)
        return self.above.union(*terms, *(whole_terms(each) for each in said))

    def says_no_more(self, asked: TypedQuestion) -> bool:
        """Whether its heading sets no condition that the question does not name.

        `Opening hours on bridge days`, `Notice during probation`.
        """
        condition = _CONDITION.search(self.scope)
        return condition is None or asked.all_terms.issuperset(content(condition[0]))

    def is_revised(self, place: int) -> bool:
        """Whether another column has what holds in place of this one: `Fee`, `New fee`."""
        own = frozenset(term for word in _told_apart(self.header[place]) for term in content(word))
        return any(
            other != place
            and own - _REVISED <= self.terms[other]
            and not _REVISED.isdisjoint(self._words(other))
            for other in range(len(self.header))
        )

    def holds(self, cells: Collection[str] = ()) -> bool:
        """Whether nothing that was found beside it says that these cells have changed.

        Right beside it a sentence speaks of all its rows, unless it names another one.
        """
        names = [row.cells[0] for row in self.rows if set(cells).isdisjoint(row.cells)]
        return not speaks_of(self.changed, cells) and all(
            cells and speaks_of([each], names) and not shares_a_word(each, cells)
            for each in self.beside
        )

    def counts(self, place: int, written: Iterable[str]) -> bool:
        """Whether the numbers of a column say how many there are of what is written so.

        Not the version of a program for `how many versions`: the column has the very word.
        """
        if _NUMBER_OF.search(self.header[place]):
            return True
        return not self.is_label(place) and not self._words(place).isdisjoint(written)

    def is_called(self, place: int, names: frozenset[str]) -> bool:
        """Whether a column's name is one of these, whatever stands in brackets behind it."""
        own = without_brackets(self.header[place]).casefold().split()
        return bool(own) and names.issuperset(own)

    def is_label(self, place: int) -> bool:
        """Whether its numbers are names: the highest priority is 1."""
        is_number = _NUMBER_OF.search(self.header[place])
        return not is_number and not _LABELS.isdisjoint(self._words(place))

    def _words(self, place: int) -> frozenset[str]:
        """Of a column's name, as they are written there."""
        return frozenset(re.findall(r"\w+", self.header[place].casefold()))

    def named_cells(self, asked: TypedQuestion) -> dict[int, set[str]]:
        """By column the cells that the question names: not `Plover P3` beside `Plover P3 Cold`."""
        named: dict[int, set[str]] = {}
        for place in range(len(self.header)):
            cells = {cell for cell in self.column(place) if asked.names(cell)}
            terms = {cell: set(whole_terms(without_brackets(cell))) for cell in cells}
            for cell, own in terms.items():
                is_outdone = any(own < other for other in terms.values())
                if not is_outdone:
                    named.setdefault(place, set()).add(cell)
        return named


def _told_apart(name: str) -> list[str]:
    """The words of a column's name that tell it from others."""
    words = without_brackets(name).split()
    behind = [place for place, word in enumerate(words) if place and word.lower() in _BEHIND]
    told = words[: behind[0]] if behind else words
    return [word for word in told if not word.isdigit() and not organization_terms.unit(word)]


def _terms_of(name: str) -> Iterator[str]:
    """The terms of a column's name, and what somebody is who stands there: by its last word."""
    yield from content(name)
    *_, last = name.split() or [""]
    yield from map(role_term, organization_question(last).roles)
