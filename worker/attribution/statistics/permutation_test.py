"""Dealings of answers into two groups, which permutation tests go through; spreads and shares."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from core.attribution import Spread

ZERO = 1e-9  # a change below this counts as none, as in the paper
INTERVAL = 0.9
MOST_DEALINGS = 20_000  # more than that are drawn instead of listed

Floats = NDArray[np.float64]


@lru_cache(maxsize=64)
def dealings(few: int, many: int) -> Floats:
    """Weights for the mean of `few` of `few + many` values minus the mean of the others.

    A row for each choice of the few.
    """
    total = few + many
    if comb(total, few) <= MOST_DEALINGS:
        chosen = np.array(list(combinations(range(total), few)))
    else:
        random = np.random.default_rng(0).random((MOST_DEALINGS - 1, total))
        draws = random.argsort(axis=1)[:, :few]
        chosen = np.vstack([np.arange(few), draws])
    weights = np.full((len(chosen), total), -1.0 / many)
    np.put_along_axis(weights, chosen, 1.0 / few, axis=1)
    return weights


def spread_of(values: Floats) -> Spread:
    """Their mean with Student's interval; of a single value the interval is a point."""
    mean = float(values.mean())
    reach = 0.0
    if len(values) > 1:
        error = float(values.std(ddof=1)) / len(values) ** 0.5
        quantile = float(stdtrit(len(values) - 1, (1 + INTERVAL) / 2))
        reach = error * quantile if error > ZERO else 0.0
    low, high = max(0.0, mean - reach), min(2.0, mean + reach)
    return Spread(
        mean=mean,
        low=low,
        high=high,
        repeats=len(values),
    )


def shares(effects: Floats, temperature: float) -> Floats:
    """Shares of the effects that sum to 1, by RAGonite's masked softmax: zero effect, zero share.

    >>> shares(np.array([0.1, 0.0, 0.1]), 0.05).tolist()
    [0.5, 0.0, 0.5]
    """
    counts = effects >= ZERO
    if not counts.any():
        return np.zeros_like(effects)
    exponents = (effects - effects.max()) / temperature
    weights = np.where(counts, np.exp(exponents), 0.0)
    return np.asarray(weights / weights.sum())
