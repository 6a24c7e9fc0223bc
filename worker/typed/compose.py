"""Composes a lead for a question from its evidence, where structure makes it certain."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from core.language.sentences import Sentences, sentences
from core.models import Hit
from core.question import Completed, QuestionKind
from worker.typed.asked import Rarity, TypedQuestion, typed_question
from worker.typed.cells import cell, compared
from worker.typed.found_tables import TypedTable, found_tables
from worker.typed.lists import in_list
from worker.typed.meanings import meaning
from worker.typed.over_rows import over_rows
from worker.typed.pages import about_pages
from worker.typed.written import without_citations

_OfTable = Callable[[Sentences, TypedQuestion, TypedTable], str]
_CITED = re.compile(r"\[(\d+)\]")
LIKELY = 0.6  # share of what was asked that must be understood where row and column are named
_OF_TABLES: tuple[_OfTable, ...] = (over_rows, cell, compared, partial(cell, enough=LIKELY))


@dataclass(frozen=True)
class Lead:
    """One line of Markdown with [n] citations of the hits by their place; empty for none."""

    text: str = ""
    is_all: bool = False  # it is the whole answer: an excerpt of the page would be noise under it

    @property
    def numbers(self) -> frozenset[int]:
        """The places of the hits that it rests on."""
        return frozenset(map(int, _CITED.findall(self.text)))


def lead(completed: Completed, hits: Sequence[Hit], rarity: Rarity) -> Lead:
    """`rarity` says how much a word weighs, 0 for one that stands everywhere."""
    asked = typed_question(completed, rarity)
    if asked is None:
        return Lead()
    say = sentences(completed.language)
    if text := about_pages(say, asked, hits):
        return Lead(text, is_all=True)
    if completed.kind is QuestionKind.CONFIRMATION:
        return Lead()  # yes or no is for worker.extractive.yes_no
    if text := meaning(say, asked, hits):
        return Lead(text, is_all=True)
    return Lead(_of_tables(say, asked, found_tables(hits)) or in_list(say, asked, hits))


def _of_tables(say: Sentences, asked: TypedQuestion, tables: Sequence[TypedTable]) -> str:
    """What the tables say; nothing where two of them say different things."""
    for write in _OF_TABLES:
        found = list(filter(None, (write(say, asked, table) for table in tables)))
        if len({without_citations(text) for text in found}) > 1:
            return ""
        if found:
            return found[0]
    return ""
