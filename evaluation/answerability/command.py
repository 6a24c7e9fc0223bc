"""`python -m evaluation answerable` and `badge`: the gate and the badge, on corpora left out.

Both read the same cases: one search and one answer without a model for each question.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from evaluation.answerability import curve, quoted, reliability
from evaluation.answerability.cases import Case, cases
from evaluation.answerability.typed import typed_cases
from evaluation.employees.questions import Wanted, written
from evaluation.employees.wikis import FITTED, AskedSet, questions, wiki
from evaluation.harness.output import AsJson, fail, show_json, show_rows
from evaluation.harness.progress import track
from evaluation.retrieval.left_out.corpora import GENERATED, available
from evaluation.retrieval.left_out.opened import Opened, embedders
from evaluation.sets.confquestions import DataMissing
from sandbox.programs.processes import DidNotStart
from worker.answerability.fitted import Regression, fitted

STORED = Path(__file__).parents[2] / "worker" / "answerability"

Data = Annotated[
    Path | None, typer.Option(help="ConfQuestions; without it, there is one corpus less.")
]
ArePoints = Annotated[
    bool, typer.Option("--points", help="Write the points alone anew, for the weights that ship.")
]
IsFit = Annotated[bool, typer.Option("--fit", help="Write the weights anew.")]
Remembered = Annotated[
    Path | None,
    typer.Option("--kept", help="A file that keeps the answers: a fit takes seconds then."),
]
Folder = Annotated[Path, typer.Option(help="Where indexes are kept.")]
INDEXES = Path("var/left-out")


def answerable(
    data: Data = None,
    is_fit: IsFit = False,
    are_points: ArePoints = False,
    kept: Remembered = None,
    folder: Folder = INDEXES,
    as_json: AsJson = False,
) -> None:
    """What is refused when no page answers, against what is lost of what pages do answer."""
    found = remembered(kept, data, folder)
    judged = list(curve.as_shipped(found) if are_points else curve.left_out(found))
    if is_fit or are_points:
        weights = fitted("gate") if are_points else curve.fit(found)
        changed = weights.model_copy(update={"points": curve.points(judged)})
        _store("gate", "answerable", changed, len(found), "--points" if are_points else "--fit")
    tables = {"left out": list(curve.rows(judged)), "curve": list(curve.curve(judged))}
    return show_json(tables) if as_json else show_rows(tables)


def badge(
    data: Data = None,
    is_fit: IsFit = False,
    kept: Remembered = None,
    folder: Folder = INDEXES,
    as_json: AsJson = False,
) -> None:
    """How often answers without a model are right, by what the badge says of them."""
    found = remembered(kept, data, folder)
    answers = reliability.let_through(found)
    badged = list(reliability.left_out(answers))
    if is_fit:
        weights = reliability.fit(answers)
        changed = weights.model_copy(update={"points": reliability.points(badged)})
        _store("badge", "badge", changed, len(answers))
    quotes = list(quoted.judged(found, answers))
    if is_fit:
        both = fitted("quoted").model_copy(update={"points": curve.points(quotes)})
        _store("quoted", "badge", both, len(found))
    tables = {
        "left out": list(reliability.rows(badged)),
        "tenths": list(reliability.table(badged)),
        "second look": list(quoted.rows(quotes)),
    }
    return show_json(tables) if as_json else show_rows(tables)


def remembered(kept: Path | None, data: Path | None, folder: Path) -> list[Case]:
    """The cases of all corpora: those in the file, where there is one, else asked anew."""
    if kept is not None and kept.exists():
        known = json.loads(kept.read_text(encoding="utf-8"))
        return [Case(*each) for each in known]
    try:
        found = list(_asked(data, folder))
    except (DataMissing, DidNotStart) as error:
        fail(str(error))
    if kept is not None:
        kept.write_text(json.dumps(found), encoding="utf-8")
    return found


def _asked(data: Path | None, folder: Path) -> Iterator[Case]:
    load = embedders()
    for name, make in available(data, folder / "corpora").items():
        opened = Opened(make(), folder / "indexes", load)
        if name not in GENERATED:  # the text reader has been trained on their questions
            yield from track(cases(opened, load), name)
        yield from track(typed_cases(opened, load, written()[name]), f"{name}, typed")
    for name in FITTED:
        opened = Opened(wiki(name), folder / "indexes", load)
        yield from track(typed_cases(opened, load, _in_turn(name)), f"{name}, typed")


def _in_turn(name: str) -> Iterator[Wanted]:
    """Each question of a wiki once: one as it was written first, the next one put otherwise."""
    otherwise = questions(name, AskedSet.OTHERWISE)
    for number, both in enumerate(zip(questions(name), otherwise, strict=True)):
        yield both[number % 2]


def _store(
    name: str, command: str, weights: Regression, number: int, option: str = "--fit"
) -> None:
    made = {
        "made by": f"python -m evaluation {command} --data FOLDER {option}",
        "cases": number,
        **weights.model_dump(),
    }
    file = STORED / f"{name}.json"
    file.write_text(json.dumps(made, indent=2) + "\n", encoding="utf-8")
