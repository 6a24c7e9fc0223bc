"""The smallest of many scores, of the index or of a search, without sorting or moving them all."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

_FEW = 50_000  # of so many all are partitioned at once
_EVERY = 61  # scores that one of a sample stands for


def smallest(values: NDArray[Any], most: int) -> NDArray[np.int64]:
    """The places of the `most` smallest values, in no order.

    A sample says below which value there are surely so many; only what is below is partitioned.
    """
    if len(values) <= max(most, _FEW):
        return _smallest(values, most)
    sample = np.sort(values[::_EVERY])
    expected = 2 * most // _EVERY + 8
    while expected < len(sample):
        places = np.flatnonzero(values <= sample[expected])
        if len(places) >= most:
            return places[_smallest(values[places], most)]
        expected *= 2
    return _smallest(values, most)


def _smallest(values: NDArray[Any], most: int) -> NDArray[np.int64]:
    if len(values) <= most:
        return np.arange(len(values))
    return np.argpartition(values, most - 1)[:most]
