"""Reads the answers that are to be explained: a JSON object on each line, with its evidence.

    {"id": 1, "question": "How long is leave?", "answer": "25 days.",
     "evidence": [{"id": "a", "title": "Leave", "text": "Everybody has 25 days."}]}

Without `answer` (or where it is null) the model is asked first. Other fields, such as what somebody
expects of the explanation, are left unread.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, StrictStr

from core.language import language
from core.models import Answer, Evidence, Hit, Kind, Page, Record
from core.question import Completed
from core.value import Value
from evaluation.harness import json_lines
from evaluation.harness.json_lines import Id
from worker.text.citations import cite


def key(which: Id) -> str:
    """An id as JSON writes it before a colon, where a number has quotes too."""
    return which if isinstance(which, str) else json.dumps(which)


def _with_words(text: str) -> str:
    if not text.strip():
        raise ValueError("there is nothing in it")
    return text


class Piece(Value):
    """A piece of evidence as it is given."""

    id: Id
    title: StrictStr
    text: StrictStr


def _told_apart(pieces: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """1 and "1" are one key in what is printed."""
    seen = set[str]()
    for each in pieces:
        if key(each.id) in seen:
            raise ValueError(f"the id {json.dumps(each.id)} stands there twice")
        seen.add(key(each.id))
    return pieces


class Case(Value):
    """A question, its evidence in the order of the prompt, and perhaps an answer."""

    id: Id
    question: Annotated[StrictStr, AfterValidator(_with_words)]
    evidence: Annotated[tuple[Piece, ...], AfterValidator(_told_apart)]
    answer: Annotated[StrictStr, AfterValidator(_with_words)] | None = None

    @property
    def hits(self) -> tuple[Hit, ...]:
        """Each piece on a page of its own; its id there is its place, from 0."""
        return tuple(_hit(place, piece) for place, piece in enumerate(self.evidence))

    def record(self, answer: str, model: str) -> Record:
        """What is explained: citations such as [2] count by the order of the evidence."""
        hits = self.hits
        text, sources = cite(answer, hits)
        return Record(
            completed=Completed(
                question=self.question, text=self.question, language=language(self.question) or ""
            ),
            hits=hits,
            answer=Answer(text=text, sources=sources, model=model),
        )


FIELDS = {*Case.model_fields, *Piece.model_fields}


def read(file: Path) -> list[Case]:
    """All cases of a file, in order.

    Raises:
        BadLine: the file cannot be read, a line is no case, or an id stands there twice.
    """
    return json_lines.read(file, Case.model_validate, FIELDS)


def _hit(place: int, piece: Piece) -> Hit:
    name = str(place)
    page = Page(id=name, space="", title=piece.title, url=f"case:{name}")
    return Hit(
        evidence=Evidence(id=name, page_id=name, kind=Kind.PASSAGE, text=piece.text), page=page
    )
