"""Weights are fitted to what was measured, and not to its noise."""

from __future__ import annotations

import numpy as np
import pytest

from core.evidence.ranking.fit import Gain, Measure, Outcomes, fit
from core.evidence.ranking.grid import (
    FUSED,
    GRID,
    NoSuchWeight,
    differing,
    moved,
    weight,
    weights,
    with_weights,
)
from core.evidence.ranking.weights import PRODUCT, Ranking

QUESTIONS = 200


def share_right(right: int) -> Outcomes:
    """So many of the questions right, the others wrong."""
    return (np.arange(QUESTIONS) < right).astype(np.float64)


def planted(best: dict[str, float], points: int = 20) -> Measure:
    """Each weight at its planted value finds so many questions more."""

    def measured(ranking: Ranking) -> Outcomes:
        hits = sum(weight(ranking, name) == value for name, value in best.items())
        return share_right(100 + points * hits)

    return measured


def test_planted_weights_are_found() -> None:
    best = {"pieces.k1": 1.2, "context.0": 0.5, "unsettled": 0.6}
    found = fit({"one": planted(best), "other": planted(best)})
    assert differing(found.ranking, PRODUCT) == best
    assert {move.weight for move in found.moves} == set(best)


def test_weights_stay_where_they_are_when_a_gain_is_noise() -> None:
    chance = np.random.default_rng(3)
    drawn: dict[Ranking, Outcomes] = {}

    def measured(ranking: Ranking) -> Outcomes:
        flips = chance.random(QUESTIONS) < 0.01  # two questions or so change, either way
        return drawn.setdefault(ranking, np.abs(share_right(150) - flips))

    grid = {name: GRID[name] for name in ("dense", "pieces.k1")}
    assert fit({"one": measured}, grid=grid).ranking == PRODUCT


def test_a_gain_of_one_group_alone_moves_nothing() -> None:
    helped = planted({"pieces.k1": 1.2})
    groups = {"helped": helped, "untouched": planted({}), "another": planted({})}
    assert fit(groups).ranking == PRODUCT
    assert differing(fit({"helped": helped}).ranking, PRODUCT) == {"pieces.k1": 1.2}


def test_a_large_group_does_not_outweigh_two_small_ones() -> None:
    def large(ranking: Ranking) -> Outcomes:
        return np.full(10_000, 0.5 + 0.1 * (ranking.pieces.k1 == 1.2))

    def small(ranking: Ranking) -> Outcomes:
        return share_right(100 - 40 * (ranking.pieces.k1 == 1.2) + 20 * (ranking.pieces.k1 == 0.6))

    found = fit({"large": large, "small": small, "smaller": small})
    assert found.ranking.pieces.k1 == 0.6


def test_each_ranking_is_measured_once() -> None:
    asked: list[Ranking] = []
    best = planted({"pieces.k1": 1.2})

    def measured(ranking: Ranking) -> Outcomes:
        asked.append(ranking)
        return best(ranking)

    found = fit({"one": measured})
    assert len(asked) == len(set(asked)) == found.tried


def test_a_move_that_a_later_one_made_needless_is_taken_back() -> None:
    def measured(ranking: Ranking) -> Outcomes:
        if ranking.unsettled == 0.6:
            return share_right(180)
        return share_right(120 if ranking.pieces.k1 == 1.2 else 100)

    found = fit({"one": measured, "other": measured})
    assert differing(found.ranking, PRODUCT) == {"unsettled": 0.6}
    assert [move.weight for move in found.moves] == ["unsettled"]


def test_without_regard_to_noise_every_gain_counts() -> None:
    slightly = planted({"pieces.k1": 1.2}, points=1)
    assert fit({"one": slightly}).ranking == PRODUCT
    assert fit({"one": slightly}, noise=0).ranking.pieces.k1 == 1.2


def test_the_error_of_a_gain_is_that_of_mcnemar() -> None:
    before, after = share_right(100), share_right(100)
    after[100:109] = 1  # nine were gained …
    after[:1] = 0  # … and one was lost
    gain = Gain.between({"one": before}, {"one": after})
    assert gain.mean == pytest.approx(8 / QUESTIONS)
    assert gain.error == pytest.approx((10 - 8**2 / QUESTIONS) ** 0.5 / QUESTIONS)


def test_every_weight_of_the_grid_is_one_of_the_ranking() -> None:
    for name, values in GRID.items():
        assert weight(PRODUCT, name) in values, f"{name}: the product's value is not on the grid"


def test_fused_weights_always_add_up_to_one() -> None:
    ranking = moved(moved(PRODUCT, "dense", 0.1), "page", 0.35)
    assert sum(weight(ranking, name) for name in FUSED) == pytest.approx(1)
    assert ranking.page == 0.35


def test_what_differs_leads_back_to_the_same_ranking() -> None:
    ranking = moved(moved(PRODUCT, "pieces.b", 0.75), "context.1", 0.25)
    assert with_weights(PRODUCT, differing(ranking, PRODUCT)) == ranking
    assert weights(PRODUCT)["pages.weights.title"] == PRODUCT.pages.weights.title


@pytest.mark.parametrize("name", ["nothing", "pieces.k2", "context.9", "fuse", "lexical.real"])
def test_a_name_that_leads_nowhere_is_refused(name: str) -> None:
    with pytest.raises(NoSuchWeight):
        with_weights(PRODUCT, {name: 1.0})


# Weights that are not fitted, each with the reason.
FIXED = {
    "lexical": "what the other two fused weights leave",
    "pieces.weights.body": "the unit of the other fields",
    "pages.weights.body": "the unit of the other fields",
    "pages.b.title": "titles are of nearly one length",
    "pages.b.path": "headings go with the length of the page, whose b is fitted",
    "neighbours": "a number of words, goes with their weight",
    "synonymous": "a property of the encoder, not of pages",
    "candidates": "more of them cost time and change nothing",
    "rivals": "few enough to be rivals; their number goes with the weight of being named",
    "per_page": "decides what stands behind the first hit, which is what is measured",
}


def test_every_weight_is_fitted_or_says_why_not() -> None:
    declared = (*GRID, *FIXED)
    for name in weights(PRODUCT):
        assert any(name == each or name.startswith(f"{each}.") for each in declared), name
