"""Removed evidence: what an ablation takes away, and what that leaves of the pieces that stay.

A removed row goes out of the parts of its table, and out of the texts around others that show its
table's end or beginning. A long row is several pieces: where only some of them go, the row stays
with the cells of the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.models import Copy, Evidence, Kind, Page
from core.neighbours import beginning, ending
from core.pages import PageKey
from core.structure import NO_NEIGHBOUR, Neighbour, NeighbourLine, TableSlice, bars

PlaceOfRow = tuple[PageKey, int, int]  # page, number of the table there, number of the row
MORE = 2  # words: a shorter row could be a part of a table by chance, in another one


class RemovedEvidence:
    """Pieces that are taken away, wherever else their words stand."""

    def __init__(self, taken: Sequence[Copy], kept: Iterable[Copy]) -> None:
        """`kept` are the pieces that stay: what a row of them says is not taken away."""
        self._ids = {copy.evidence.id for copy in taken}
        self._texts = {_flat(copy.evidence.text) for copy in taken}
        self._around: set[str] = set()
        self._lines: set[str] = set()
        self._columns: dict[PlaceOfRow, set[int]] = {}
        for copy in taken:
            piece = copy.evidence
            self._around |= {ending(piece).text, beginning(piece).text}
            if piece.kind is Kind.ROW and piece.table is not None:
                self._lines.add(_flat(bars(piece.table.rows[0].cells)))
                self._columns.setdefault(_place(copy), set()).update(_columns(piece.table))
        for copy in kept:
            table = copy.evidence.table
            if copy.evidence.kind is Kind.ROW and table is not None:
                gone = self._columns.get(_place(copy), set())
                gone.difference_update(_columns(table))

    def hold(self, piece: Evidence) -> bool:
        """Whether this is one of the removed pieces, or says the very same."""
        return piece.id in self._ids or _flat(piece.text) in self._texts

    def out_of_table(self, copy: Copy) -> TableSlice | None:
        """What is left of the part of a table that a piece is."""
        piece = copy.evidence
        if piece.table is None or piece.kind is not Kind.TABLE:
            return piece.table
        own: dict[int, set[int]] = {}
        for row in piece.table.rows:
            place = (copy.page.key, piece.table.number, row.number)
            columns = self._columns.get(place)
            if columns:
                own[row.number] = columns
        return piece.table.without(own) if own else piece.table

    def rows_of(self, copy: Copy) -> int:
        """How many rows of the piece's table go."""
        table = (copy.page.key, copy.evidence.table_number)
        return sum(bool(gone) for (*own, _), gone in self._columns.items() if tuple(own) == table)

    def out_of_neighbour(self, neighbour: Neighbour, page: Page) -> Neighbour:
        """What is left of the text before or after a piece of this page."""
        if neighbour.id in self._ids or neighbour.text in self._around:
            return NO_NEIGHBOUR
        table = neighbour.table
        left = [each for each in neighbour.lines if not self._is_gone(each, table, page)]
        if len(left) == len(neighbour.lines):
            return neighbour
        return neighbour.model_copy(update={"lines": tuple(left)}) if left else NO_NEIGHBOUR

    def _is_gone(self, line: NeighbourLine, table: int | None, page: Page) -> bool:
        """Whether a line is a removed row, by its place or, on another page, by its words."""
        if line.row is None or table is None:
            return False
        if self._columns.get((page.key, table, line.row)):
            return True
        return line.text in self._lines and len(line.text.split()) > MORE


def _place(copy: Copy) -> PlaceOfRow:
    return copy.page.key, copy.evidence.table_number or 0, copy.evidence.row or 0


def _columns(table: TableSlice) -> Iterable[int]:
    """The columns that a piece of a row says; a group's name without cells counts as one."""
    return table.columns or range(max(1, len(table.rows[0].cells)))


def _flat(text: str) -> str:
    return " ".join(text.split())
