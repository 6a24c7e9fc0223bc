"""The method without one of its stages: what each of them is worth."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import partial

import numpy as np

from core.attribution import Cause, Method, Role
from worker.attribution.experiment import sampled
from worker.attribution.experiment.design import Generator
from worker.attribution.experiment.finding import Finding
from worker.attribution.experiment.rules import RuleKind
from worker.attribution.experiment.sampled import Experiment
from worker.attribution.experiment.suggest import suggest
from worker.attribution.experiment.trial_calls import TrialCalls
from worker.attribution.experiment.trials import Floats
from worker.attribution.methods import METHODS, ours
from worker.attribution.methods.method import AttributionMethod


class Without(StrEnum):
    """What is left out."""

    MORE = "more"  # random answers once more, where several pages look likely
    RULES = "rules"  # suggesting and confirming
    CONFIRMING = "confirming"  # rules are believed as they are suggested
    PRIOR = "prior"  # every page is as likely as any other before the first call


class _NoMore(Experiment):
    def wants_more(self) -> bool:
        return False


class _NoRules(Experiment):
    async def confirm(self) -> None:
        pass


class _Believing(Experiment):
    async def confirm(self) -> None:
        for rule, sentences in suggest(self.ledger, self.known, self.prior):
            for sentence in sentences:
                self._believe(rule.kind, rule.members, sentence)

    def _believe(self, kind: RuleKind, members: tuple[int, ...], sentence: int) -> None:
        is_enough = kind is RuleKind.ALL and len(members) > 1
        role = Role.NEEDED if kind in (RuleKind.ANY, RuleKind.ALL) else Role.PART
        for member in members:
            away = self.known.away[:, member]
            tries, others = self.known.tries(sentence, away), self.known.tries(sentence, ~away)
            own = Role.ENOUGH if is_enough else role
            self.ledger.add(sentence, Cause(effect=member, role=own, without=tries, with_it=others))
        if is_enough:
            self.ledger.set_enough(sentence, members)


async def _unprejudiced(asking: TrialCalls, prior: Floats, random: Generator) -> Finding:
    return await sampled.find(asking, np.full_like(prior, prior.mean()), random)


_FINDS: Mapping[Without, ours.Find] = {
    Without.MORE: partial(sampled.find, experiment=_NoMore),
    Without.RULES: partial(sampled.find, experiment=_NoRules),
    Without.CONFIRMING: partial(sampled.find, experiment=_Believing),
    Without.PRIOR: _unprejudiced,
}


def methods(without: Without | None) -> Mapping[Method, AttributionMethod]:
    """The table of methods, ours without this."""
    if without is None:
        return METHODS
    return {**METHODS, Method.OURS: partial(ours.explain, find=_FINDS[without])}
