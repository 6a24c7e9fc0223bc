"""The second look of the gate, over quotes: what it refuses, against what is useful of the rest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from evaluation.answerability import curve, reliability
from evaluation.answerability.cases import LISTS, TYPED, Case
from evaluation.answerability.curve import LOSSES, Judged
from evaluation.employees.wikis import FITTED
from worker.answerability.quote_gate import likely

Row = dict[str, Any]


def judged(found: Sequence[Case], answers: Sequence[Case]) -> Iterator[Judged]:
    """Each quote by the gate that ships and a badge, fitted on `answers`, of other corpora."""
    for corpus in dict.fromkeys(case.corpus for case in found):
        badge = reliability.fit([case for case in answers if case.corpus != corpus])
        for case in found:
            if case.corpus == corpus:
                is_quoted = bool(case.said) and not case.is_composed
                unquoted = float(case.is_composed)
                yield Judged(case, likely(case.signs, case.said, badge) if is_quoted else unquoted)


def rows(quotes: Sequence[Judged]) -> Iterator[Row]:
    """By the share of typed questions of our own that is lost, what becomes of those and others."""
    at = curve.points(quotes)
    typed = [each for each in quotes if each.case.way == TYPED]
    groups = {
        "typed, of our own": [each for each in typed if each.case.corpus not in FITTED],
        "typed, of others": [each for each in typed if each.case.corpus in FITTED],
        "all": [each for each in quotes if each.case.way not in LISTS],
    }
    for name, those in groups.items():
        answerable = [each for each in those if each.case.is_answerable]
        others = [each for each in those if not each.case.is_answerable]
        for lost in LOSSES:
            least = at[str(lost)]
            yield {
                "asked": name,
                "lost": lost,
                "useful": _share(answerable, least, is_right=True),
                "wrong": _share(answerable, least, is_right=False),
                "unanswerable answered": _share(others, least, is_right=False),
            }


def _share(those: Sequence[Judged], least: float, *, is_right: bool) -> float:
    shown = [each.probability >= least and bool(each.case.is_right) is is_right for each in those]
    return float(np.mean(shown))
