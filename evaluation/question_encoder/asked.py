"""Questions about wikis of others, with the pieces that answer them among all of their wiki."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np
from sqlmodel import Session, select

from core.embeddings import Vectors
from core.evidence.dense.collections import configured
from core.evidence.dense.nearest import vectors_of
from core.evidence.ranking.weights import PRODUCT
from core.models import Evidence
from core.question import Completed, embedded
from core.storage.index_tables import EvidenceRow, IndexRow
from evaluation.answerability.expected import Expected, ids_by_title, of_typed
from evaluation.employees.questions import Wanted
from evaluation.employees.wikis import OF_WIKIS, AskedSet, questions, wiki
from evaluation.reader.written import place_of, searched
from evaluation.retrieval.left_out.opened import Embedders, Opened
from worker.question.rewrite import by_rules
from worker.retrieval.retriever import Retriever

SETS = (
    AskedSet.QUESTIONS,
    AskedSet.OTHERWISE,
    AskedSet.TWINS,
    AskedSet.TWINS_OTHERWISE,
    AskedSet.THREADS,
)


class Asked(NamedTuple):
    """A question as it is embedded, and which rows of its wiki's vectors answer it."""

    text: str
    of: AskedSet
    vectors: Vectors  # of all pieces of the wiki, shape (pieces, dimensions)
    right: Sequence[int]


class Wiki:
    """All pieces of one wiki, and what is asked about it."""

    def __init__(self, name: str, folder: Path, load: Embedders) -> None:
        self.name = name
        self._opened = Opened(wiki(name), folder / "indexes", load)
        with self._opened.database.reading() as session:
            self._pieces = _pieces(session)
            live = configured(self._opened.settings).of(session.get_one(IndexRow, 1))
        vectors = vectors_of(self._opened.database, live, [piece.id for piece in self._pieces])
        self._pieces = [piece for piece in self._pieces if piece.id in vectors]
        self.vectors = np.stack([vectors[piece.id] for piece in self._pieces])

    def asked(self) -> Iterator[Asked]:
        """All questions that a piece answers, in every way in which they were put."""
        ids = ids_by_title(self._opened.corpus.pages)
        for of in SETS:
            for wanted in questions(self.name, of) if self.name in OF_WIKIS[of] else ():
                right = self._right(wanted, of_typed(wanted, ids)) if wanted.answerable else []
                if right:
                    completed = self._completed(wanted)
                    text = embedded(completed.question, completed.context)
                    yield Asked(text, of, self.vectors, right)

    def _right(self, wanted: Wanted, expected: Expected) -> list[int]:
        """The pieces with the words that answer; else those that say the same."""
        on_page = [
            (at, piece) for at, piece in enumerate(self._pieces) if piece.page_id in expected.gold
        ]
        said = [at for at, each in on_page if any(place_of(a, each.text) for a in wanted.answers)]
        says = expected.says
        return said or [at for at, each in on_page if says and says(each.text)]

    def _completed(self, wanted: Wanted) -> Completed:
        if not wanted.before:
            return by_rules(wanted.ask, ())
        return searched(self._retriever, wanted)[0]

    @cached_property
    def _retriever(self) -> Retriever:
        return self._opened.retriever(PRODUCT)


def _pieces(session: Session) -> list[Evidence]:
    rows = session.exec(select(EvidenceRow).order_by(EvidenceRow.id)).all()
    return [Evidence.model_validate(row.record) for row in rows]
