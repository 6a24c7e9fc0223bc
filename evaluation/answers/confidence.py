"""`python -m evaluation confidence`: calibration of the confidence; with --fit it is fitted anew.

Every page among the evidence of a question is one case: was it a gold page? Each case is judged by
a regression fitted without its conversation (ten-fold cross-validation).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np
import typer
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold, cross_val_predict

from core.models import Confidence, Hit
from core.question import Completed
from evaluation.harness.as_indexed import AsIndexed
from evaluation.harness.output import AsJson, fail, show
from evaluation.harness.product import running
from evaluation.harness.progress import track
from evaluation.harness.remembered import as_past
from evaluation.sets.confquestions import DataMissing, Question, conversations
from sandbox.programs.processes import DidNotStart
from worker.bootstrap import build
from worker.generation.confidence import FEATURES, features, step
from worker.question.rewrite import Completer, Past
from worker.retrieval.retriever import Retriever

BINS = 10
FOLDS = 10
STORED = Path(__file__).parents[2] / "worker" / "calibration.json"


class Case(NamedTuple):
    """A page that a question's evidence stands on."""

    conversation: str
    is_first: bool
    features: tuple[float, ...]
    is_right: bool


def confidence(
    data: Annotated[Path, typer.Option(help="The folder with documents/ and qa-pairs.json.")],
    fit: Annotated[bool, typer.Option("--fit", help="Write worker/calibration.json anew.")] = False,
    folder: Annotated[Path, typer.Option(help="Where the index is kept between runs.")] = Path(
        "var/evaluation"
    ),
    as_json: AsJson = False,
) -> None:
    """Reliability: of sources called 90 % sure, how many were right; expected calibration error."""
    try:
        with running(data / "documents", folder) as chosen:
            retriever = build(chosen, AsIndexed()).pipeline.retriever
            file = data / "qa-pairs.json"
            asked = [*conversations(file, "en"), *conversations(file, "de")]
            searches = cases(retriever, asked)
            found = list(track(searches, "searching", total=3 * sum(map(len, asked))))
    except (DataMissing, DidNotStart) as error:
        fail(str(error))
    show(calibrated(list(chain.from_iterable(found)), fit=fit), as_json=as_json)


def calibrated(found: Sequence[Case], *, fit: bool) -> dict[str, dict[str, float]]:
    """Reliability by cross-validation; with `fit` the regression over all cases is stored."""
    inputs = np.array([case.features for case in found])
    right = np.array([case.is_right for case in found])
    first = np.array([case.is_first for case in found])
    folds = GroupKFold(FOLDS)
    groups = [case.conversation for case in found]
    probabilities = cross_val_predict(
        _regression(), inputs, right, groups=groups, cv=folds, method="predict_proba"
    )
    predicted = probabilities[:, 1]
    if fit:
        _store(_regression().fit(inputs, right), found)
    return {
        "every page": reliability(predicted, right),
        "the first page": reliability(predicted[first], right[first]),
    }


def cases(retriever: Retriever, asked: Sequence[Sequence[Question]]) -> Iterator[list[Case]]:
    """The pages found for each question, completed by a person, by rules and not at all."""
    completer = Completer(None, retriever.evidence)
    for conversation in asked:
        history: list[Past] = []
        for question in conversation:
            by_rules = completer.complete(question.asked, history, deadline=0.0)[0]
            history.append(as_past(by_rules, retriever.search(by_rules).hits))
            for completed in (_plain(question.completed), by_rules, _plain(question.asked)):
                yield _cases(question, retriever.retrieve(completed).hits)


def _cases(question: Question, hits: Sequence[Hit]) -> list[Case]:
    pages = dict.fromkeys(hit.page.key for hit in hits)
    found = []
    for number, page in enumerate(pages):
        is_right = page.id in question.gold_ids
        found.append(Case(question.conversation, number == 0, features(hits, page), is_right))
    return found


def reliability(predicted: NDArray[np.float64], right: NDArray[np.bool_]) -> dict[str, float]:
    """Expected calibration error (Naeini et al. 2015, ten bins); how many are right by bin."""
    bins = np.minimum((predicted * BINS).astype(int), BINS - 1)
    errors = 0.0
    for each in set(bins.tolist()):
        here = bins == each
        errors += abs(predicted[here].mean() - right[here].mean()) * here.sum()
    figures = {
        "n": float(len(right)),
        "ece": float(errors / len(right)),
        "brier": float(((predicted - right) ** 2).mean()),
    }
    steps = np.array([step(float(each)).value for each in predicted])
    for name in Confidence:
        here = steps == name.value
        figures[f"share {name}"] = float(here.mean())
        figures[f"right when {name}"] = _mean(right[here])
    for each in range(BINS):
        figures[f"{10 * each} to {10 * each + 10} %"] = _mean(right[bins == each])
    return figures


def _mean(values: NDArray[np.bool_]) -> float:
    return float(values.mean()) if len(values) else float("nan")


def _plain(question: str) -> Completed:
    return Completed(question=question, text=question)


def _regression() -> LogisticRegression:
    return LogisticRegression(C=1.0, max_iter=1000)


def _store(fitted: LogisticRegression, found: Sequence[Case]) -> None:
    weights = [round(float(weight), 4) for weight in fitted.coef_[0]]
    calibration = {
        "made by": "python -m evaluation confidence --data FOLDER --fit, "
        "on the development half of ConfQuestions",
        "cases": len(found),
        "intercept": round(float(fitted.intercept_[0]), 4),
        "weights": dict(zip(FEATURES, weights, strict=True)),
    }
    STORED.write_text(json.dumps(calibration, indent=2) + "\n", encoding="utf-8")
