"""`python -m evaluation answers`: whole answers, by word overlap, citations and a judge."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from statistics import mean, median
from typing import Annotated

import typer

from core.errors import SettingsError
from core.models import Note, Record
from core.settings import Settings, settings
from evaluation.answers.judge import Judge, Judgement, judge_of
from evaluation.harness.as_indexed import AsIndexed
from evaluation.harness.output import AsJson, fail, show_down
from evaluation.harness.overlap import length, share_of_words, token_f1
from evaluation.harness.product import running
from evaluation.harness.progress import track
from evaluation.sets.confquestions import DataMissing, Question, conversations
from sandbox.programs.processes import DidNotStart
from worker.bootstrap import build
from worker.pipeline import Pipeline
from worker.question.rewrite import Past

PATIENCE_S = 60.0
Figures = dict[str, float | None]


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
        """The page of each cited source; none where the product abstained."""
        if not self.found:
            return []
        page_of = {hit.evidence.id: hit.page.id for hit in self.record.hits}
        return [page_of[source.evidence_ids[0]] for source in self.record.answer.sources]


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
            history.append(Past.of(question.asked, record))
            yield Answered(question, record, elapsed)


def report(answered: Sequence[Answered]) -> dict[str, float | None]:
    """What needs no judge; abstention is right when no gold page was among the hits."""
    missed = [a for a in answered if not a.found]
    words = sorted(length(a.text) for a in answered)
    return {
        "n": len(answered),
        "token F1": mean(token_f1(a.text, a.question.answer) for a in answered),
        "gold words": mean(share_of_words(a.text, a.question.answer) for a in answered),
        "not found, rightly": sum(not a.could_be_found for a in missed) / len(answered),
        "not found, wrongly": sum(a.could_be_found for a in missed) / len(answered),
        "citation precision": _mean(_precision(a) for a in answered if a.cited_pages),
        "citation recall": mean(_recall(a) for a in answered),
        "words": round(median(words)),
        "words, p90": words[int(0.9 * (len(words) - 1))],
        "ms": round(median(a.milliseconds for a in answered), 1),
    }


def judged(answered: Sequence[Answered], judge: Judge | None) -> dict[str, float | None]:
    """A judge's grades, on average; None where there is no judge, or no usable reply of it."""
    grades = _judgements(answered, judge) if judge else []
    return {
        "relevance": _mean(each.relevance for each in grades),
        "faithfulness": _mean(each.faithfulness for each in grades),
        "answer relevancy": _mean(each.relevancy for each in grades),
        "correct": _mean(each.correct for each in grades),
        "correct, verbose": _mean(each.verbose for each in grades),
    }


def _judgements(answered: Sequence[Answered], judge: Judge) -> list[Judgement]:
    with ThreadPoolExecutor(judge.concurrency) as pool:
        grades = pool.map(lambda a: judge.judge(a.question, a.record), answered)
        return list(track(grades, "judging", total=len(answered)))


def _precision(answered: Answered) -> float:
    return mean(page in answered.question.gold_ids for page in answered.cited_pages)


def _recall(answered: Answered) -> float:
    gold = answered.question.gold_ids
    return len(gold & set(answered.cited_pages)) / len(gold)


def _mean(values: Iterable[float | None]) -> float | None:
    """The mean of those that there are."""
    found = [value for value in values if value is not None]
    return mean(found) if found else None


@dataclass(frozen=True)
class Measured:
    """All answers of one endpoint in one language."""

    answered: Sequence[Answered]
    figures: Figures


def beside(one: Mapping[str, Measured], other: Mapping[str, Measured]) -> dict[str, Figures]:
    """Columns of two endpoints; of how many questions the second says more of what was expected."""
    columns: dict[str, Figures] = {}
    for code, first in one.items():
        second = other[code]
        gains = compared(first.answered, second.answered)
        columns[f"first {code}"] = first.figures | dict.fromkeys(gains)
        columns[f"second {code}"] = second.figures | gains
    return columns


def compared(one: Sequence[Answered], other: Sequence[Answered]) -> Figures:
    """Of the same questions, how many the other one answers with more, or fewer, gold words."""
    gained = [_gold_words(new) - _gold_words(old) for old, new in zip(one, other, strict=True)]
    return {
        "more gold words": sum(gain > 0 for gain in gained),
        "fewer gold words": sum(gain < 0 for gain in gained),
    }


def _gold_words(answered: Answered) -> float:
    return share_of_words(answered.text, answered.question.answer)


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
    against: Annotated[
        tuple[str, str] | None,
        typer.Option(metavar="URL MODEL", help="Beside it, the same by another endpoint."),
    ] = None,
    folder: Annotated[Path, typer.Option(help="Where the index is kept between runs.")] = Path(
        "var/evaluation"
    ),
    as_json: AsJson = False,
) -> None:
    """Whole answers against the expected ones: words, citations, abstention, and a judge.

    The judge is asked where JUDGE_BASE_URL is set.
    """
    file = questions or data / "qa-pairs.json"
    codes = ["en", "de"] if language == "both" else [language]
    try:
        asked = {code: conversations(file, code) for code in codes}
        own = settings()
        if model:
            own.require("llm_base_url", "llm_model")
        with running(data / "documents", folder) as stage:
            chosen = with_model(stage, own, wanted=model)
            measured = _measured(chosen, own, asked, completion)
            columns = {f"{completion} {code}": one.figures for code, one in measured.items()}
            if against:
                other = _elsewhere(stage, own, *against)
                columns = beside(measured, _measured(other, own, asked, completion))
    except (DataMissing, DidNotStart, SettingsError) as error:
        fail(str(error))
    show_down(columns, as_json=as_json)


def _measured(
    chosen: Settings,
    own: Settings,
    asked: Mapping[str, Sequence[Sequence[Question]]],
    completion: Completion,
) -> dict[str, Measured]:
    """By language."""
    parts = build(chosen, AsIndexed())
    judge = judge_of(own, parts.attributor.embedder)
    by = chosen.llm_model if chosen.llm_base_url else ""
    found = {}
    for code, those in asked.items():
        turns = ask(parts.pipeline, those, completion)
        title = f"{completion} {code} {by}".strip()
        answered = list(track(turns, title, total=sum(map(len, those))))
        found[code] = Measured(answered, report(answered) | judged(answered, judge))
    return found


def _elsewhere(stage: Settings, own: Settings, url: str, name: str) -> Settings:
    """The settings of the running product with another model at another endpoint."""
    there = own.model_copy(update={"llm_base_url": url, "llm_model": name})
    return with_model(stage, there, wanted=True)


def with_model(stage: Settings, own: Settings, *, wanted: bool) -> Settings:
    """The settings of the running product with the operator's own model, or with none."""
    if not wanted:
        return stage.model_copy(update={"llm_base_url": None})
    names = [name for name in Settings.model_fields if name.startswith("llm_")]
    return stage.model_copy(update={name: getattr(own, name) for name in names})
