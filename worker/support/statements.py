"""Statements of the evidence: its sentences, items, rows and lines, each with what it says.

What stands above a statement belongs to it: the title of its page, its headings, the line that
announces its list, the names of its columns. So does what the wiki says of the page itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from core.evidence.lexical.sentence_ends import SENTENCE_END
from core.evidence.spans import Span, spans_of
from core.models import Hit
from core.structure import Cells
from worker.support.dates import Day, taken_out, weekdays
from worker.support.quantities import CURRENCIES, Quantity, quantities, units
from worker.support.words import content


@dataclass(frozen=True)
class PageStatement:
    """What one place of the evidence says."""

    number: int  # of its piece in the prompt
    text: str
    context: str = ""  # what stands above it
    cells: Cells = ()  # (column name, value) where it is a row of a table
    table: tuple[int, int] = (0, 0)  # that table: the place of its piece, and its number
    listed: int = 0  # how many items or rows stand in the list or table that it begins
    lead: str = ""  # of an item: the heading or line that announces its list

    @cached_property
    def whole(self) -> str:
        return f"{self.context} {self.text}"

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(content(self.text))

    @cached_property
    def context_words(self) -> frozenset[str]:
        return frozenset(content(self.context))

    @cached_property
    def all_words(self) -> frozenset[str]:
        return self.words | self.context_words

    @cached_property
    def days(self) -> tuple[Day, ...]:
        return tuple(taken_out(self.whole)[0])

    @cached_property
    def weekdays(self) -> frozenset[int]:
        return frozenset(weekdays(self.whole))

    @cached_property
    def units(self) -> frozenset[str]:
        """Those of its numbers, and those it names without one."""
        return frozenset({*units(self.whole), *(each.unit for each in self.quantities)} - {""})

    def says(self, quantity: Quantity) -> bool:
        """Whether it says this; a number without a unit has one that stands nearby, if any does."""
        is_money = quantity.unit in CURRENCIES  # a column of prices names no currency beside hours
        rivals = self.units & CURRENCIES if is_money else self.units
        for other in self.quantities:
            if quantity.is_said_by(other):
                bare = quantity.unit and not other.unit
                if not bare or not rivals or quantity.unit in rivals:
                    return True
        return False

    @cached_property
    def quantities(self) -> tuple[Quantity, ...]:
        """Of a cell, in the unit of its column where it has no other."""
        if not self.cells:
            return _quantities(self.whole)
        found = [*_quantities(self.context)]
        for column, value in self.cells:
            found += _in_unit_of(column, _quantities(value))
            found += _quantities(column)
        return tuple(found)


def _quantities(text: str) -> tuple[Quantity, ...]:
    return tuple(quantities(taken_out(text)[1]))


def _in_unit_of(column: str, found: Sequence[Quantity]) -> Iterator[Quantity]:
    named = units(column)
    unit = named.pop() if len(named) == 1 else ""
    for each in found:
        yield each if each.unit else Quantity(each.values, unit, each.start, each.end, each.text)


def statements_of(hits: Sequence[Hit]) -> list[PageStatement]:
    """All statements of these hits, numbered as the prompt numbers them, from 1."""
    found: list[PageStatement] = []
    for number, hit in enumerate(hits, 1):
        pieces = [hit.evidence, *hit.block]
        for place, piece in enumerate(pieces):
            of_piece = hit.model_copy(update={"evidence": piece, "block": ()})
            spans = list(spans_of([of_piece]))
            found += (_statement(number, span, len(spans), place) for span in spans)
        found += _beside(number, hit)
        found.append(_of_page(number, hit))
    return found


def _statement(number: int, span: Span, listed: int, place: int) -> PageStatement:
    piece = span.hit.evidence
    announced = piece.table.above if piece.table else ""
    above = span.above if span.mark else ()
    parts = [span.hit.page.title, *piece.heading_path, announced, *above]
    context = ". ".join(filter(None, parts))
    table = (place if piece.row is None else -1, piece.table_number or 0)
    leads = ["", *piece.heading_path[-1:], *above] if span.mark else [""]
    return PageStatement(number, span.text, context, span.cells, table, listed, leads[-1])


def _beside(number: int, hit: Hit) -> Iterator[PageStatement]:
    """The ends of the pieces before and after it, which the prompt shows too."""
    for near in (hit.evidence.before, hit.evidence.after):
        for line in near.lines:
            if line.row is None and near.table is None:
                for sentence in SENTENCE_END.split(line.text):
                    yield PageStatement(number, sentence, hit.page.title)


def _of_page(number: int, hit: Hit) -> PageStatement:
    page = hit.page
    text = f"{page.title}. {page.owner}. {page.space}. {page.updated_at[:10]}"
    return PageStatement(number, text, " ".join(page.labels))
