"""Tables that hits make up: their rows with the hits that show them, and whether all are there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from core import grammar
from core.evidence.lexical.analyzer import words
from core.evidence.lexical.page_status import is_unsettled
from core.models import Evidence, Hit, Page
from core.pages import PageKey
from worker.typed.tables.said_otherwise import (
    behind,
    changes,
    changes_on,
    is_denied,
)
from worker.typed.tables.typed_table import TypedRow, TypedTable

_GRAMMAR = grammar.merged()
# Such a heading names several things: which of them a table below is about, it does not say.
_SEVERAL = re.compile(rf"[,/&–—]|\b(?:{_GRAMMAR.composing.several})\b", re.IGNORECASE)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_STATES = (".", "!", "?")  # ends of what says something of its own, such as a surcharge


def found_tables(hits: Sequence[Hit]) -> list[TypedTable]:
    """In the order of the hits; not those of a draft beside a page that counts."""
    drawn: dict[tuple[PageKey, int], _Drawn] = {}
    for number, hit in enumerate(hits, start=1):
        table = hit.evidence.table
        if table is not None:
            place = drawn.setdefault((hit.page.key, table.number), _Drawn(hit))
            place.add(number, hit.evidence)
    pages = {each.hit.page.key for each in drawn.values() if each.is_readable}
    said = {page: changes_on(page, hits) for page in pages}
    found = [each.table(said[each.hit.page.key]) for each in drawn.values() if each.is_readable]
    newest = max((hit.page.updated_at[:4] for hit in hits), default="")
    current = [table for table in found if not _is_of_before(table.page, newest)]
    return [table for table in current if not is_unsettled(table.page)] or current


def _is_of_before(page: Page, year: str) -> bool:
    """Whether its title has a year, and none that is as late as this one."""
    named = _YEAR.findall(page.title)
    return bool(named) and max(named) < year


@dataclass
class _Drawn:
    """The rows of one table, by their numbers."""

    hit: Hit
    rows: dict[int, TypedRow] = field(default_factory=dict)
    ends: set[int] = field(default_factory=set)  # rows behind which pieces say the table ends
    is_readable: bool = True
    beside: list[str] = field(default_factory=list)

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
        self.beside += [*changes(behind(piece)), *changes(table.above)]
        if is_denied(piece.heading_path):
            self.is_readable = False

    def table(self, changed: tuple[str, ...]) -> TypedTable:
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
            above=frozenset(words(" ".join(map(_of_all, headings)))),
            beside=tuple(self.beside),
            changed=changed,
        )


def _of_all(heading: str) -> str:
    """Nothing of a heading that names several things: which of them a table is of is not said.

    >>> _of_all("Leave for employees and contractors"), _of_all("Leave")
    ('', 'Leave')
    """
    return "" if _SEVERAL.search(heading) else heading
