"""The test behind a verdict: exact, one-sided, for all columns together."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest
from worker.attribution.causal.budget import CLUSTERS_LEVEL, allot, grouped, halves, partners

from worker.attribution.statistics.permutation_test import dealings, p_values, spread


def test_the_smallest_p_value_is_one_in_all_dealings() -> None:
    p_value, columns = p_values(np.full((5, 1), 0.4), np.zeros((10, 1)))
    assert p_value == pytest.approx(1 / comb(15, 5))
    assert columns[0] == p_value


def test_answers_that_change_nothing_are_not_evidence_of_anything() -> None:
    p_value, columns = p_values(np.zeros((5, 3)), np.zeros((10, 3)))
    assert p_value == 1.0
    assert set(columns) == {1.0}


def test_an_answer_that_is_nearer_without_evidence_is_no_effect() -> None:
    assert p_values(np.zeros((5, 1)), np.full((10, 1), 0.4))[0] == 1.0


def test_a_change_of_one_sentence_is_found_though_the_whole_answer_varies() -> None:
    rng = np.random.default_rng(1)
    null, without = rng.random((10, 4)), rng.random((5, 4))
    without[:, 3] += 5
    p_value, columns = p_values(without, null)
    assert p_value < 0.001
    assert columns[3] == p_value
    assert min(columns[:3]) > 0.05


@pytest.mark.parametrize("level", [0.05, 0.004])
@pytest.mark.parametrize("columns", [1, 8])
def test_chance_alone_is_significant_no_more_often_than_the_level(
    level: float, columns: int
) -> None:
    rng = np.random.default_rng(7)
    runs = 3000
    draws = np.where(
        rng.random((runs, 15, columns)) < 0.3, rng.random((runs, 15, columns)), 0.0
    )  # ties, as answers have them
    found = sum(p_values(draw[:5], draw[5:])[0] <= level for draw in draws)
    assert (
        found <= runs * level + 3 * (runs * level) ** 0.5
    )  # three standard deviations above what is allowed


def test_more_dealings_than_can_be_listed_are_drawn_and_what_happened_is_one_of_them() -> None:
    weights = dealings(10, 20)
    assert len(weights) == 20_000
    assert weights[0].tolist() == [0.1] * 10 + [-0.05] * 20
    assert np.allclose(weights.sum(axis=1), 0)


def test_the_interval_holds_the_mean_and_narrows_with_repeats() -> None:
    rng = np.random.default_rng(3)
    few, many = (spread(np.abs(rng.normal(0.5, 0.1, (n, 1))), np.zeros((2, 1))) for n in (3, 60))
    assert few.low < few.mean < few.high
    assert many.high - many.low < few.high - few.low


def test_a_single_answer_borrows_the_spread_of_the_null_run() -> None:
    one = spread(np.array([[0.5]]), np.array([[0.1], [0.2], [0.3]]))
    assert 0 <= one.low < 0.5 < one.high
    point = spread(np.array([[0.5]]), np.array([[0.1]]))
    assert (point.low, point.high) == (0.5, 0.5)


@pytest.mark.parametrize("clusters", [1, 3, 10, 25, 60, 300])
@pytest.mark.parametrize("max_calls", [30, 80, 200])
def test_whatever_is_allotted_can_stand_out(clusters: int, max_calls: int) -> None:
    allotted = allot(max_calls, clusters, 5)
    assert (
        comb(allotted.repeats + allotted.null, allotted.repeats) >= allotted.groups / CLUSTERS_LEVEL
    )
    groups = grouped(clusters, allotted.groups, {0, clusters - 1})
    assert len(groups) <= allotted.groups
    assert sorted(number for group in groups for number in group) == list(range(clusters))


def test_a_budget_for_next_to_nothing_asks_once() -> None:
    allotted = allot(3, 10, 5)
    assert (allotted.repeats, allotted.null, allotted.groups, allotted.is_enough) == (
        1,
        1,
        1,
        False,
    )


def test_halves_hold_the_same_clusters() -> None:
    assert halves((4, 7, 9)) == ((4,), (7, 9))


def test_partners_are_pairs_with_what_is_cited_and_all_of_them() -> None:
    assert partners([5, 2, 8], frozenset({2})) == [(2, 5), (2, 8), (2, 5, 8)]
    assert partners([5, 2, 8], frozenset()) == [(5, 2), (5, 8), (2, 8), (5, 2, 8)]
    assert partners([5], frozenset()) == []
