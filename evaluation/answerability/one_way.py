"""Logistic regressions whose signs each point one way."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from worker.answerability.fitted import Regression


def fitted_one_way(
    signs: Sequence[Mapping[str, float]],
    right: Sequence[bool],
    counts: NDArray[np.float64],
    directions: Mapping[str, int],
) -> Regression:
    """`directions`: by sign 1 or -1; one that these cases have point the other way has no weight.

    `counts` is how much each case does, shape (cases,).
    """
    counted = set(directions)
    made = _fitted(signs, right, counts, directions, counted)
    while astray := {name for name in counted if made.weights[name] * directions[name] < 0}:
        counted -= astray
        made = _fitted(signs, right, counts, directions, counted)
    return made


def _fitted(
    signs: Sequence[Mapping[str, float]],
    right: Sequence[bool],
    counts: NDArray[np.float64],
    names: Collection[str],
    counted: Collection[str],
) -> Regression:
    inputs = np.array([[each[name] * (name in counted) for name in names] for each in signs])
    spread = inputs.std(axis=0)
    spread[spread == 0] = 1.0
    regression = LogisticRegression(C=1.0, max_iter=2000)
    regression.fit(inputs / spread, np.array(right), sample_weight=counts)
    weights = (regression.coef_[0] / spread).tolist()
    named = {name: round(weight, 4) for name, weight in zip(names, weights, strict=True)}
    return Regression(intercept=round(float(regression.intercept_[0]), 4), weights=named)
