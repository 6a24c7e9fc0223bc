"""How often the strongest evidence is the page that answers: Table 3 of the paper (Saha Roy et al., WSDM 2025, arXiv 2412.10571).

Asked are the questions whose gold page is among the evidence; right is an explanation whose first cluster begins with a piece of that
page. The paper takes the highest share of the contributions; ours names causes first. An explanation in which nothing has an effect names
nothing, and is wrong.

An answer that is quoted depends on one piece by construction, so without a model the figures say nothing about the method, and every
output says so.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import mean
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

from core.attribution import Effect, Explanation, Method
from core.errors import ModelUnavailable, SettingsError
from core.models import Hit, Note, Record
from core.settings import Settings, settings
from evaluation.answers.measure import PATIENCE_S, with_model
from evaluation.harness.interval import Share
from evaluation.harness.stage import AsJson, console, fail, running, show_json
from evaluation.sets.confquestions import DataMissing, Question, conversations
from sandbox.programs.processes import DidNotStart
from worker import replay
from worker.attribution.attributor import Attributor
from worker.bootstrap import WorkerParts, build

NO_EVIDENCE = "quoted answers, no model: these figures are no evidence for the method"
# Saha Roy et al. 2025, Table 3.
PUBLISHED_N = 364
PUBLISHED = {Method.NAIVE: 0.772, Method.PAPER_NO_CLUSTERS: 0.791, Method.PAPER: 0.799}
ZERO = 1e-9
BOTH = "both"
WIDTH = 140  # of the table where nobody watches


@dataclass(frozen=True)
class Asked:
    """A question with the answer that is to be explained."""

    language: str
    question: Question
    record: Record

    @property
    def could_be_found(self) -> bool:
        return any(hit.page.id in self.question.gold_ids for hit in self.record.hits)


@dataclass(frozen=True)
class Explained:
    """What became of one explanation."""

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
    as_json: AsJson = False,
) -> None:
    """Whether the evidence with the largest effect is of the gold page, by method and language, beside the published figures."""
    try:
        asked = drawn(questions or data / "qa-pairs.json", language, sample, seed)
        with running(data / "documents", folder) as stage:
            chosen = model_of(stage, settings())
            parts = build(chosen)
            methods = method or list(Method)
            done = list(explained(parts, list(answered(parts, asked)), methods))
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
    codes = ["en", "de"] if language == BOTH else [language]
    everything = [
        (code, question)
        for code in codes
        for conversation in conversations(file, code)
        for question in conversation
    ]
    if not 0 < sample < len(everything):
        return everything
    kept = set(random.Random(seed).sample(range(len(everything)), sample))
    return [each for place, each in enumerate(everything) if place in kept]


def model_of(stage: Settings, own: Settings) -> Settings:
    """The stage's settings with the operator's model, and how it is used to explain.

    Raises:
        SettingsError: LLM_BASE_URL is set without LLM_MODEL.
    """
    chosen = with_model(stage, own, wanted=own.llm_base_url is not None)
    if own.llm_base_url is None:
        return chosen
    own.require("llm_model")
    names = [name for name in type(own).model_fields if name.startswith("explain_")]
    names += ["llm_explain_model", "llm_context_tokens"]
    return chosen.model_copy(update={name: getattr(own, name) for name in names})


def answered(parts: WorkerParts, asked: Sequence[tuple[str, Question]]) -> Iterator[Asked]:
    """The questions whose gold page was among the evidence, with their answers; follow-ups as a person completed them."""
    with _progress("answers", len(asked)) as step:
        for language, question in asked:
            record = parts.pipeline.answer(
                question.completed, [], deadline=time.time() + PATIENCE_S
            )
            each = Asked(language, question, record)
            step()
            if each.could_be_found:
                yield each


def explained(
    parts: WorkerParts, asked: Sequence[Asked], methods: Sequence[Method]
) -> Iterator[Explained]:
    """Each answer explained by each method.

    Raises:
        ModelUnavailable: the model does not answer.
    """
    options = parts.attributor.options
    with _progress("explanations", len(asked) * len(methods)) as step:
        for method in methods:
            attributor = Attributor(parts.attributor.embedder, replace(options, method=method))
            for each in asked:
                counted = _Counted()
                explanation = replay.explain(
                    parts, "attribution", each.record, replay.ExplanationWatch(counted), attributor
                )
                step()
                yield mark(each, explanation, counted.calls)


class _Counted:
    """How many answers an explanation needed; quoted ones are free and stand in no bill."""

    calls = 0

    def __call__(self, done: int, _of: int) -> None:
        self.calls = done


def mark(asked: Asked, explanation: Explanation, calls: int = 0) -> Explained:
    gold, usage = asked.question.gold_ids, explanation.usage
    pieces = pieces_of(first(explanation), asked.record.hits)
    return Explained(
        method=explanation.method,
        language=asked.language,
        right=bool(pieces) and pieces[0].page.id in gold,
        copy_is_right=any(copy.page.id in gold for piece in pieces for copy in piece.everywhere),
        has_effect=bool(pieces),
        found=Note.NOT_FOUND not in asked.record.answer.notes,
        calls=max(usage.calls, calls),
        tokens=usage.prompt_tokens + usage.completion_tokens,
        seconds=explanation.seconds,
    )


def first(explanation: Explanation) -> Effect | None:
    """The effect at the head of the explanation, or of what changes the answer only together; None where nothing changes it."""
    effects = (*explanation.effects[:1], *explanation.together[:1])
    return next((effect for effect in effects if effect.change.mean > ZERO), None)


def pieces_of(effect: Effect | None, hits: Sequence[Hit]) -> list[Hit]:
    """In the order of their rank."""
    return [hit for hit in hits if effect and hit.evidence.id in effect.evidence_ids]


def figures(done: Sequence[Explained]) -> dict[str, dict[str, Any]]:
    """By method and language; shares with their intervals."""
    rows = {}
    for method in dict.fromkeys(each.method for each in done):
        for language in [*dict.fromkeys(each.language for each in done), BOTH]:
            those = [
                each for each in done if each.method is method and language in (each.language, BOTH)
            ]
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


def label(model: str) -> str:
    return f"answers of {model}" if model else NO_EVIDENCE


def as_json_(found: Mapping[str, Mapping[str, Any]], model: str) -> dict[str, Any]:
    rows = {
        name: {key: v.as_json() if isinstance(v, Share) else v for key, v in row.items()}
        for name, row in found.items()
    }
    published = {
        method.value: {"accuracy": accuracy, "n": PUBLISHED_N}
        for method, accuracy in PUBLISHED.items()
    }
    return {"label": label(model), "model": model, "measured": rows, "published": published}


def show(found: Mapping[str, Mapping[str, Any]], model: str) -> None:
    """The table, under what it is made from, and the published figures under it."""
    out = Console(width=max(Console().width, WIDTH))
    names = list(next(iter(found.values()), {}))
    table = Table(
        "",
        *names,
        title=f"{label(model)}; shares in per cent",
        title_justify="left",
        title_style="bold",
    )
    for name, row in found.items():
        table.add_row(name, *(str(row[key]) for key in names))
    for method, accuracy in PUBLISHED.items():
        table.add_row(
            f"published: {method} {BOTH}",
            str(PUBLISHED_N),
            f"{100 * accuracy:.1f}",
            *["" for _ in names[2:]],
        )
    out.print(table)


class _Rate(ProgressColumn):
    """How many are done in a minute."""

    def render(self, task: Task) -> Text:
        return Text(f"{60 * task.speed:.1f}/min" if task.speed else "", style="progress.data.speed")


@contextmanager
def _progress(what: str, total: int) -> Iterator[Any]:
    """A bar with rate and remaining time; what it gives counts one more."""
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), _Rate(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        bar = progress.add_task(what, total=total)
        yield lambda: progress.advance(bar)
