"""Follow-up suggestions on the sample company: how many, and whether the product answers them."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from statistics import mean, median
from typing import Annotated

import typer
import yaml

from core.models import Note, Record
from core.policy.acl import EVERYBODY
from evaluation.answers.sample import PATIENCE_S
from evaluation.harness.as_indexed import AsIndexed
from evaluation.harness.output import AsJson, fail, show
from evaluation.harness.product import running
from evaluation.harness.progress import track
from sandbox.confluence.__main__ import SAMPLE
from sandbox.programs.processes import DidNotStart
from worker.bootstrap import build
from worker.pipeline import Pipeline
from worker.question.rewrite import Past
from worker.suggestions.candidates import Answered
from worker.suggestions.suggester import Suggestion


@dataclass(frozen=True)
class TakenUp:
    """A suggestion, and what the product says when it is asked."""

    suggestion: Suggestion
    before: Record
    after: Record

    @property
    def from_its_page(self) -> bool:
        """Whether it is answered, with the page that it was made from as first source."""
        if Note.NOT_FOUND in self.after.answer.notes:
            return False
        return _cited(self.after)[0][0] == self.suggestion.page.id

    @property
    def tells_more(self) -> bool:
        """Whether the answer rests on evidence that the one before did not."""
        return not set(_cited(self.after)) <= set(_cited(self.before))


@dataclass(frozen=True)
class Suggested:
    """An answer, and its suggestions as they fare by themselves and in its thread."""

    alone: tuple[TakenUp, ...]
    in_thread: tuple[TakenUp, ...]
    milliseconds: float


def suggestions(
    folder: Annotated[Path, typer.Option(help="Where the index is kept between runs.")] = Path(
        "var/evaluation-sample"
    ),
    as_json: AsJson = False,
) -> None:
    """Follow-up suggestions on the sample company: how many, how fast, and whether answered."""
    try:
        with running(SAMPLE, folder) as chosen:
            asked = yaml.safe_load((SAMPLE / "questions.yaml").read_text(encoding="utf-8"))
            turns = measure(build(chosen, AsIndexed()).pipeline, asked)
            found = list(track(turns, "suggestions", total=len(asked)))
    except DidNotStart as error:
        fail(str(error))
    rows = {
        "in the thread": _report(found, [s.in_thread for s in found]),
        "alone": _report(found, [s.alone for s in found]),
    }
    show(rows, as_json=as_json)


def measure(pipeline: Pipeline, questions: Sequence[dict[str, str]]) -> Iterator[Suggested]:
    """Ask every question, follow-ups after the question they follow, then all suggestions."""
    said: dict[str, Past] = {}
    for item in questions:
        history = [said[item["after"]]] if "after" in item else []
        record = _answer(pipeline, item["question"], history)
        said[item["question"]] = _past(record)
        if Note.NOT_FOUND not in record.answer.notes:
            yield _taken_up(pipeline, record, history)


def _taken_up(pipeline: Pipeline, record: Record, history: Sequence[Past]) -> Suggested:
    assert pipeline.suggester is not None, "SUGGESTIONS is none"
    turn = Answered(record.completed, record.answer, record.hits, history)
    found, _ = pipeline.suggester.suggest(turn, EVERYBODY, deadline=time.time() + PATIENCE_S)

    def asked(before: Sequence[Past]) -> Iterator[TakenUp]:
        for each in found:
            yield TakenUp(each, record, _answer(pipeline, each.text, before))

    alone, in_thread = tuple(asked([])), tuple(asked([*history, _past(record)]))
    return Suggested(alone, in_thread, 1000 * record.seconds["suggest"])


def _answer(pipeline: Pipeline, question: str, history: Sequence[Past]) -> Record:
    return pipeline.answer(question, history, deadline=time.time() + PATIENCE_S)


def _past(record: Record) -> Past:
    return Past.of(record.completed.question, record)


def _cited(record: Record) -> list[tuple[str, str]]:
    """The page and the piece of all that the answer cites, in the order of its sources."""
    pages = {hit.evidence.id: hit.page.id for hit in record.hits}
    cited = chain.from_iterable(source.evidence_ids for source in record.answer.sources)
    return [(pages[piece], piece) for piece in cited]


def _report(found: Sequence[Suggested], taken: Sequence[tuple[TakenUp, ...]]) -> dict[str, float]:
    every = list(chain.from_iterable(taken))
    return {
        "answers": len(found),
        "2 or more": mean(len(several) >= 2 for several in taken),
        "suggestions": len(every),
        "from its page": mean(each.from_its_page for each in every),
        "tells more": mean(each.tells_more for each in every),
        "distinct": mean(_distinct(several) for several in taken if several),
        "ms": round(median(each.milliseconds for each in found), 1),
    }


def _distinct(several: Sequence[TakenUp]) -> float:
    """The share of suggestions that lead to evidence of their own."""
    cited = [_cited(each.after) for each in several]
    return len({pieces[0] for pieces in cited if pieces}) / len(several)
