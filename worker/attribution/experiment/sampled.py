"""The experiment with a model: explore, more where several look likely, suggest, confirm."""

from __future__ import annotations

import numpy as np

from core.attribution import AnswerVerdict, Stage
from worker.attribution.experiment.confirm import Confirming
from worker.attribution.experiment.design import (
    FACTORIAL,
    FEW,
    Generator,
    Row,
    drawn,
    first_rows,
    subsets_of,
)
from worker.attribution.experiment.every_prompt import MOST, TESTED_FROM, add_rules, is_complete
from worker.attribution.experiment.explore import (
    FIRST_LEVEL,
    MORE_LEVEL,
    REST_LEVEL,
    WHOLE_LEVEL,
    Explored,
    add_causes,
    collapsed,
    likely,
)
from worker.attribution.experiment.finding import (
    Finding,
    Ledger,
    mark_together,
    sentence_causes,
    verdict,
)
from worker.attribution.experiment.suggest import singles, suggest
from worker.attribution.experiment.trial_calls import TrialCalls
from worker.attribution.experiment.trials import Floats, Trials

ENDS = 2  # calls: with everything, without anything
MORE_ROWS, MORE_AWAY = 8, 4
FEWEST = 2  # clusters


async def find(
    asking: TrialCalls,
    prior: Floats,
    random: Generator,
    experiment: type[Experiment] | None = None,
) -> Finding:
    """Run the experiment, as far as the budget of calls goes.

    Raises:
        ModelUnavailable: most calls of a stage failed.
    """
    everything, nothing = frozenset[int](), frozenset(range(asking.clusters))
    rows = first_rows(asking.clusters, random)
    if asking.clusters < FEWEST or asking.left < len(rows) + ENDS:
        return await _untested(asking, nothing)
    again = [everything] if FACTORIAL < asking.clusters <= FEW else []
    trials, ends = await asking.ask(rows, [everything, *again, nothing])
    if asking.clusters <= FACTORIAL:  # the ends are among the rows, too
        trials += ends
    trials, repeats = collapsed(trials)
    repeats = repeats or (asking.clusters <= FEW and collapsed(ends)[1])
    if repeats:
        trials = await _with_the_rest(asking, trials, ends)
    is_exhausted = repeats and (asking.clusters <= FACTORIAL or is_complete(trials))
    varies = asking.clusters <= FEW and not repeats
    level = _level(asking.clusters) if is_exhausted else FIRST_LEVEL
    explored = Explored(trials, (slice(0, len(trials.of)),), level)
    stages = (experiment or Experiment)(asking, prior, random, ends, varies=varies)
    await stages.run(explored, is_exhausted=is_exhausted)
    return stages.finding(is_exhausted=is_exhausted, repeats=repeats)


async def _with_the_rest(asking: TrialCalls, trials: Trials, ends: Trials) -> Trials:
    """All subsets, where there are few, and the budget allows it."""
    if not FACTORIAL < asking.clusters <= MOST:
        return trials
    known = collapsed(trials + ends)[0]
    asked = {trial.away for trial in known.of}
    missing = [each for each in subsets_of(range(asking.clusters)) if each not in asked]
    if asking.left < len(missing):
        return trials
    (rest,) = await asking.ask(missing)
    return known + rest


def _level(clusters: int) -> float:
    """Of the single clusters, where all subsets were asked: rules have the rest."""
    return REST_LEVEL if clusters >= TESTED_FROM else WHOLE_LEVEL


async def _untested(asking: TrialCalls, nothing: Row) -> Finding:
    """The answer without any evidence, as far as there is budget for it."""
    rows = [nothing] if asking.left else []
    (trials,) = await asking.ask(rows)
    ledger = Ledger(asking.saved.sentences)
    is_small = asking.clusters < FEWEST
    return Finding(
        verdict=AnswerVerdict.TOO_FEW if is_small else AnswerVerdict.NOT_TESTED,
        sentences=sentence_causes(ledger),
        trials=trials,
        balanced=trials,
        shown=trials,
        path=asking.path,
        without_evidence=trials.of[0].text if trials.of else "",
        left_undone=() if is_small else (Stage.EXPLORE,),
        failed=asking.failed,
    )


class Experiment:
    """What is found, stage after stage."""

    def __init__(
        self,
        asking: TrialCalls,
        prior: Floats,
        random: Generator,
        ends: Trials,
        *,
        varies: bool,
    ) -> None:
        self.asking = asking
        self.prior = prior
        self.random = random
        self.ends = ends
        self._varies = varies
        self.ledger = Ledger(asking.saved.sentences)
        self._left_undone: list[Stage] = []
        self.confirmed = ends.where([])

    async def run(self, explored: Explored, *, is_exhausted: bool) -> None:
        self.explored = explored
        add_causes(self.ledger, explored, self.prior)
        if is_exhausted:
            if is_complete(explored.trials):
                add_rules(self.ledger, explored.trials, self.prior)
            return
        if self.wants_more():
            await self._more()
        await self.confirm()

    def finding(self, *, is_exhausted: bool, repeats: bool) -> Finding:
        nothing = self.ends.where(np.asarray(self.ends.away.all(axis=1)))
        explored = self.explored.trials
        trials = explored + self.confirmed + self.ends
        mark_together(self.ledger, trials)
        return Finding(
            verdict=verdict(self.ledger, explored, nothing, is_exhausted=is_exhausted),
            sentences=sentence_causes(self.ledger, explored, nothing),
            trials=trials,
            balanced=explored,
            shown=explored + self.confirmed,
            path=self.asking.path,
            without_evidence=nothing.of[0].text if nothing.of else "",
            repeats_itself=repeats,
            left_undone=tuple(self._left_undone),
            failed=self.asking.failed,
        )

    def wants_more(self) -> bool:
        """Whether more random answers may tell what these leave open."""
        rules = suggest(self.ledger, self.known, self.prior)
        if rules:
            return bool(singles(rules))
        return len(likely(self.explored, self.prior)) > 1

    async def _more(self) -> None:
        if self.asking.left < MORE_ROWS:
            self._left_undone.append(Stage.MORE)
            return
        known = {trial.away for trial in self.known.of}
        rows = drawn(
            self.asking.clusters,
            rows=MORE_ROWS,
            away=MORE_AWAY,
            random=self.random,
            known=known,
        )
        (trials,) = await self.asking.ask(rows)
        self.explored = self.explored.with_more(trials, MORE_LEVEL)
        add_causes(self.ledger, self.explored, self.prior)

    async def confirm(self) -> None:
        confirming = Confirming(
            self.asking, self.prior, self.random, self.ledger, varies=self._varies
        )
        await confirming.run(self.known)
        self.confirmed = confirming.trials
        if confirming.is_unfinished:
            self._left_undone.append(Stage.CONFIRM)

    @property
    def known(self) -> Trials:
        return self.explored.trials + self.ends
