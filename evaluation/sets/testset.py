"""`python -m evaluation testset`: questions from one's own index, each with its gold page.

Only from pages that everybody may read. A question that makes no sense alone is counted with its
reason; one whose page retrieval does not find among its first ten goes into a file of its own:
leaving it out would make any figure of recall true by selection, and keeping it unread would blame
retrieval for a question that fits many pages.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import typer

from core.errors import GroundwireError
from core.policy.acl import EVERYBODY
from core.question import Completed
from core.settings import settings
from evaluation.harness.as_indexed import AsIndexed
from evaluation.harness.output import AsJson, fail, show_json
from evaluation.harness.progress import status, track
from groundwire.pairs.by_model import by_model
from indexer.tuning.pieces import in_turns, open_pieces, said_once
from indexer.tuning.question_templates import (
    GeneratedQuestion,
    QuestionGenerator,
    Surroundings,
    by_templates,
)
from indexer.tuning.standalone import Fault, fault_of, rare_in
from worker.bootstrap import WorkerParts, build

K = 10
# Pieces looked at for each question wanted: a model may find nothing to ask, and rules refuse.
TRIES = 4

Json = dict[str, Any]


def testset(
    space: Annotated[str, typer.Option(help="The key of a space; all by default.")] = "",
    count: Annotated[int, typer.Option(min=1, help="How many questions.")] = 50,
    out: Annotated[
        Path, typer.Option(help="For the questions; those that are not found back go beside it.")
    ] = Path("var/testset.json"),
    seed: Annotated[int, typer.Option(help="Another seed, other pieces.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Test questions from the index that the settings name, in the format of the benchmark."""
    try:
        with status("opening the index"):
            parts = build(settings(), AsIndexed())
        made = make(parts, count=count, space=space, seed=seed)
    except GroundwireError as error:
        fail(str(error))
    if not made.found and not made.lost:
        fail("there is nothing to ask: sync first, or name another space")
    files = [(out, made.found), (out.with_stem(f"{out.stem}-not-found"), made.lost)]
    out.parent.mkdir(parents=True, exist_ok=True)
    for file, questions in files:
        text = json.dumps(as_conversations(questions), indent=1, ensure_ascii=False)
        file.write_text(f"{text}\n", encoding="utf-8")
    figures = {**made.figures(), "files": [str(file) for file, _ in files]}
    if as_json:
        show_json(figures)
        return
    for name, value in figures.items():
        typer.echo(f"{name}: {value}")


@dataclass
class Made:
    """Questions whose page is found, those whose page is not, and counts of what was refused."""

    found: list[GeneratedQuestion] = field(default_factory=list)
    lost: list[GeneratedQuestion] = field(default_factory=list)
    faults: Counter[Fault] = field(default_factory=Counter)
    # Pieces that several pages have word for word: no question about them has one true page.
    repeated: int = 0

    def figures(self) -> Json:
        refused = {fault.value: number for fault, number in self.faults.most_common()}
        sources = Counter(question.source for question in self.found)
        counts = {"questions": len(self.found), "not found back": len(self.lost)}
        return {
            **counts,
            "sources": dict(sources),
            "refused": refused,
            "pieces on several pages": self.repeated,
        }


def make(parts: WorkerParts, *, count: int, space: str = "", seed: int = 0) -> Made:
    """Up to `count` questions that are found back; the same seed takes the same pieces.

    Raises:
        ModelUnavailable: the model does not answer.
    """
    # A search brings the lexical index, which knows what is rare, up to date.
    parts.pipeline.retriever.search(Completed(question="", text=""))
    is_rare, chance = rare_in(parts.evidence.lexical), random.Random(seed)
    everywhere = list(open_pieces(parts.database))
    once = said_once(everywhere)
    generate = generator_of(parts, Surroundings.of(everywhere))
    made, asked = Made(repeated=len(everywhere) - len(once)), set[str]()
    pieces = in_turns([hit for hit in once if space in ("", hit.page.space)], chance)
    for piece in track(pieces[: TRIES * count], "pieces"):
        questions = list(generate(piece))
        if questions:
            one = chance.sample(questions, 1)[0]
            fault = Fault.TWICE if one.question in asked else fault_of(one.question, is_rare)
            asked.add(one.question)
            _take(made, one, fault, parts)
        if len(made.found) >= count:
            break
    return made


def _take(made: Made, one: GeneratedQuestion, fault: Fault | None, parts: WorkerParts) -> None:
    if fault is not None:
        made.faults[fault] += 1
    elif is_found(parts, one):
        made.found.append(one)
    else:
        made.lost.append(one)


def generator_of(parts: WorkerParts, around: Surroundings) -> QuestionGenerator:
    """By the model where one is configured, otherwise by templates."""
    model = parts.pipeline.generator.model
    return by_model(model, around) if model else by_templates(around)


def is_found(parts: WorkerParts, question: GeneratedQuestion) -> bool:
    completed = Completed(question=question.question, text=question.question)
    hits = parts.pipeline.retriever.search(completed, EVERYBODY, K).hits
    return any(hit.page.id == question.piece.page.id for hit in hits)


def as_conversations(questions: Sequence[GeneratedQuestion]) -> list[Json]:
    """Each a conversation of one turn, worded in the language of the page for both languages."""
    numbered = enumerate(questions, start=1)
    return [{"conv_id": str(number), "turns": [_turn(one)]} for number, one in numbered]


def _turn(question: GeneratedQuestion) -> Json:
    worded = ("q_en", "q_de", "completed_q_en", "completed_q_de")
    page = question.piece.page
    return {
        "turn_id": "1",
        **dict.fromkeys(worded, question.question),
        "a": question.answer,
        "a_url": [page.url if f"/pages/{page.id}" in page.url else page.id],
        "a_source": question.source,
        "q_type": "simple",
        "language": question.language,
        "title": page.title,
        "evidence_id": question.piece.evidence.id,
    }
