"""Suggests from cited tables: other columns of a cited row, and the same column of other rows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from core import grammar
from core.evidence.lexical.analyzer import content_words
from core.models import Evidence, Page
from core.pages import PageKey
from worker.suggestions.candidates import Candidate, Neighbourhood, candidate, interleave

_SAYS_NOTHING = re.compile(r"\W*|\(\w+\)|n/?a|tbd|not tested", re.IGNORECASE)  # of a cell
_SUBSETS = re.compile(rf"\W*{grammar.merged().composing.subsets}(?!\w)", re.IGNORECASE)
KEY_COLUMNS = 2  # among which the one that names the rows is looked for
KEY_WORDS = 6  # a longer first cell does not name its row, it tells something


def cells(around: Neighbourhood) -> Iterator[Candidate]:
    """Cells and rows of the cited tables, in turns."""
    for table in _tables(around):
        yield from interleave(
            filter(None, table.same_row()),
            filter(None, table.same_column()),
            filter(None, table.properties()),
        )


@dataclass(frozen=True)
class _FoundTable:
    """A cited table: its rows, and which of them are cited and which are not."""

    around: Neighbourhood
    page: Page
    rows: Sequence[Evidence]
    cited: Sequence[Evidence]
    others: Sequence[Evidence]

    def same_row(self) -> Iterator[Candidate | None]:
        """Other columns of the cited rows."""
        key, asked = self._key_column(), self._asked_columns()
        for row in self.cited:
            for column, _ in row.cells:
                if column not in asked:
                    yield self._cell(row, key, column)

    def same_column(self) -> Iterator[Candidate | None]:
        """The same columns of other rows; rows as a whole where columns are no nouns."""
        key, asked = self._key_column(), self._asked_columns()
        for row in self.others:
            for column in asked:
                yield self._cell(row, key, column) or self._row(row, key)

    def properties(self) -> Iterator[Candidate | None]:
        """Other rows of a table in which each row is a name and a value."""
        for row in self.others:
            if len(row.cells) == 1:
                yield self._cell(row, None, row.cells[0][0])

    def _columns(self) -> list[str]:
        columns: dict[str, str] = {}
        for row in self.rows:
            columns |= dict(row.cells)
        return list(columns)

    def _key_column(self) -> str | None:
        """The first column whose cells name their rows: short, distinct, with a letter first."""
        for column in self._columns()[:KEY_COLUMNS]:
            values = [dict(row.cells).get(column, "") for row in self.rows]
            are_distinct = len(set(values)) == len(values)
            if are_distinct and all(map(_names_row, values)):
                return column
        return None

    def _asked_columns(self) -> list[str]:
        """The columns that the question names, else those that the answer shows."""
        turn = self.around.turn
        question = set(content_words(turn.completed.question))
        columns = self._columns()
        named = [column for column in columns if question.intersection(content_words(column))]
        shown: dict[str, None] = {}
        for row in self.cited:
            for column, value in row.cells[1:]:
                if value and value in turn.answer.text:
                    shown[column] = None
        return named or list(shown) or columns[1:2]

    def _cell(
        self,
        row: Evidence,
        key: str | None,
        column: str,
    ) -> Candidate | None:
        cells = dict(row.cells)
        value = cells.get(column, "")
        name = cells.get(key, "") if key else ""
        if column == key or _SAYS_NOTHING.fullmatch(value):
            return None
        if len(cells) > 1 and (not name or _SUBSETS.match(name)):
            return None  # "All other cities" names what the other rows are not
        shown_column = self.around.natural(column, self.page)
        wordings = self.around.words.cell(self.page.title, name, shown_column, value)
        about, answer = f"{name} {column}", f"{name} {value}"
        return candidate(self.page, wordings, about, [answer], [row])

    def _row(self, row: Evidence, key: str | None) -> Candidate | None:
        name = dict(row.cells).get(key, "") if key else ""
        if not name or _SUBSETS.match(name):
            return None
        wordings = self.around.words.row(self.page.title, name)
        return candidate(self.page, wordings, name, [row.text], [row])


def _tables(around: Neighbourhood) -> Iterator[_FoundTable]:
    """The cited tables of which the reader may see rows."""
    tables: dict[tuple[PageKey, int], Page] = {}
    for hit in around.turn.cited:
        table = hit.evidence.table_number
        if table is not None and hit.page.key in around.pieces and around.can_ask(hit.page):
            tables[hit.page.key, table] = hit.page
    cited_ids = {hit.evidence.id for hit in around.turn.cited}
    for (key, table), page in tables.items():
        rows = list(_rows(around.pieces[key], table))
        cited = [row for row in rows if row.id in cited_ids]
        others = [row for row in rows if row.id not in cited_ids]
        if rows:
            yield _FoundTable(around, page, rows, cited, others)


def _rows(pieces: Iterable[Evidence], table: int) -> Iterator[Evidence]:
    for piece in pieces:
        if piece.table_number == table and piece.cells:
            yield piece


def _names_row(value: str) -> bool:
    if not value[:1].isalpha() or len(value.split()) > KEY_WORDS:
        return False
    return not _SAYS_NOTHING.fullmatch(value)
