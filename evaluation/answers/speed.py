"""`python -m evaluation answer-speed`: processor time of a quoted answer, by the pipeline's steps.

The same questions are asked of the same index by this version and by an older one beside it, in
turns, each in a process of its own: on a shared machine only such a comparison says something.
"""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import mean
from typing import Annotated, Any

import typer

from core.settings import Settings
from evaluation.answers.measure import PATIENCE_S, with_model
from evaluation.harness.as_indexed import AsIndexed
from evaluation.harness.output import AsJson, fail, show
from evaluation.harness.product import running
from evaluation.harness.progress import track
from evaluation.sets.confquestions import DataMissing, conversations
from sandbox.programs.environment import child_environment
from sandbox.programs.processes import DidNotStart
from worker.bootstrap import build
from worker.pipeline import Pipeline
from worker.question.rewrite import Past

ROUNDS = 2  # of each version
WARM = 3  # conversations that are asked before anything is measured
# By the field of the pipeline: the step of its table, and the verb that is measured.
STEPS = {
    "completer": ("complete", "complete"),
    "filters": ("filter", "find"),
    "retriever": ("retrieve", "retrieve"),
    "generator": ("generate", "generate"),
    "suggester": ("suggest", "suggest"),
}

Spent = dict[str, float]  # seconds of processor time by step


def answer_speed(
    data: Annotated[Path, typer.Option(help="The folder with documents/ and qa-pairs.json.")],
    before: Annotated[
        Path | None, typer.Option(help="A checkout of an older version, measured beside this one.")
    ] = None,
    conversations_: Annotated[
        int, typer.Option("--conversations", help="How many, in each language.")
    ] = 15,
    folder: Annotated[Path, typer.Option(help="Where the index is kept between runs.")] = Path(
        "var/evaluation"
    ),
    as_json: AsJson = False,
) -> None:
    """Milliseconds of processor time until a quoted answer is ready, with its suggestions."""
    versions = {"now": Path(__file__).parents[2]}
    if before:
        versions["before"] = before.absolute()
    turns = [(name, root) for _ in range(ROUNDS) for name, root in versions.items()]
    found: dict[str, list[Spent]] = {name: [] for name in versions}
    try:
        asked = _questions(data, conversations_)
        with running(data / "documents", folder) as stage:
            plain = with_model(stage, stage, wanted=False)
            for name, root in track(turns, "answer-speed"):
                found[name].append(_measured(root, plain, asked))
    except (DataMissing, DidNotStart) as error:
        fail(str(error))
    rows = {f"ms {name}": _average(each) for name, each in found.items()}
    show(rows, as_json=as_json)


def _questions(data: Path, most: int) -> list[list[str]]:
    asked: list[list[str]] = []
    for code in ("en", "de"):
        some = conversations(data / "qa-pairs.json", code)[:most]
        asked += ([question.asked for question in each] for each in some)
    return asked


def _measured(root: Path, stage: Settings, asked: Sequence[Sequence[str]]) -> Spent:
    """The averages of one process that runs the version in this folder."""
    work = {"settings": stage.model_dump(mode="json", exclude_defaults=True), "asked": asked}
    done = subprocess.run(  # noqa: S603  (this Python and this file)
        [sys.executable, "-P", __file__],
        input=json.dumps(work),
        env=child_environment(PYTHONPATH=str(root)),
        cwd=root,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode:
        raise DidNotStart(f"the version in {root} cannot be measured")
    spent: Spent = json.loads(done.stdout)
    return spent


def _average(runs: Sequence[Spent]) -> dict[str, float]:
    return {name: round(mean(each[name] for each in runs), 1) for name in runs[0]}


@dataclasses.dataclass(frozen=True)
class _Timed:
    """A part of the pipeline whose one verb is measured; the rest of it is as it was."""

    part: Any
    step: str
    verb: str
    spent: Spent

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.part, name)
        if name == self.verb:
            return self._measuring(found)
        if name == "in_manner":
            return lambda manner: dataclasses.replace(self, part=found(manner))
        return found

    def _measuring(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def measured(*given: Any, **named: Any) -> Any:
            started = time.process_time()
            try:
                return call(*given, **named)
            finally:
                self.spent[self.step] += time.process_time() - started

        return measured


def timed(pipeline: Pipeline, spent: Spent) -> Pipeline:
    """The same pipeline, which adds the processor time of its steps to `spent`, in seconds."""
    parts: dict[str, Any] = {}
    for field, (step, verb) in STEPS.items():
        parts[field] = _Timed(getattr(pipeline, field), step, verb, spent)
    return dataclasses.replace(pipeline, **parts)


def _ask(pipeline: Pipeline, conversation: Sequence[str]) -> None:
    history: list[Past] = []
    for question in conversation:
        answer = pipeline.answer(question, history, deadline=time.time() + PATIENCE_S).answer
        title = answer.sources[0].title if answer.sources else ""
        history.append(Past(question, answer.text, title))


def measured(settings: Mapping[str, Any], asked: Sequence[Sequence[str]]) -> dict[str, float]:
    """Milliseconds of processor time for a question on average, by step; also in older versions."""
    pipeline = build(Settings(_env_file=None, **settings), AsIndexed()).pipeline
    for conversation in asked[:WARM]:
        _ask(pipeline, conversation)
    spent: Spent = dict.fromkeys((step for step, _ in STEPS.values()), 0.0)
    watched = timed(pipeline, spent)
    rest = asked[WARM:]
    started = time.process_time()
    for conversation in rest:
        _ask(watched, conversation)
    spent["all"] = time.process_time() - started
    questions = sum(map(len, rest))
    each = {step: 1000 * seconds / questions for step, seconds in spent.items()}
    return {"n": questions} | each


if __name__ == "__main__":
    typer.echo(json.dumps(measured(**json.load(sys.stdin))))
