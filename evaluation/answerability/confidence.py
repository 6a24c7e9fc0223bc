"""`python -m evaluation confidence`: calibration of the confidence; with --fit it is fitted anew.

Every page among the evidence of a question is one case: was it a gold page? Each corpus is judged
by a regression over the others.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from core.models import Confidence
from evaluation.answerability.cases import Case
from evaluation.answerability.command import INDEXES, Data, Folder, IsFit, Remembered, remembered
from evaluation.harness.output import AsJson, show
from worker.generation.confidence import FEATURES, step

BINS = 10
STORED = Path(__file__).parents[2] / "worker" / "calibration.json"


class PageCase(NamedTuple):
    """A page that a question's evidence stands on."""

    corpus: str
    is_first: bool
    features: tuple[float, ...]
    is_right: bool


def confidence(
    data: Data = None,
    is_fit: IsFit = False,
    kept: Remembered = None,
    folder: Folder = INDEXES,
    as_json: AsJson = False,
) -> None:
    """Reliability: of sources called 90 % sure, how many were right; expected calibration error."""
    found = list(cases(remembered(kept, data, folder)))
    show(calibrated(found, fit=is_fit), as_json=as_json)


def calibrated(found: Sequence[PageCase], *, fit: bool) -> dict[str, dict[str, float]]:
    """Reliability on corpora left out; with `fit` the regression over all cases is stored."""
    inputs = np.array([case.features for case in found])
    right = np.array([case.is_right for case in found])
    first = np.array([case.is_first for case in found])
    corpora = np.array([case.corpus for case in found])
    predicted = np.zeros(len(found))
    for corpus in dict.fromkeys(corpora.tolist()):
        own = corpora == corpus
        fitted = _regression().fit(inputs[~own], right[~own])
        predicted[own] = fitted.predict_proba(inputs[own])[:, 1]
    if fit:
        _store(_regression().fit(inputs, right), found)
    return {
        "every page": reliability(predicted, right),
        "the first page": reliability(predicted[first], right[first]),
    }


def cases(asked: Sequence[Case]) -> Iterator[PageCase]:
    """The pages found for each question, complete or completed by rules."""
    for each in asked:
        for number, (features, is_right) in enumerate(each.pages):
            yield PageCase(each.corpus, number == 0, tuple(features), is_right)


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


def _regression() -> LogisticRegression:
    return LogisticRegression(C=1.0, max_iter=1000)


def _store(fitted: LogisticRegression, found: Sequence[PageCase]) -> None:
    weights = [round(float(weight), 4) for weight in fitted.coef_[0]]
    calibration = {
        "made by": "python -m evaluation confidence --data FOLDER --fit, "
        "on the development half of ConfQuestions and four corpora of our own",
        "cases": len(found),
        "intercept": round(float(fitted.intercept_[0]), 4),
        "weights": dict(zip(FEATURES, weights, strict=True)),
    }
    STORED.write_text(json.dumps(calibration, indent=2) + "\n", encoding="utf-8")
