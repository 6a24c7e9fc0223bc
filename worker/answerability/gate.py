"""The gate: a question that the evidence does not answer is refused, before a model is asked.

It is calibrated on questions whose pages were taken out of the index; see docs/benchmarks.md for
the whole curve. How far it may be mistaken is the operator's choice: of the questions that pages do
answer, which share may be refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from core.models import Hit, Kind
from core.question import Completed
from worker.answerability.fitted import Regression, fitted
from worker.answerability.signs import Signs, is_found

LOST = 0.05  # of answerable questions that may be refused, unless ANSWERABILITY is set
Certain = Callable[[Completed, Sequence[Hit]], bool]


class Judgement(NamedTuple):
    """What the gate thinks of a question and its evidence; without signs it has not judged."""

    is_answerable: bool
    probability: float = 1.0
    signs: Mapping[str, float] = {}
    is_placed: bool = False  # read from the tree of what belongs where
    is_composed: bool = False  # from a table, a list or page data, whose structure makes it certain


LET_THROUGH = Judgement(is_answerable=True)
NOTHING_FOUND = Judgement(is_answerable=False, probability=0.0)


def never(_completed: Completed, _hits: Sequence[Hit]) -> bool:
    """For answers that nothing makes certain."""
    return False


class AnswerGate:
    """Judges whether hits answer a question."""

    def __init__(self, signs: Signs, lost: float = LOST, is_certain: Certain = never) -> None:
        """`is_certain`: what is composed from tables or page data needs no probability."""
        self.signs = signs
        self.lost = lost
        self._least = least(fitted("gate"), lost)
        self._is_certain = is_certain

    def judged(
        self, completed: Completed, hits: Sequence[Hit], given: Sequence[Hit] = ()
    ) -> Judgement:
        """`hits` as the search ranked them, by words and by meaning.

        `given` are those of the answerer, if some were added.
        """
        found = [hit for hit in hits if is_found(hit)]
        if not found:
            # What the tree says of somebody's place is read from it, not found by likeness.
            is_place = any(hit.evidence.kind is Kind.PLACE for hit in hits)
            return LET_THROUGH if is_place else NOTHING_FOUND
        signs = self.signs.of(completed, found)
        probability = fitted("gate").probability(signs)
        read = given or hits
        is_placed = any(hit.evidence.kind is Kind.PLACE for hit in read)
        is_composed = self._is_certain(completed, read)
        is_answerable = is_placed or is_composed or probability >= self._least
        return Judgement(is_answerable, probability, signs, is_placed, is_composed)


def least(regression: Regression, lost: float) -> float:
    """The probability below which a question is refused, when this share may be lost.

    Between the shares that were measured it is interpolated; 0 refuses nothing.

    >>> some = Regression(intercept=0, weights={}, points={"0.02": 0.2, "0.04": 0.3})
    >>> least(some, 0.0), round(least(some, 0.03), 3)
    (0.0, 0.25)
    """
    points = sorted((float(share), at) for share, at in regression.points.items())
    shares = [0.0, *(share for share, _ in points)]
    return float(np.interp(lost, shares, [0.0, *(at for _, at in points)]))
