"""Runs ablations in rounds (sequential testing): all of them first, more where a verdict is open.

A look can give a removal up, never declare it a cause: that is said after the last repeat alone.
Looking early therefore cannot make a false cause, and nothing has to be corrected for it; what it
can cost is a cause that shows itself only sometimes (docs/benchmarks.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from worker.attribution.ablation.model_calls import Calls
from worker.attribution.ablation.removed import Removed
from worker.attribution.causal.budget import Allotment, Group
from worker.attribution.statistics.answer_distance import WHOLE, Changes, Comparison
from worker.attribution.statistics.permutation_test import ZERO, Floats, p_values

LOOKS = {1: 0.5, 2: 0.25}  # after so many repeats: the p-value above which a removal is given up
NULL: Removed = ()


@dataclass(frozen=True)
class Trial:
    """A removal that is tested, at a level of its own."""

    group: Group
    removed: Removed
    level: float


@dataclass(frozen=True)
class TestedTrial:
    """What came of a trial."""

    trial: Trial
    answers: tuple[str, ...]
    changes: Changes
    p_value: float
    columns: Floats  # a p-value for each column of the changes
    stands_out: bool

    @property
    def typical(self) -> str:
        """The answer whose change is in the middle."""
        order = np.argsort(self.changes[:, WHOLE], kind="stable")
        return self.answers[int(order[len(order) // 2])]


class Experiment:
    """Tests removals against the null run.

    `exact` when answers do not vary, so that one of each tells everything.
    """

    def __init__(
        self,
        calls: Calls,
        comparison: Comparison,
        allotted: Allotment,
        *,
        max_calls: int,
        exact: bool,
        rounds: bool,
    ) -> None:
        self.allotted = Allotment(1, 1, allotted.groups) if exact else allotted
        self._calls = calls
        self._comparison = comparison
        self._max_calls = max_calls
        self._exact = exact
        self._rounds = rounds
        self._known: dict[tuple[Trial, int], TestedTrial] = {}

    @property
    def null(self) -> Changes:
        return self._comparison.changes(self._calls.answers(NULL))

    @property
    def left(self) -> int:
        """Calls that the budget still allows."""
        return self._max_calls - self._calls.done

    async def test(self, trials: Sequence[Trial]) -> list[TestedTrial]:
        """Have the answers that these trials need, as far as the budget goes.

        Raises:
            ModelUnavailable: see worker.attribution.ablation.model_calls.
        """
        still = list(trials)
        for repeats in self._looks():
            missing = self.allotted.null - len(self._calls.answers(NULL))
            still = self._affordable(still, repeats, self.left - missing)
            self._calls.expected = self._calls.done + missing + self._outlook(len(still), repeats)
            wanted = {NULL: self.allotted.null}
            for trial in still:
                wanted[trial.removed] = repeats
            await self._calls.ask(wanted)
            highest = LOOKS.get(repeats, 1.0)
            still = [trial for trial in still if self.outcome(trial).p_value <= highest]
        return [self.outcome(trial) for trial in trials]

    def outcome(self, trial: Trial) -> TestedTrial:
        answers = tuple(self._calls.answers(trial.removed))
        key = (trial, len(answers))
        if key not in self._known:
            self._known[key] = self._outcome(trial, answers)
        return self._known[key]

    def _outcome(
        self,
        trial: Trial,
        answers: tuple[str, ...],
    ) -> TestedTrial:
        changes, null = self._comparison.changes(answers), self.null
        is_complete = len(answers) >= self.allotted.repeats
        if self._exact or not answers:
            rises = changes > null.max(axis=0) + ZERO
            p_value, columns = 1.0, np.where(rises.any(axis=0), 0.0, 1.0)
            stands_out = bool(rises.any())
        else:
            p_value, columns = p_values(changes, null)
            stands_out = is_complete and p_value <= trial.level
        return TestedTrial(trial, answers, changes, p_value, columns, stands_out)

    def _looks(self) -> list[int]:
        most = self.allotted.repeats
        if not self._rounds:
            return [most]
        return [*(repeats for repeats in LOOKS if repeats < most), most]

    def _affordable(
        self,
        trials: Sequence[Trial],
        repeats: int,
        calls: int,
    ) -> list[Trial]:
        """Those that the budget can take to so many repeats, the most telling first."""

        def p_value(trial: Trial) -> float:
            has_answers = bool(self._calls.answers(trial.removed))
            return self.outcome(trial).p_value if has_answers else 1.0

        kept: list[Trial] = []
        for trial in sorted(trials, key=p_value):
            calls -= repeats - len(self._calls.answers(trial.removed))
            if calls < 0:
                break
            kept.append(trial)
        return kept

    def _outlook(self, trials: int, repeats: int) -> int:
        """Calls to come: this look at all, and the rest for the few that are expected to stay."""
        return trials + min(trials, 3) * (self.allotted.repeats - repeats)
