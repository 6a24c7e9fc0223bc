"""How good whole answers are: the product's own pipeline, asked ConfQuestions; by words, citations and, where there is one, a judge."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from statistics import mean, median
from typing import Annotated

import typer
from rich.progress import track

from core.errors import SettingsError
from core.models import Note, Record
from core.settings import Settings, settings
from evaluation.answers.judge import Judge, Judgement, judge_of
from evaluation.harness.overlap import plain, share_of_words, token_f1
from evaluation.harness.stage import AsJson, console, fail, running, show_down
from evaluation.sets.confquestions import DataMissing, Question, conversations
from sandbox.programs.processes import DidNotStart
from worker.bootstrap import build
from worker.pipeline import Pipeline
from worker.question.rewrite import Past

PATIENCE_S = 60.0


class Completion(StrEnum):
    """What makes a question understandable without its conversation."""

    HUMAN = "human"  # a person did
    HISTORY = "history"  # the product does, by its rules or its model
    NONE = "none"  # nothing: as asked


@dataclass(frozen=True)
class Answered:
    """One question and all that came of it."""

    question: Question
    record: Record
    milliseconds: float

    @property
    def text(self) -> str:
        return self.record.answer.text

    @property
    def found(self) -> bool:
        return Note.NOT_FOUND not in self.record.answer.notes

    @property
    def could_be_found(self) -> bool:
        return any(hit.page.id in self.question.gold_ids for hit in self.record.hits)

    @property
    def cited_pages(self) -> list[str]:
        """The page of each cited source; none when nothing was found, since its sources are only near."""
        page_of = {hit.evidence.id: hit.page.id for hit in self.record.hits}
        return (
            [page_of[source.evidence_ids[0]] for source in self.record.answer.sources]
            if self.found
            else []
        )


def ask(
    pipeline: Pipeline, asked: Sequence[Sequence[Question]], completion: Completion
) -> Iterator[Answered]:
    """Ask every question of every conversation, in order."""
    for conversation in asked:
        history: list[Past] = []
        for question in conversation:
            text = question.completed if completion is Completion.HUMAN else question.asked
            started = time.perf_counter()
            before = history if completion is Completion.HISTORY else []
            record = pipeline.answer(text, before, deadline=time.time() + PATIENCE_S)
            elapsed = 1000 * (time.perf_counter() - started)
            answer = record.answer
            history.append(
                Past(question.asked, answer.text, answer.sources[0].title if answer.sources else "")
            )
            yield Answered(question, record, elapsed)


def report(answered: Sequence[Answered]) -> dict[str, float | None]:
    """What needs no judge. A not-found is right when no gold page was among the hits; both kinds are shares of all questions."""
    missed = [a for a in answered if not a.found]
    return {
        "n": len(answered),
        "token F1": mean(token_f1(a.text, a.question.answer) for a in answered),
        "gold words": mean(share_of_words(a.text, a.question.answer) for a in answered),
        "not found, rightly": sum(not a.could_be_found for a in missed) / len(answered),
        "not found, wrongly": sum(a.could_be_found for a in missed) / len(answered),
        "citation precision": _mean(_precision(a) for a in answered if a.cited_pages),
        "citation recall": mean(_recall(a) for a in answered),
        "words": mean(len(plain(a.text).split()) for a in answered),
        "ms": round(median(a.milliseconds for a in answered), 1),
    }


def judged(answered: Sequence[Answered], judge: Judge | None) -> dict[str, float | None]:
    """What a judge says of the answers, on average; None where there is no judge, or no usable word of it."""
    with ThreadPoolExecutor(judge.concurrency if judge else 1) as pool:
        said = (
            list(pool.map(lambda a: judge.judge(a.question, a.record), answered)) if judge else []
        )

    def average(of: Callable[[Judgement], float | None]) -> float | None:
        return _mean(value for judgement in said if (value := of(judgement)) is not None)

    return {
        "relevance": average(lambda j: j.relevance),
        "faithfulness": average(lambda j: j.faithfulness),
        "answer relevancy": average(lambda j: j.relevancy),
        "correct": average(lambda j: j.correct),
        "correct, verbose": average(lambda j: j.verbose),
    }


def _precision(answered: Answered) -> float:
    return mean(page in answered.question.gold_ids for page in answered.cited_pages)


def _recall(answered: Answered) -> float:
    return len(answered.question.gold_ids & set(answered.cited_pages)) / len(
        answered.question.gold_ids
    )


def _mean(values: Iterable[float]) -> float | None:
    found = list(values)
    return mean(found) if found else None


def answers(
    data: Annotated[Path, typer.Option(help="The folder with documents/ and qa-pairs.json.")],
    questions: Annotated[Path | None, typer.Option(help="Another file of conversations.")] = None,
    language: Annotated[str, typer.Option(help="en, de or both.")] = "both",
    completion: Annotated[
        Completion, typer.Option(help="Who makes follow-ups understandable.")
    ] = Completion.HUMAN,
    model: Annotated[
        bool,
        typer.Option(
            "--model",
            help="Answer with the model of LLM_BASE_URL and LLM_MODEL instead of quoting.",
        ),
    ] = False,
    folder: Annotated[Path, typer.Option(help="Where the index is kept between runs.")] = Path(
        "var/evaluation"
    ),
    as_json: AsJson = False,
) -> None:
    """Whole answers against the expected ones: words, citations, not-found, and a judge's opinion where JUDGE_BASE_URL is set."""
    rows: dict[str, dict[str, float | None]] = {}
    try:
        asked = {
            code: conversations(questions or data / "qa-pairs.json", code)
            for code in _languages(language)
        }
        own = settings()
        if model:
            own.require("llm_base_url", "llm_model")
        with running(data / "documents", folder) as stage:
            parts = build(with_model(stage, own, wanted=model))
            judge = judge_of(own, parts.attributor.embedder)
            for code, those in asked.items():
                turns = ask(parts.pipeline, those, completion)
                answered = list(
                    track(
                        turns, f"{completion} {code}", total=sum(map(len, those)), console=console
                    )
                )
                rows[f"{completion} {code}"] = report(answered) | judged(answered, judge)
    except (DataMissing, DidNotStart, SettingsError) as error:
        fail(str(error))
    show_down(rows, as_json=as_json)


def _languages(language: str) -> list[str]:
    return ["en", "de"] if language == "both" else [language]


def with_model(stage: Settings, own: Settings, *, wanted: bool) -> Settings:
    """The stage's settings with the model that the operator's settings name, or with none, whatever the environment says."""
    if not wanted:
        return stage.model_copy(update={"llm_base_url": None})
    names = ("llm_base_url", "llm_api_key", "llm_model", "llm_timeout_s")
    return stage.model_copy(update={name: getattr(own, name) for name in names})
