"""`python -m evaluation attribution`: how often the strongest evidence is the gold page.

Table 3 of the paper (Saha Roy et al., WSDM 2025, arXiv 2412.10571). Asked are the questions whose
gold page is among the evidence; right is an explanation whose first cluster begins with a piece of
that page. The paper takes the highest share of the contributions; ours names causes first. An
explanation in which nothing has an effect names nothing, and is wrong.

A quoted answer depends on one piece by construction, so without a model the figures say nothing
about the method, and every output says so.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, product
from pathlib import Path
from statistics import mean
from typing import Annotated, Any

import typer

from core.attribution import Effect, Explanation, Method
from core.errors import ModelUnavailable, SettingsError
from core.models import Hit, Note, Record
from core.settings import settings
from evaluation.answers.measure import PATIENCE_S
from evaluation.explanations.attribution_output import BOTH, as_json_, show
from evaluation.explanations.attribution_settings import model_of, run_of
from evaluation.explanations.kept import Kept
from evaluation.harness.as_indexed import AsIndexed
from evaluation.harness.interval import Share
from evaluation.harness.output import AsJson, fail, show_json
from evaluation.harness.product import running
from evaluation.harness.progress import track
from evaluation.sets.confquestions import DataMissing, Question, conversations
from sandbox.programs.processes import DidNotStart
from worker import replay
from worker.attribution.attributor import Attributor
from worker.bootstrap import WorkerParts, build

ZERO = 1e-9


@dataclass(frozen=True)
class Asked:
    """A question with the answer that is to be explained."""

    language: str
    question: Question
    record: Record

    @property
    def name(self) -> str:
        return f"{self.language} {self.question.conversation} {self.question.turn}"

    @property
    def could_be_found(self) -> bool:
        return any(hit.page.id in self.question.gold_ids for hit in self.record.hits)


@dataclass(frozen=True)
class Explained:
    """What is right about one explanation, and what it cost."""

    method: Method
    language: str
    right: bool
    copy_is_right: bool  # or a page that says the same
    has_effect: bool
    found: bool  # whether there was an answer
    calls: int
    tokens: int
    seconds: float


def attribution(
    data: Annotated[Path, typer.Option(help="The folder with documents/ and qa-pairs.json.")],
    method: Annotated[
        list[Method] | None, typer.Option(help="May be given several times; by default all.")
    ] = None,
    questions: Annotated[
        Path | None, typer.Option(help="Another file of conversations, of the same form.")
    ] = None,
    language: Annotated[str, typer.Option(help="en, de or both.")] = BOTH,
    sample: Annotated[
        int, typer.Option(min=0, help="So many questions, drawn by chance; 0 for all.")
    ] = 0,
    seed: Annotated[int, typer.Option(help="Of the sample.")] = 0,
    folder: Annotated[Path, typer.Option(help="Where the index is kept between runs.")] = Path(
        "var/evaluation"
    ),
    keep: Annotated[
        Path | None,
        typer.Option(help="A file for what is done: started again with it, the run goes on."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Whether the strongest evidence is of the gold page, by method and language, as published."""
    try:
        asked = drawn(questions or data / "qa-pairs.json", language, sample, seed)
        with running(data / "documents", folder) as stage:
            chosen = model_of(stage, settings())
            parts = build(chosen, AsIndexed())
            kept = Kept(keep, run_of(chosen))
            answers = list(answered(parts, asked, kept))
            if chosen.llm_base_url:
                answers = of_the_model(answers)
            done = list(explained(parts, answers, method or list(Method), kept))
    except (DataMissing, DidNotStart, SettingsError, ModelUnavailable) as error:
        fail(str(error))
    found = figures(done)
    model = chosen.llm_model or "" if chosen.llm_base_url else ""
    show_json(as_json_(found, model)) if as_json else show(found, model)


def drawn(file: Path, language: str, sample: int, seed: int) -> list[tuple[str, Question]]:
    """The questions with their language.

    Raises:
        DataMissing: the file is not there, or not what it should be.
    """
    everything: list[tuple[str, Question]] = []
    for code in ["en", "de"] if language == BOTH else [language]:
        for conversation in conversations(file, code):
            everything += [(code, question) for question in conversation]
    if not 0 < sample < len(everything):
        return everything
    kept = set(random.Random(seed).sample(range(len(everything)), sample))
    return [each for place, each in enumerate(everything) if place in kept]


