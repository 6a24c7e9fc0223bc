"""`python -m evaluation leads`: how often a sentence is composed from structure, and rightly so.

Right by words: it has half of the expected answer's. Those that are not are printed, to be read.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Annotated

import typer

from evaluation.harness.as_indexed import AsIndexed
from evaluation.harness.output import AsJson, fail, show
from evaluation.harness.overlap import share_of_words
from evaluation.harness.product import running
from evaluation.harness.progress import track
from evaluation.retrieval.left_out.corpora import Corpus, available
from evaluation.sets.confquestions import Question
from sandbox.programs.processes import DidNotStart
from worker.bootstrap import WorkerParts, build
from worker.typed.compose import lead

PATIENCE_S = 60.0
RIGHT = 0.5  # share of the expected answer's words


@dataclass(frozen=True)
class AskedForLead:
    """A question, and what was composed for it: nothing for most."""

    question: Question
    text: str

    @property
    def is_right(self) -> bool:
        return share_of_words(self.text, self.question.answer) >= RIGHT


def leads(
    folder: Annotated[
        Path, typer.Option(help="Where corpora and indexes are kept between runs.")
    ] = Path("var/evaluation-leads"),
    only: Annotated[str, typer.Option(help="One corpus: railway, handbook, clinic, sample.")] = "",
    as_json: AsJson = False,
) -> None:
    """Sentences composed from structure, on all our corpora: how many, and how many are right."""
    rows: dict[str, dict[str, float]] = {}
    try:
        for name, make in available(None, folder / "corpora").items():
            if only not in ("", name):
                continue
            corpus = make()
            with running(corpus.pages, folder / f"index-{name}", corpus.settings) as chosen:
                asked = composed(build(chosen, AsIndexed()), _questions(corpus))
                rows[name] = report(list(track(asked, name)))
    except DidNotStart as error:
        fail(str(error))
    show(rows, as_json=as_json)


def composed(parts: WorkerParts, questions: Iterable[Question]) -> Iterator[AskedForLead]:
    """Each question as a person has completed it, with what is composed from what it finds."""
    pipeline = replace(parts.pipeline, suggester=None)
    for question in questions:
        record = pipeline.answer(question.completed, [], deadline=time.time() + PATIENCE_S)
        yield AskedForLead(question, lead(record.completed, record.hits).text)


def report(asked: Iterable[AskedForLead]) -> dict[str, float]:
    """Counts; prints what has other words than were expected."""
    found = list(asked)
    written = [each for each in found if each.text]
    for each in written:
        if not each.is_right:
            said = f"{each.question.completed}\n  {each.text}\n  expected: {each.question.answer}"
            typer.echo(said, err=True)
    right = sum(each.is_right for each in written)
    return {"n": len(found), "n with a lead": len(written), "n right": right}


def _questions(corpus: Corpus) -> Iterator[Question]:
    """Those that can be understood by themselves."""
    for conversation in chain.from_iterable(corpus.asked.values()):
        yield from (question for question in conversation if question.completed)
