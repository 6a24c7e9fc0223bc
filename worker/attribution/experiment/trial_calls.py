"""Asks for trials: which clusters are away, as calls, and in which order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from core.attribution import AnswerPath
from worker.attribution.ablation.model_calls import Calls
from worker.attribution.ablation.removed import Removed
from worker.attribution.budget import Budget
from worker.attribution.experiment.trials import Trial, Trials
from worker.attribution.statistics.losses import SavedAnswer

Generator = np.random.Generator


class TrialCalls:
    """The calls of one experiment, by clusters."""

    path = AnswerPath.SAMPLE  # how what is compared comes about

    def __init__(
        self,
        calls: Calls,
        clusters: Sequence[Removed],
        saved: SavedAnswer,
        *,
        budget: Budget,
        random: Generator,
    ) -> None:
        self.clusters = len(clusters)
        self.saved = saved
        self._calls = calls
        self._removed = clusters
        self._budget = budget
        self._random = random
        self._used: Counter[Removed] = Counter()

    @property
    def left(self) -> int:
        """Calls that the budget still allows."""
        return self._calls.left(self._budget)

    @property
    def failed(self) -> int:
        return self._calls.failed

    async def ask(self, *groups: Sequence[frozenset[int]]) -> list[Trials]:
        """Answers without these clusters, for each group; all at once, in random order.

        Those whose call failed are left out.

        Raises:
            ModelUnavailable: more than half of these calls failed.
        """
        wanted = [away for group in groups for away in group]
        removed = Counter(self._positions(away) for away in wanted)
        counts = {each: self._used[each] + removed[each] for each in removed}
        await self._calls.tried(counts, order=list(self._random.permutation(len(wanted))))
        return [self._answered(group) for group in groups]

    def _answered(self, group: Sequence[frozenset[int]]) -> Trials:
        found: list[Trial] = []
        for away in group:
            removed = self._positions(away)
            text = self._calls.answer(removed, self._used[removed])
            self._used[removed] += 1
            if text is not None:
                found.append(Trial(away, text))
        losses = self.saved.losses([trial.text for trial in found])
        return Trials(self.clusters, tuple(found), losses)

    def _positions(self, away: frozenset[int]) -> Removed:
        found: list[int] = []
        for cluster in away:
            found += self._removed[cluster]
        return tuple(sorted(found))
