"""What stands around an answer and could be asked for next: other cells, other sections, other pages.

Only pages that the search found for this very question, and that were just confirmed for its reader, are looked at; of them only the
pieces that the reader may see. So no suggestion can say a word of anything else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, zip_longest
from typing import TypeVar

from core.evidence.lexical.analyzer import content_words
from core.models import Evidence, Hit, Kind, Page
from worker.suggestions.candidates import Answered, Candidate
from worker.suggestions.question_templates import (
    WORDS,
    QuestionTemplates,
    Wordings,
    lowered,
    short_title,
)
from worker.text.language import Language, language

_NAME = re.compile(r"(?<=[a-zäöüß,;] )[A-ZÄÖÜ][\w-]*")  # a capital in the middle of a sentence
_SAYS_NOTHING = re.compile(r"\W*|\(\w+\)|n/?a|tbd|not tested", re.IGNORECASE)  # of a cell
T = TypeVar("T")

RELATED = 0.6  # of the best hit's score that a hit on another page must have
KEY_COLUMNS = 2  # among which the one that names the rows is looked for
KEY_WORDS = 6  # a longer first cell does not name its row, it tells something


def neighbours(turn: Answered, pieces: Mapping[str, Sequence[Evidence]]) -> list[Candidate]:
    """What could be asked next, the best first: cells of the cited tables, then sections of the cited pages, then other pages, in turns."""
    if turn.language is None:
        return []
    around = _Around(turn, pieces, WORDS[turn.language])
    if not turn.found:
        return list(around.nearest())
    return list(_in_turns(around.cells(), around.sections(), around.other_pages()))


@dataclass(frozen=True)
class _Around:
    turn: Answered
    pieces: Mapping[
        str, Sequence[Evidence]
    ]  # of every page that was found, in the order of the page
    words: QuestionTemplates

    def cells(self) -> Iterator[Candidate]:
        """Other columns of a cited row and the same column of other rows, in turns."""
        for page, rows, cited in self._tables():
            key = _key_column(rows)
            asked = self._asked(rows, cited)
            others = [row for row in rows if row.id not in {each.id for each in cited}]
            same_row = [
                self._cell(page, row, key, column)
                for row in cited
                for column, _ in row.cells
                if column not in asked
            ]
            same_column = [
                self._cell(page, row, key, column) or self._row(page, row, key)
                for row in others
                for column in asked
            ]
            properties = [
                self._cell(page, row, None, row.cells[0][0])
                for row in others
                if len(row.cells) == 1
            ]
            yield from _in_turns(
                *(filter(None, each) for each in (same_row, same_column, properties))
            )

    def sections(self) -> Iterator[Candidate]:
        """Other sections of the cited pages, those that follow first."""
        for page, cited in self._cited_pages().items():
            here = max(piece.position for piece in cited)
            named = {piece.heading_path for piece in cited}
            sections = [
                section
                for section in _sections(self.pieces[page.id])
                if section[0].heading_path not in named
            ]
            for section in sorted(
                sections,
                key=lambda section: (section[0].position < here, abs(section[0].position - here)),
            ):
                yield from filter(None, [self._section(page, section)])

    def other_pages(self) -> Iterator[Candidate]:
        """The sections that the search found on pages which the answer does not cite; children and siblings of the cited ones first."""
        cited = {page.id for page in self._cited_pages()}
        parents = ({hit.page.parent_id for hit in self.turn.cited} | cited) - {None}
        near = RELATED * max((hit.score for hit in self.turn.hits), default=0.0)
        hits = [
            hit
            for hit in self.turn.hits
            if hit.page.id not in cited
            and hit.score >= near
            and hit.evidence.kind is not Kind.PLACE
        ]
        yield from self._found(sorted(hits, key=lambda hit: hit.page.parent_id not in parents))

    def nearest(self) -> Iterator[Candidate]:
        """Where nothing answered: the sections that came closest, if they have to do with the question at all."""
        asked = set(content_words(self.turn.completed.question))
        yield from self._found(
            [hit for hit in self.turn.cited if len(asked & _terms(hit)) * 2 >= len(asked) > 0]
        )

    def _found(self, hits: Sequence[Hit]) -> Iterator[Candidate]:
        for hit in hits:
            path = hit.evidence.heading_path
            section = [
                piece for piece in self.pieces.get(hit.page.id, ()) if piece.heading_path == path
            ]
            yield from filter(None, [self._section(hit.page, section)] if section else [])

    def _tables(self) -> Iterator[tuple[Page, list[Evidence], list[Evidence]]]:
        """The cited tables: their page, their rows, and those of them that are cited."""
        tables = dict.fromkeys(
            (hit.page.id, hit.evidence.table)
            for hit in self.turn.cited
            if hit.evidence.table is not None
        )
        ids = {hit.evidence.id for hit in self.turn.cited}
        pages = {hit.page.id: hit.page for hit in self.turn.cited}
        for page_id, table in tables:
            rows = [
                piece
                for piece in self.pieces.get(page_id, ())
                if piece.table == table and piece.cells
            ]
            if rows:
                yield pages[page_id], rows, [row for row in rows if row.id in ids]

    def _asked(self, rows: Sequence[Evidence], cited: Sequence[Evidence]) -> list[str]:
        """The columns that the question names, else those that the answer shows."""
        question = set(content_words(self.turn.completed.question))
        columns = list(dict.fromkeys(column for row in rows for column, _ in row.cells))
        named = [column for column in columns if question & set(content_words(column))]
        shown = [
            column
            for row in cited
            for column, value in row.cells[1:]
            if value and value in self.turn.answer.text
        ]
        return named or list(dict.fromkeys(shown)) or columns[1:2]

    def _cell(self, page: Page, row: Evidence, key: str | None, column: str) -> Candidate | None:
        cells = dict(row.cells)
        value, name = cells.get(column, ""), cells.get(key, "") if key else ""
        if column == key or _SAYS_NOTHING.fullmatch(value) or (len(cells) > 1 and not name):
            return None
        wordings = self.words.cell(page.title, name, self._natural(column, page))
        return self._neighbour(page, wordings, f"{name} {column}", (f"{name} {value}",), [row])

    def _row(self, page: Page, row: Evidence, key: str | None) -> Candidate | None:
        """For tables whose columns are no nouns: the row as a whole."""
        name = dict(row.cells).get(key, "") if key else ""
        return (
            self._neighbour(page, self.words.row(page.title, name), name, (row.text,), [row])
            if name
            else None
        )

    def _section(self, page: Page, section: Sequence[Evidence]) -> Candidate | None:
        path = section[0].heading_path
        if not path or section[0].kind is Kind.CHILD_PAGES:
            return None
        heading = self._natural(path[-1], page)
        titles = dict.fromkeys([page.title, short_title(page.title)])
        wordings = tuple(
            dict.fromkeys(text for title in titles for text in self.words.section(title, heading))
        )
        return self._neighbour(
            page, wordings, path[-1], tuple(piece.text for piece in section), section
        )

    @staticmethod
    def _neighbour(
        page: Page,
        wordings: Wordings,
        about: str,
        said: tuple[str, ...],
        pieces: Sequence[Evidence],
    ) -> Candidate | None:
        if not wordings:
            return None
        return Candidate(
            wordings,
            frozenset(content_words(about)),
            frozenset({page.id}),
            frozenset(piece.id for piece in pieces),
            said,
        )

    def _natural(self, text: str, page: Page) -> str:
        """A heading or a column's name as it is written inside an English sentence; in German capitals stay."""
        texts = [piece.text for piece in self.pieces[page.id] if piece.table is None]
        if (
            self.turn.language is not Language.ENGLISH
            or language(" ".join(texts)) is Language.GERMAN
        ):
            return text
        first, *rest = text.split()
        is_name = any(word[0].isupper() for word in rest) or first in {
            name for each in texts for name in _NAME.findall(each)
        }
        return text if is_name else lowered(text)

    def _cited_pages(self) -> dict[Page, list[Evidence]]:
        found: dict[Page, list[Evidence]] = {}
        for hit in self.turn.cited:
            if hit.page.id in self.pieces:
                found.setdefault(hit.page, []).append(hit.evidence)
        return found


