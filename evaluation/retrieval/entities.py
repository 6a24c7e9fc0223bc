"""How much the entity tree helps: answers about an invented organization with it and without, and which entities are found in a question.

After T-RAG (Fatehkia et al. 2024): 27 of 37 right with the tree, 21 without. Answered by the configured model where there is
one, otherwise with quoted answers; the row says which.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import mean, median
from typing import Annotated, Any

import typer
import yaml
from rich.progress import track

from core.models import Kind, Record
from core.policy.acl import EVERYBODY
from core.question import Completed
from core.settings import settings
from evaluation.harness.stage import AsJson, console, fail, running, show
from sandbox.programs.processes import DidNotStart
from worker.bootstrap import build
from worker.pipeline import Pipeline

DATA = Path(__file__).parents[1] / "data"
QUESTIONS, PAGES = DATA / "entities.yaml", DATA / "entities"
FILE = PAGES / "entities.yaml"
PATIENCE_S = 60.0


@dataclass(frozen=True)
class Question:
    """A question, what a right answer contains, and whom it names."""

    text: str
    kind: str  # simple | complex | none
    language: str
    words: tuple[str, ...]  # `a|b`: one of them
    entities: frozenset[str]


@dataclass(frozen=True)
class Measured:
    """A question, the answer to it, and whom the tree found in it."""

    question: Question
    record: Record
    mentioned: frozenset[str]
    milliseconds: float  # of looking the question up in the tree

    @property
    def right(self) -> bool:
        text = self.record.answer.text
        return all(
            re.search(rf"(?<!\w)(?:{_alternatives(word)})(?!\w)", text, re.IGNORECASE)
            for word in self.question.words
        )

    @property
    def places(self) -> int:
        return sum(hit.evidence.kind is Kind.PLACE for hit in self.record.hits)


def entities(
    folder: Annotated[Path, typer.Option(help="Where the index is kept between runs.")] = Path(
        "var/evaluation-entities"
    ),
    as_json: AsJson = False,
) -> None:
    """Answers about an organization with the entity tree and without it; mentions found of those that are there, and found rightly."""
    try:
        with running(PAGES, folder) as chosen:
            model = {
                name: getattr(settings(), name)
                for name in ("llm_base_url", "llm_api_key", "llm_model", "llm_timeout_s")
            }
            pipeline = build(chosen.model_copy(update={**model, "entities_file": FILE})).pipeline
            way = settings().llm_model if pipeline.generator.model else "quoted"
            rows = {}
            for name, used in (
                ("without the tree", replace(pipeline, entities=None)),
                ("with the tree", pipeline),
            ):
                measured = list(
                    track(measure(used, pipeline), name, total=len(questions()), console=console)
                )
                rows[f"{name} ({way})"] = report(measured)
    except DidNotStart as error:
        fail(str(error))
    show(rows, as_json=as_json)


def questions(file: Path = QUESTIONS) -> list[Question]:
    return [_question(item) for item in yaml.safe_load(file.read_text(encoding="utf-8"))]


def measure(
    pipeline: Pipeline, knowing: Pipeline, asked: Sequence[Question] | None = None
) -> Iterator[Measured]:
    """Every question, answered by one pipeline; mentions by the tree of the other."""
    assert knowing.entities is not None
    for question in asked or questions():
        record = pipeline.answer(question.text, [], deadline=time.time() + PATIENCE_S)
        completed = Completed(question=question.text, text=question.text)
        began = time.perf_counter()
        mentioned = knowing.entities.mentioned(completed, EVERYBODY)
        yield Measured(question, record, frozenset(mentioned), 1000 * (time.perf_counter() - began))


def report(measured: Sequence[Measured]) -> dict[str, float]:
    """Shares of right answers by kind and language; precision and recall of mentions over all questions together."""
    found = sum(len(m.mentioned) for m in measured)
    there = sum(len(m.question.entities) for m in measured)
    both = sum(len(m.mentioned & m.question.entities) for m in measured)
    about = [m for m in measured if m.question.entities]
    return {
        "n": len(measured),
        "right": mean(m.right for m in measured),
        **{
            kind: mean(m.right for m in measured if m.question.kind == kind)
            for kind in ("simple", "complex", "none")
        },
        **{
            code: mean(m.right for m in about if m.question.language == code)
            for code in ("en", "de")
        },
        "precision": both / found if found else 1.0,
        "recall": both / there,
        "places": mean(m.places for m in measured),
        "ms": round(median(m.milliseconds for m in measured), 3),
    }


def _question(item: dict[str, Any]) -> Question:
    words = tuple(str(word) for word in item["words"])
    return Question(
        item["question"], item["kind"], item["language"], words, frozenset(item["entities"])
    )


def _alternatives(word: str) -> str:
    return "|".join(map(re.escape, word.split("|")))
