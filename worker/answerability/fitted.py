"""Calibration of answerability: regressions that were fitted on labelled questions, kept as data.

Each is a JSON file in this folder that a command of `python -m evaluation` writes. Weights have the
names of their signs: one whose direction nobody can explain is a mistake, and no finding.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from pydantic import Field

from core.value import Value

MOST = 30.0  # of a logit, either way: beyond it nothing is left to tell


class Regression(Value):
    """A logistic regression, and what was chosen with it on questions that it was not fitted to."""

    intercept: float
    weights: dict[str, float]
    # The probability at which something changes, by what it is for; see the files.
    points: dict[str, float] = Field(default_factory=dict)

    def probability(self, signs: Mapping[str, float]) -> float:
        """0 to 1; `signs` has every sign that has a weight."""
        return 1 / (1 + math.exp(-self.log_odds(signs)))

    def log_odds(self, signs: Mapping[str, float]) -> float:
        """The same, from -MOST to MOST."""
        logit = self.intercept
        for name, weight in self.weights.items():
            logit += weight * signs[name]
        return min(max(logit, -MOST), MOST)


@cache
def fitted(name: str) -> Regression:
    """The one in `NAME.json`, as it was fitted."""
    text = files("worker.answerability").joinpath(f"{name}.json").read_text(encoding="utf-8")
    found = json.loads(text)
    return Regression(
        intercept=found["intercept"], weights=found["weights"], points=found["points"]
    )