def _sections(pieces: Sequence[Evidence]) -> list[list[Evidence]]:
    """The pieces under one heading together, in the order of the page."""
    return [list(section) for _, section in groupby(pieces, key=lambda piece: piece.heading_path)]


def _key_column(rows: Sequence[Evidence]) -> str | None:
    """The first column whose cells name their rows: short, beginning with a letter, no two alike."""
    for column in list(dict.fromkeys(column for row in rows for column, _ in row.cells))[
        :KEY_COLUMNS
    ]:
        values = [dict(row.cells).get(column, "") for row in rows]
        if len(set(values)) == len(values) and all(_names(value) for value in values):
            return column
    return None


def _names(value: str) -> bool:
    return (
        value[:1].isalpha()
        and len(value.split()) <= KEY_WORDS
        and not _SAYS_NOTHING.fullmatch(value)
    )


def _terms(hit: Hit) -> set[str]:
    return set(
        content_words(" ".join([hit.page.title, *hit.evidence.heading_path, hit.evidence.text]))
    )


def _in_turns(*several: Iterable[T]) -> Iterator[T]:
    """The first of each, then the second of each, …"""
    missing = object()
    for group in zip_longest(*several, fillvalue=missing):
        yield from (each for each in group if each is not missing)  # type: ignore[misc]
