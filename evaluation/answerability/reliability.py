"""Reliability of the badge: fitted on answers whose facts are known, reported on corpora left out.

An answer counts as right when its facts stand where people read them, on a page that has them.
Beside the questions that pages answer stand those whose pages were taken out, since they are asked
too: one in five, of those that the gate lets through.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

from core.models import Confidence
from evaluation.answerability import curve
from evaluation.answerability.cases import LISTS, Case
from evaluation.answerability.one_way import fitted_one_way
from evaluation.harness.interval import Share
from worker.answerability.badge import SIGNS_OF_ANSWER
from worker.answerability.fitted import Regression
from worker.answerability.gate import LOST, least

Row = dict[str, Any]
RIGHT = 0.95  # of green answers at least
# What goes on and on covers words by its length.
DIRECTIONS = {name: -1 if name == "long" else 1 for name in SIGNS_OF_ANSWER}
MEDIUM = 0.5  # likelier right than wrong
UNANSWERABLE = 0.2  # of the questions
FEWEST = 100  # answers, from which on a share of the best ones is no accident of its choice
NEVER = 1.01  # a probability that none has
BINS = 10


class Badged(NamedTuple):
    """An answer that passed the gate, with the probability that it is right."""

    case: Case
    probability: float
    weight: float

    @property
    def is_right(self) -> bool:
        return bool(self.case.is_right)


def fit(found: Sequence[Case]) -> Regression:
    """On all answers whose facts are known, but those that are composed: they need no fit."""
    quoted = [case for case in found if not case.is_composed]
    signs = [case.said for case in quoted]
    right = [bool(case.is_right) for case in quoted]
    return fitted_one_way(signs, right, _weights(quoted), DIRECTIONS)


def let_through(found: Sequence[Case]) -> list[Case]:
    """The answers that the gate, fitted without their corpus, lets through."""
    judged = list(curve.left_out(found))
    kept: list[Case] = []
    for corpus in dict.fromkeys(case.corpus for case in found):
        points = curve.points(each for each in judged if each.case.corpus != corpus)
        bar = least(Regression(intercept=0, weights={}, points=points), LOST)
        for each in judged:
            is_passed = each.case.is_composed or each.probability >= bar
            if each.case.corpus == corpus and is_passed and _is_labelled(each.case):
                kept.append(each.case)
    return kept


def left_out(answers: Sequence[Case]) -> Iterator[Badged]:
    """Every corpus by a regression over the others."""
    for corpus in dict.fromkeys(case.corpus for case in answers):
        regression = fit([case for case in answers if case.corpus != corpus])
        own = [case for case in answers if case.corpus == corpus]
        for case, weight in zip(own, _weights(own).tolist(), strict=True):
            called = 1.0 if case.is_composed else regression.probability(case.said)
            yield Badged(case, called, weight)


def points(badged: Iterable[Badged]) -> dict[str, float]:
    """By step its lowest probability; green begins where of all answers above so many are right.

    Where that is nowhere, nothing is green.
    """
    quoted = [each for each in badged if not each.case.is_composed]
    return {Confidence.HIGH.value: _point(quoted), Confidence.MEDIUM.value: MEDIUM}


def rows(badged: Sequence[Badged]) -> Iterator[Row]:
    """One for each corpus, with steps that the others have chosen, then all together."""
    steps: list[tuple[Badged, bool]] = []
    for corpus in dict.fromkeys(each.case.corpus for each in badged):
        least = points([each for each in badged if each.case.corpus != corpus])[Confidence.HIGH]
        own = [
            (each, each.case.is_composed or each.probability >= least)
            for each in badged
            if each.case.corpus == corpus
        ]
        steps += own
        yield {"corpus": corpus, **_row(own)}
    yield {"corpus": "all", **_row(steps)}
    composed = [each for each in steps if each[0].case.is_composed]
    if composed:
        right = Share.of_all(each.is_right for each, _ in composed)
        yield {"corpus": "composed", "answers": right.of, "right": right.value, "±": right.interval}


def table(badged: Sequence[Badged]) -> Iterator[Row]:
    """How many answers of each tenth of probabilities are right."""
    for number in range(BINS):
        low, high = number / BINS, (number + 1) / BINS
        here = [each for each in badged if low <= each.probability < high]
        if here:
            marks = np.array([each.is_right for each in here])
            weights = np.array([each.weight for each in here])
            yield {
                "called": f"{100 * low:g} to {100 * high:g} %",
                "n": len(here),
                "right": float(np.average(marks, weights=weights)),
            }


def _is_labelled(case: Case) -> bool:
    return case.is_right is not None and bool(case.said) and case.way not in LISTS


def _weights(answers: Sequence[Case]) -> NDArray[np.float64]:
    """Of each corpus the same in all; of what nothing answers, one in five."""
    sizes: dict[tuple[str, bool], int] = {}
    for case in answers:
        side = (case.corpus, case.is_answerable)
        sizes[side] = sizes.get(side, 0) + 1
    found: list[float] = []
    for case in answers:
        of_side = 1 - UNANSWERABLE if case.is_answerable else UNANSWERABLE
        found.append(of_side / sizes[case.corpus, case.is_answerable])
    weights = np.array(found)
    return weights * len(answers) / weights.sum() if len(answers) else weights


def _point(badged: list[Badged]) -> float:
    ordered = sorted(badged, key=lambda each: -each.probability)
    sums = np.cumsum([each.weight for each in ordered])
    hits = np.cumsum([each.weight * each.is_right for each in ordered])
    good = np.flatnonzero(hits / sums >= RIGHT) if ordered else np.zeros(0, np.int64)
    enough = good[good >= FEWEST]
    return round(ordered[int(enough[-1])].probability, 4) if enough.size else NEVER


def _row(steps: Sequence[tuple[Badged, bool]]) -> Row:
    badged = [each for each, _ in steps]
    green = [each for each, is_green in steps if is_green]
    useful = [is_green for each, is_green in steps if each.is_right]
    weight = sum(each.weight for each in green)
    wrong = sum(each.weight for each in green if not each.is_right)
    answerable = [each for each in green if each.case.is_answerable]
    of_answerable = Share.of_all(not each.is_right for each in answerable)
    return {
        "answers": len(badged),
        "right": float(
            np.average([b.is_right for b in badged], weights=[b.weight for b in badged])
        ),
        "AUC": _auc(badged),
        "calibration error": _error(badged),
        "green": len(green) / len(badged),
        "wrong among green": wrong / weight if weight else 0.0,
        "of answerable": of_answerable.value if answerable else 0.0,
        "±": of_answerable.interval,
        "useful that are green": float(np.mean(useful)) if useful else 0.0,
    }


def _auc(badged: Sequence[Badged]) -> float:
    found = roc_auc_score(
        [each.is_right for each in badged],
        [each.probability for each in badged],
        sample_weight=[each.weight for each in badged],
    )
    return float(found)


def _error(badged: Sequence[Badged]) -> float:
    """Expected calibration error (Naeini et al. 2015), ten bins."""
    total = sum(each.weight for each in badged)
    error = 0.0
    for number in range(BINS):
        here = [each for each in badged if min(int(each.probability * BINS), BINS - 1) == number]
        called = sum(each.weight * each.probability for each in here)
        right = sum(each.weight * each.is_right for each in here)
        error += abs(called - right)
    return error / total
