"""Composes a lead for a question from its evidence, where structure makes it certain."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.language.sentences import Sentences, sentences
from core.models import Hit
from core.question import Completed, QuestionKind
from worker.typed.asked import TypedQuestion, typed_question
from worker.typed.lists import in_list
from worker.typed.meanings import meaning
from worker.typed.pages import about_pages, without_told
from worker.typed.tables.cells import cell, compared
from worker.typed.tables.found_tables import found_tables
from worker.typed.tables.over_rows import over_rows
from worker.typed.tables.typed_table import TypedTable
from worker.typed.tasks import tasks
from worker.typed.written import without_citations

_OfTable = Callable[[Sentences, TypedQuestion, TypedTable], str]
_CITED = re.compile(r"\[(\d+)\]")
_OF_TABLES: tuple[_OfTable, ...] = (over_rows, cell, compared)


@dataclass(frozen=True)
class Lead:
    """A line of Markdown, or lines over tasks, with [n] citations of the hits by their place."""

    text: str = ""
    is_all: bool = False  # it is the whole answer: an excerpt of the page would be noise under it

    @property
    def numbers(self) -> frozenset[int]:
        """The places of the hits that it rests on."""
        return frozenset(map(int, _CITED.findall(self.text)))


def lead(completed: Completed, hits: Sequence[Hit]) -> Lead:
    """Only where every word of the question is understood: one that is not may change its sense."""
    say = sentences(completed.language)
    of_pages = typed_question(completed, without_told(completed.searched))
    if of_pages and (text := about_pages(say, of_pages, hits)):
        return Lead(text, is_all=True)
    if text := tasks(say, completed, hits):
        return Lead(text, is_all=True)
    asked = typed_question(completed, completed.searched)
    if asked is None:
        return Lead()
    if completed.kind is QuestionKind.CONFIRMATION:
        return Lead()  # yes or no is for worker.extractive.yes_no
    if text := meaning(say, asked, hits):
        return Lead(text, is_all=True)
    return Lead(_of_tables(say, asked, found_tables(hits)) or in_list(say, asked, hits))


def _of_tables(say: Sentences, asked: TypedQuestion, tables: Sequence[TypedTable]) -> str:
    """What the tables say; nothing where two of them say different things."""
    for write in _OF_TABLES:
        found = [(table, text) for table in tables if (text := write(say, asked, table))]
        if len({without_citations(text) for _, text in found}) > 1:
            return ""
        for table, text in found:
            others = tables if write is over_rows else _of_other_pages(table, tables)
            return "" if _has_twin(asked, table, others) else text
    return ""


def _of_other_pages(table: TypedTable, tables: Sequence[TypedTable]) -> list[TypedTable]:
    """A cell is looked for in all tables of its page: that only one of them has it is an answer."""
    return [other for other in tables if other.page.key != table.page.key]


def _has_twin(asked: TypedQuestion, table: TypedTable, tables: Sequence[TypedTable]) -> bool:
    """Whether the table of another year or site is as good, and the question does not say which."""
    return any(
        other is not table
        and other.header == table.header
        and asked.open_terms.isdisjoint(table.above - other.above)
        for other in tables
    )