def answered(
    parts: WorkerParts, asked: Sequence[tuple[str, Question]], kept: Kept
) -> Iterator[Asked]:
    """Answers to the questions, completed by a person, whose gold page was among the evidence."""
    for language, question in track(asked, "answers"):
        name = f"answer {language} {question.conversation} {question.turn}"
        record = kept.once(name, Record, partial(_answer, parts, question))
        each = Asked(language, question, record)
        if each.could_be_found:
            yield each


def of_the_model(answers: Sequence[Asked]) -> list[Asked]:
    """Without those that were quoted in its place, since it did not follow the pages."""
    found = [each for each in answers if each.record.answer.model]
    if left_out := len(answers) - len(found):
        typer.echo(f"groundwire: {left_out} answers are quoted ones, and left out", err=True)
    return found


def _answer(parts: WorkerParts, question: Question) -> Record:
    deadline = time.time() + PATIENCE_S
    return parts.pipeline.answer(question.completed, [], deadline=deadline)


def explained(
    parts: WorkerParts, asked: Sequence[Asked], methods: Sequence[Method], kept: Kept
) -> Iterator[Explained]:
    """Each answer explained by each method.

    Raises:
        ModelUnavailable: the model does not answer.
    """
    total = len(asked) * len(methods)
    for each, method in track(product(asked, methods), "explanations", total=total):
        name = f"{method} {each.name}"
        yield kept.once(name, Explained, partial(_explained, parts, each, method))


def _explained(parts: WorkerParts, asked: Asked, method: Method) -> Explained:
    options = replace(parts.attributor.options, method=method)
    attributor = Attributor(parts.attributor.embedder, options)
    counted = _Counted()
    watch = replay.ExplanationWatch(counted)
    explanation = replay.explain(parts, "attribution", asked.record, watch, attributor)
    return mark(asked, explanation, counted.calls)


class _Counted:
    """How many answers an explanation needed; usage leaves out quoted ones, which are free."""

    calls = 0

    def __call__(self, done: int, _of: int) -> None:
        self.calls = done


def mark(asked: Asked, explanation: Explanation, calls: int = 0) -> Explained:
    gold, usage = asked.question.gold_ids, explanation.usage
    pieces = pieces_of(first(explanation), asked.record.hits)
    copies = chain.from_iterable(piece.everywhere for piece in pieces)
    return Explained(
        method=explanation.method,
        language=asked.language,
        right=bool(pieces) and pieces[0].page.id in gold,
        copy_is_right=any(copy.page.id in gold for copy in copies),
        has_effect=bool(pieces),
        found=Note.NOT_FOUND not in asked.record.answer.notes,
        calls=max(usage.calls, calls),
        tokens=usage.prompt_tokens + usage.completion_tokens,
        seconds=explanation.seconds,
    )


def first(explanation: Explanation) -> Effect | None:
    """The first effect; None where it is zero."""
    return next((each for each in explanation.effects[:1] if each.effect > ZERO), None)


def pieces_of(effect: Effect | None, hits: Sequence[Hit]) -> list[Hit]:
    """In the order of their rank."""
    return [hit for hit in hits if effect and hit.evidence.id in effect.evidence_ids]


def figures(done: Sequence[Explained]) -> dict[str, dict[str, Any]]:
    """By method and language; shares with their intervals."""
    rows = {}
    languages = [*dict.fromkeys(each.language for each in done), BOTH]
    for method, language in product(dict.fromkeys(each.method for each in done), languages):
        of_method = [each for each in done if each.method is method]
        those = [each for each in of_method if language in (each.language, BOTH)]
        rows[f"{method} {language}"] = _row(those)
    return rows


def _row(those: Sequence[Explained]) -> dict[str, Any]:
    return {
        "n": len(those),
        "accuracy": Share.of_all(each.right for each in those),
        "or a copy": Share.of_all(each.copy_is_right for each in those),
        "without effect": sum(not each.has_effect for each in those),
        "without answer": sum(not each.found for each in those),
        "calls": round(mean(each.calls for each in those), 1),
        "tokens": round(mean(each.tokens for each in those)),
        "seconds": round(mean(each.seconds for each in those), 2),
    }
