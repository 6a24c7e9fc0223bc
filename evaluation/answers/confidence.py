"""`python -m evaluation confidence`: how well the confidence is calibrated, and with --fit its calibration anew.

Every page among the evidence of a question is one case: was it a gold page? Each case is judged by a regression that was fitted without
its conversation (ten folds), so the figures are not those of a fit to itself.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np
import typer
from numpy.typing import NDArray
from rich.progress import track
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold, cross_val_predict

from core.models import Confidence, Hit
from core.question import Completed
from evaluation.harness.stage import AsJson, console, fail, running, show
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
    """Reliability: of the sources called 90 % sure, how many were right; and the expected calibration error."""
    try:
        with running(data / "documents", folder) as chosen:
            retriever = build(chosen).pipeline.retriever
            asked = [
                each
                for code in ("en", "de")
                for each in conversations(data / "qa-pairs.json", code)
            ]
            found = list(
                track(
                    cases(retriever, asked),
                    "searching",
                    total=3 * sum(map(len, asked)),
                    console=console,
                )
            )
    except (DataMissing, DidNotStart) as error:
        fail(str(error))
    flat = [case for each in found for case in each]
    inputs, right = (
        np.array([case.features for case in flat]),
        np.array([case.is_right for case in flat]),
    )
    groups = [case.conversation for case in flat]
    predicted = cross_val_predict(
        _regression(), inputs, right, groups=groups, cv=GroupKFold(FOLDS), method="predict_proba"
    )[:, 1]
    if fit:
        _store(_regression().fit(inputs, right), flat)
    first = np.array([case.is_first for case in flat])
    show(
        {
            "every page": reliability(predicted, right),
            "the first page": reliability(predicted[first], right[first]),
        },
        as_json=as_json,
    )


def cases(retriever: Retriever, asked: Sequence[Sequence[Question]]) -> Iterator[list[Case]]:
    """Of each question, completed by a person, by rules and not at all, the pages that were found."""
    completer = Completer(None, retriever.evidence.named)
    for conversation in asked:
        history: list[Past] = []
        for question in conversation:
            by_rules = completer.complete(question.asked, history, deadline=0.0)[0]
            history.append(Past(question.asked, "", _title(retriever, by_rules)))
            for completed in (_plain(question.completed), by_rules, _plain(question.asked)):
                yield _cases(question, retriever.retrieve(completed).hits)


def _cases(question: Question, hits: Sequence[Hit]) -> list[Case]:
    pages = dict.fromkeys(hit.page.id for hit in hits)
    return [
        Case(question.conversation, n == 0, features(hits, page), page in question.gold_ids)
        for n, page in enumerate(pages)
    ]


def _title(retriever: Retriever, completed: Completed) -> str:
    hits = retriever.search(completed, k=1).hits
    return hits[0].page.title if hits else ""


def reliability(predicted: NDArray[np.float64], right: NDArray[np.bool_]) -> dict[str, float]:
    """The expected calibration error (Naeini et al. 2015, ten bins), and how many were right of each step and of each bin."""
    bins = np.minimum((predicted * BINS).astype(int), BINS - 1)
    errors = [
        abs(predicted[bins == each].mean() - right[bins == each].mean()) * (bins == each).sum()
        for each in set(bins.tolist())
    ]
    figures = {
        "n": float(len(right)),
        "ece": float(sum(errors) / len(right)),
        "brier": float(((predicted - right) ** 2).mean()),
    }
    steps = np.array([step(float(each)).value for each in predicted])
    for name in Confidence:
        figures |= {
            f"share {name}": float((steps == name.value).mean()),
            f"right when {name}": _mean(right[steps == name.value]),
        }
    return figures | {
        f"{10 * each} to {10 * each + 10} %": _mean(right[bins == each]) for each in range(BINS)
    }


def _mean(values: NDArray[np.bool_]) -> float:
    return float(values.mean()) if len(values) else float("nan")


def _plain(question: str) -> Completed:
    return Completed(question=question, text=question)


def _regression() -> LogisticRegression:
    return LogisticRegression(C=1.0, max_iter=1000)


def _store(fitted: LogisticRegression, found: Sequence[Case]) -> None:
    weights = {
        name: round(float(weight), 4)
        for name, weight in zip(FEATURES, fitted.coef_[0], strict=True)
    }
    said = {
        "made by": "python -m evaluation confidence --data FOLDER --fit, on the development half of ConfQuestions",
        "cases": len(found),
        "intercept": round(float(fitted.intercept_[0]), 4),
        "weights": weights,
    }
    STORED.write_text(json.dumps(said, indent=2) + "\n", encoding="utf-8")
