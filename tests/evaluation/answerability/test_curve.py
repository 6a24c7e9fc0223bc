"""The fit of the gate and of the badge, on cases that were made up."""

from __future__ import annotations

import numpy as np
import pytest

from core.models import Confidence
from evaluation.answerability import curve, reliability
from evaluation.answerability.cases import MISSED, Case
from worker.answerability.badge import SIGNS_OF_ANSWER
from worker.answerability.signs import SIGNS

CORPORA = ("harbour", "airport", "museum")
EACH = 150  # cases of each corpus, of either side


def cases(apart: float) -> list[Case]:
    """Answerable questions whose nearness lies `apart` standard deviations above the others'."""
    chance = np.random.default_rng(16)
    found: list[Case] = []
    for corpus in CORPORA:
        for number in range(2 * EACH):
            is_answerable = number % 2 == 0
            names = tuple(dict.fromkeys((*SIGNS, *SIGNS_OF_ANSWER)))
            noise = chance.normal(size=len(names))
            noise[names.index("near")] += apart * is_answerable
            known = dict(zip(names, noise.tolist(), strict=True))
            signs = {name: known[name] for name in SIGNS}
            said = {name: known[name] for name in SIGNS_OF_ANSWER}
            found.append(
                Case(
                    corpus=corpus,
                    way="complete",
                    language="en",
                    thread=str(number),
                    rank=1 if is_answerable else MISSED,
                    is_answerable=is_answerable,
                    signs=signs,
                    said=said,
                    is_right=is_answerable,
                    pages=[],
                )
            )
    return found


def whole(rows: list[curve.Row]) -> curve.Row:
    return next(row for row in rows if row["corpus"] == "all")


def test_what_lies_apart_is_told_apart_on_corpora_that_had_no_say() -> None:
    judged = list(curve.left_out(cases(apart=5.0)))
    row = whole(list(curve.rows(judged)))
    assert row["AUC"] > 0.99
    assert row["refused, 3 %"] > 0.95


def test_what_looks_alike_is_not_told_apart() -> None:
    judged = list(curve.left_out(cases(apart=0.0)))
    row = whole(list(curve.rows(judged)))
    assert row["AUC"] == pytest.approx(0.5, abs=0.06)


def test_a_sign_that_points_the_other_way_has_no_weight() -> None:
    astray = [
        case._replace(signs=case.signs | {"covered": -case.signs["near"]})
        for case in cases(apart=3.0)
    ]
    weights = curve.fit(astray).weights
    assert list(weights) == list(SIGNS)
    assert weights["covered"] == 0.0
    assert weights["near"] > 0


def test_as_much_is_lost_as_the_point_says() -> None:
    judged = list(curve.left_out(cases(apart=1.0)))
    for row in curve.curve(judged):
        assert row["lost of those found first"] == pytest.approx(row["lost"], abs=0.005)


def test_the_more_may_be_lost_the_more_is_refused() -> None:
    rows = list(curve.curve(list(curve.left_out(cases(apart=1.0)))))
    refused = [row["refused"] for row in rows]
    assert refused == sorted(refused)


def test_a_page_that_came_later_does_not_teach_what_a_right_page_looks_like() -> None:
    found = cases(apart=5.0)
    late = [each._replace(rank=7, is_answerable=True, is_right=False) for each in found]
    unlike = [each for each, before in zip(late, found, strict=True) if not before.is_answerable]
    assert curve.fit([*found, *unlike]) == curve.fit(found)


def test_a_green_badge_is_right_as_often_as_was_asked_for() -> None:
    badged = list(reliability.left_out(cases(apart=2.0)))
    least = reliability.points(badged)[Confidence.HIGH]
    green = [each for each in badged if each.probability >= least]
    right = np.average([each.is_right for each in green], weights=[each.weight for each in green])
    assert green
    assert right >= reliability.RIGHT - 0.01


def test_where_nothing_tells_right_from_wrong_nothing_is_green() -> None:
    chance = np.random.default_rng(4)
    found = [each._replace(is_right=bool(chance.random() < 0.5)) for each in cases(apart=0.0)]
    answerable = [each._replace(is_answerable=True) for each in found]
    badged = list(reliability.left_out(answerable))
    assert reliability.points(badged)[Confidence.HIGH] == reliability.NEVER


def test_unanswerable_questions_are_a_fifth_of_what_the_badge_is_fitted_on() -> None:
    found = cases(apart=2.0)[: EACH + 20]
    badged = list(reliability.left_out([*found, *cases(apart=2.0)[2 * EACH :]]))
    share = sum(each.weight for each in badged if not each.case.is_answerable) / sum(
        each.weight for each in badged
    )
    assert share == pytest.approx(reliability.UNANSWERABLE, abs=0.01)
