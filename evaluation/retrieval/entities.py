"""`python -m evaluation entities`: answers with and without the entity tree, an ablation.

After T-RAG (Fatehkia et al. 2024): 27 of 37 right with the tree, 21 without. The organization is
invented. Answered by the configured model where there is one, otherwise with quoted answers; the
row says which. Also measured: which entities are recognized in a question.
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

from core.models import Kind, Record
from core.policy.acl import EVERYBODY
from core.question import Completed
from core.settings import settings
from evaluation.answers.measure import with_model
from evaluation.harness.as_indexed import AsIndexed
from evaluation.harness.output import AsJson, fail, show
from evaluation.harness.product import running
from evaluation.harness.progress import track
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
        return all(_contains(self.record.answer.text, word) for word in self.question.words)

    @property
    def places(self) -> int:
        return sum(hit.evidence.kind is Kind.PLACE for hit in self.record.hits)


def entities(
    folder: Annotated[Path, typer.Option(help="Where the index is kept between runs.")] = Path(
        "var/evaluation-entities"
    ),
    as_json: AsJson = False,
) -> None:
    """Answers about an organization with and without the entity tree; recall of mentions."""
    try:
        with running(PAGES, folder) as chosen:
            own = with_model(chosen, settings(), wanted=True)
            pipeline = build(own.model_copy(update={"entities_file": FILE}), AsIndexed()).pipeline
            way = settings().llm_model if pipeline.generator.model else "quoted"
            without = replace(pipeline, entities=None)
            rows = {}
            for name, used in (("without the tree", without), ("with the tree", pipeline)):
                turns = measure(used, pipeline)
                measured = list(track(turns, name, total=len(questions())))
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
        mentioned = frozenset(knowing.entities.mentioned(completed, EVERYBODY))
        elapsed = 1000 * (time.perf_counter() - began)
        yield Measured(question, record, mentioned, elapsed)


def report(measured: Sequence[Measured]) -> dict[str, float]:
    """Shares of right answers by kind and language; precision and recall of mentions over all."""
    found = sum(len(m.mentioned) for m in measured)
    there = sum(len(m.question.entities) for m in measured)
    both = sum(len(m.mentioned & m.question.entities) for m in measured)
    row = {"n": len(measured), "right": mean(m.right for m in measured)}
    for kind in ("simple", "complex", "none"):
        row[kind] = mean(m.right for m in measured if m.question.kind == kind)
    about = [m for m in measured if m.question.entities]
    for code in ("en", "de"):
        row[code] = mean(m.right for m in about if m.question.language == code)
    return row | {
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


def _contains(text: str, word: str) -> bool:
    """Whether one of the alternatives stands there as a whole word."""
    alternatives = "|".join(map(re.escape, word.split("|")))
    return re.search(rf"(?<!\w)(?:{alternatives})(?!\w)", text, re.IGNORECASE) is not None
