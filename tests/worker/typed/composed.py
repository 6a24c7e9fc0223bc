"""What is composed of tables made by hand."""

from __future__ import annotations

import re

from wiki import hit, page, piece

from core.language import spoken
from core.models import Hit, Kind, Page
from core.question import Completed
from core.structure import TableRow, TableSlice
from worker.question.classify import classify
from worker.typed.compose import lead

CRANES = page("3", "Cranes")


def line(question: str, *hits: Hit, context: tuple[str, ...] = ()) -> str:
    """The lead without its citations and its bold type."""
    said = lead(typed(question, context), hits).text
    return re.sub(r"\*\*|\s*\[\d+\]", "", said)


def typed(question: str, context: tuple[str, ...] = ()) -> Completed:
    completed = Completed(question=question, text=question, context=context)
    language = spoken("", question) or "en"
    return completed.model_copy(update={"kind": classify(completed), "language": language})


def table(
    header: tuple[str, ...],
    *rows: tuple[str, ...],
    number: int = 1,
    on: Page = CRANES,
    heading_path: tuple[str, ...] = (),
) -> Hit:
    """A whole table as one piece."""
    made = tuple(TableRow(number=place, cells=cells) for place, cells in enumerate(rows, start=1))
    slice_ = TableSlice(number=number, header=header, rows=made)
    shown = {"kind": Kind.TABLE, "table": slice_, "heading_path": heading_path}
    return hit(piece(slice_.text, on.id, **shown), on)
