"""Tables that hits make up: their rows with the hits that show them, and whether all are there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from core import grammar, organization_terms
from core.evidence.lexical.analyzer import words
from core.evidence.lexical.page_status import is_unsettled
from core.models import Evidence, Hit, Page
from core.pages import PageKey
from worker.entities.asked import asked as organization_question
from worker.typed.asked import TypedQuestion, content, role_term, whole_terms, without_brackets

_GRAMMAR = grammar.merged()
_TOTALS = frozenset(_GRAMMAR.composing.totals)
_UNITS = frozenset(_GRAMMAR.composing.units)
_MEANINGS = frozenset(_GRAMMAR.composing.meaning_columns)
_STATES = (".", "!", "?")  # ends of what says something of its own, such as a surcharge
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
        """It adds up the others."""
        return any(not _TOTALS.isdisjoint(cell.casefold().split()) for cell in self.cells)


@dataclass(frozen=True)
class TypedTable:
    """A table of a page, as far as hits show it."""

    page: Page
    header: tuple[str, ...]
    rows: tuple[TypedRow, ...]  # in their order
    is_whole: bool
    scope: str  # what stands above it: a heading, or the page's title
    above: frozenset[str]  # terms of title, headings and what announces it, not of a statement

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
        name = " ".join(self.header[place].casefold().split())
        if not _CONTRASTING.isdisjoint(name.split()):
            return name in asked.text.casefold()
        roles = frozenset(asked.roles.values())
        *before, last = _told_apart(self.header[place]) or [""]
        open_words = before if roles & self.terms[place] else [*before, last]
        terms = (term for word in open_words for term in content(word))
        return all(term in asked.open_terms for term in terms)

    def known(self, cells: Iterable[str] = ()) -> frozenset[str]:
        """The terms above the table, of its columns' names, and of these cells."""
        return self.above.union(*self.terms, *(whole_terms(cell) for cell in cells))

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


def found_tables(hits: Sequence[Hit]) -> list[TypedTable]:
    """In the order of the hits; not those of a draft beside a page that counts."""
    drawn: dict[tuple[PageKey, int], _Drawn] = {}
    for number, hit in enumerate(hits, start=1):
        table = hit.evidence.table
        if table is not None:
            place = drawn.setdefault((hit.page.key, table.number), _Drawn(hit))
            place.add(number, hit.evidence)
    found = [each.table() for each in drawn.values() if each.is_readable]
    settled = [table for table in found if not is_unsettled(table.page)]
    return settled or found


@dataclass
class _Drawn:
    """The rows of one table, by their numbers."""

    hit: Hit
    rows: dict[int, TypedRow] = field(default_factory=dict)
    ends: set[int] = field(default_factory=set)  # rows behind which pieces say the table ends
    is_readable: bool = True

    def add(self, number: int, piece: Evidence) -> None:
        table = piece.table
        assert table is not None
        if table.columns:  # a row in several pieces
            self.is_readable = False
        for row in table.rows:
            known = self.rows.get(row.number, TypedRow(row.cells, row.group))
            numbers = tuple(dict.fromkeys((*known.numbers, number)))
            self.rows[row.number] = TypedRow(known.cells, known.group, numbers)
        if table.rows and piece.after.table != table.number:
            self.ends.add(table.rows[-1].number)

    def table(self) -> TypedTable:
        piece = self.hit.evidence
        assert piece.table is not None
        announced = piece.table.above
        if announced.endswith(_STATES):
            announced = ""
        headings = (self.hit.page.title, *piece.heading_path, announced)
        said = list(filter(None, (self.hit.page.title, *piece.heading_path)))
        width = len(piece.table.header)
        rows = [self.rows[number] for number in sorted(self.rows)]
        return TypedTable(
            page=self.hit.page,
            header=piece.table.header,
            rows=tuple(row for row in rows if len(row.cells) == width and any(row.cells)),
            is_whole=self.ends == {len(self.rows)} and max(self.rows) == len(self.rows),
            scope=said[-1],
            above=frozenset(words(" ".join(headings))),
        )


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
