"""Naming: which of the best pages a question names, by words that the names of the others lack.

"In version 1", "the team's own copy", "for Jasper": what tells near editions, copies and sister
pages apart is one word of their titles, spaces or owners, which their texts may all have.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from core.evidence.lexical.bm25f import Alternatives
from core.evidence.ranking.fusion import Floats

SURELY = 0.01  # more of the question's words, of 1; what adds up in another order differs by less


def named(words: Sequence[Alternatives], names: Sequence[Collection[str]]) -> Floats:
    """How far the words name each of these pages rather than the others, 0 to 1; shape (pages,).

    `names` has the terms of each page's name. A word weighs as much as the share of the names that
    lack it, so one that all of them have says nothing, and neither does one that none has.
    """
    has = np.zeros((len(words), len(names)), np.float32)
    for row, word in enumerate(words):
        for column, name in enumerate(names):
            has[row, column] = max((how for term, how in word.terms if term in name), default=0.0)
    weights = np.array([word.weight for word in words], np.float32)
    lacking = (has == 0).sum(axis=1)
    told_apart = np.where(lacking < len(names), lacking, 0)
    weights = weights * told_apart
    total = weights.sum()
    found: Floats = weights @ has / (total or 1.0)
    return found


def alone(by_name: Floats, pages: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Which candidates stand on the one page that is named more than every other one.

    Both have shape (candidates,): how far each one's page is named, and which page that is.
    """
    if not by_name.size:
        return np.zeros(0, np.bool_)
    most = pages[by_name.argmax()]
    others = by_name[pages != most].max(initial=0.0)
    found: NDArray[np.bool_] = (pages == most) & (by_name > others + SURELY)
    return found
