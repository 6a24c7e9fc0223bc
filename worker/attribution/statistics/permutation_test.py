"""Permutation test: whether answers without some evidence differ from the rest by more than chance.

If removing the evidence did nothing, its answers and those of the null run would be draws from one
and the same distribution, and every way of dealing all of them into two groups would be equally
likely. So the p-value is the share of dealings that look at least as extreme: a permutation test,
exact for any distribution. "Extreme" is the largest rise over all columns of
`worker.attribution.statistics.answer_distance`, each in units of its own spread, so one number
covers the answer as a whole and any one of its sentences (Westfall and Young 1993, single-step
max-T): nothing else has to be corrected for their number.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from core.attribution import Spread
from worker.attribution.statistics.answer_distance import Changes

ZERO = 1e-9  # a change below this counts as none, as in the paper
INTERVAL = 0.9
MOST_DEALINGS = 20_000  # more than that are drawn instead of listed

Floats = NDArray[np.float64]


def p_values(without: Changes, null: Changes) -> tuple[float, Floats]:
    """How likely rises as large as these are when the evidence did nothing.

    One for all columns together, and one for each, corrected for their number. `without` has shape
    (r, columns), `null` (m, columns); the smallest possible p-value is 1 / (r + m choose r).
    """
    both = np.vstack([without, null])
    spread = both.std(axis=0)
    varies = spread > ZERO
    centred = np.where(varies, both - both.mean(axis=0), 0.0)
    scaled = centred / np.where(varies, spread, 1.0)
    # Shape (dealings, columns); the first is what happened.
    rises = dealings(len(without), len(null)) @ scaled
    largest = rises.max(axis=1)
    p_value = (largest >= largest[0] - ZERO).mean()
    columns = (largest[:, None] >= rises[0] - ZERO).mean(axis=0)
    return float(p_value), np.where(varies, columns, 1.0)


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
        quantile = float(stats.t.ppf((1 + INTERVAL) / 2, len(values) - 1))
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
