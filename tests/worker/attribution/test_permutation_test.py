"""Dealings into two groups, spreads with their intervals."""

from __future__ import annotations

import numpy as np

from worker.attribution.statistics.permutation_test import dealings, spread_of


def test_more_dealings_than_can_be_listed_are_drawn_and_what_happened_is_one_of_them() -> None:
    weights = dealings(10, 20)
    assert len(weights) == 20_000
    assert weights[0].tolist() == [0.1] * 10 + [-0.05] * 20
    assert np.allclose(weights.sum(axis=1), 0)


def test_the_interval_holds_the_mean_and_narrows_with_repeats() -> None:
    rng = np.random.default_rng(3)
    few, many = (spread_of(np.abs(rng.normal(0.5, 0.1, n))) for n in (3, 60))
    assert few.low < few.mean < few.high
    assert many.high - many.low < few.high - few.low


def test_a_single_answer_is_a_point() -> None:
    point = spread_of(np.array([0.5]))
    assert (point.low, point.high) == (0.5, 0.5)
