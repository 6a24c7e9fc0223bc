"""Asks for trials: which clusters are away, as calls; each prompt at most once."""

from __future__ import annotations

from collections.abc import Sequence

from worker.attribution.ablation.model_calls import Calls
from worker.attribution.ablation.removed import Removed
from worker.attribution.experiment.trials import Trial, Trials
from worker.attribution.statistics.losses import SavedAnswer


class Asking:
    """The calls of one experiment, by clusters."""

    def __init__(
        self,
        calls: Calls,
        clusters: Sequence[Removed],
        saved: SavedAnswer,
        *,
        max_calls: int,
    ) -> None:
        self.clusters = len(clusters)
        self.saved = saved
        self._calls = calls
        self._removed = clusters
        self._max_calls = max_calls

    @property
    def left(self) -> int:
        """Calls that the budget still allows."""
        return self._max_calls - self._calls.done

    @property
    def made(self) -> int:
        return self._calls.done

    @property
    def failed(self) -> int:
        return self._calls.failed

    async def ask(self, away: Sequence[frozenset[int]]) -> Trials:
        """An answer for each, all at once; those whose call failed are left out.

        Raises:
            ModelUnavailable: no call of the explanation was answered.
        """
        wanted = [self._positions(each) for each in away]
        await self._calls.ask(dict.fromkeys(wanted, 1))
        found: list[Trial] = []
        for clusters, removed in zip(away, wanted, strict=True):
            found += [Trial(clusters, text) for text in self._calls.answers(removed)[:1]]
        losses = self.saved.losses([trial.text for trial in found])
        return Trials(self.clusters, tuple(found), losses)

    async def again(self, away: frozenset[int]) -> list[str]:
        """Two answers to one prompt, to see whether the endpoint repeats itself."""
        removed = self._positions(away)
        await self._calls.ask({removed: 2})
        return self._calls.answers(removed)

    def _positions(self, away: frozenset[int]) -> Removed:
        found: list[int] = []
        for cluster in away:
            found += self._removed[cluster]
        return tuple(sorted(found))
