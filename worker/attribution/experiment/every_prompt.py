"""Rules where all subsets of the evidence were asked, of an endpoint that repeats itself.

Then there is nothing to draw: a rule holds for all answers or not. Tried are those whose members
have words of the sentence (`PLAUSIBLE`, known before anything is asked). From four clusters on, it
counts how many ways there were to lose as many answers: by chance one of the rules fits in at most
.03 of them. With two or three clusters no such test can be passed, and the fit itself decides.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import comb

import numpy as np

from core.attribution import Cause, Role
from worker.attribution.experiment.finding import Ledger
from worker.attribution.experiment.rules import Rule, RuleKind
from worker.attribution.experiment.trials import Bools, Floats, Trials, all_there

MOST = 5  # clusters whose subsets the budget of calls allows
TESTED_FROM = 4  # clusters
LEVEL = 0.03  # the rest of the error of 5 % is for single clusters, see `explore`
PLAUSIBLE = 0.3  # of the prior: about half of the sentence's words, or cited


def is_complete(trials: Trials) -> bool:
    """Whether every subset was asked and answered."""
    return len({trial.away for trial in trials.of}) == 1 << trials.clusters


def add_rules(ledger: Ledger, trials: Trials, prior: Floats) -> None:
    """What the clusters are to each sentence whose losses follow one rule without exception."""
    patterns = {column.tobytes() for column in trials.lost.T if column.any()}
    for sentence, lost in enumerate(trials.lost.T):
        rule = _fitting(trials.away, lost, prior[sentence], LEVEL / max(len(patterns), 1))
        if rule:
            _say(ledger, sentence, rule, trials)


def _fitting(away: Bools, lost: Bools, prior: Floats, level: float) -> Rule | None:
    fitting: list[Rule] = []
    tried = 0
    for rule in _rules(prior):
        predicted = rule.predicted(away) > 0
        tried += int(predicted.sum() == lost.sum())
        if np.array_equal(predicted, lost):
            fitting.append(rule)
    if not fitting:
        return None
    ways = comb(len(lost) - 1, int(lost.sum()))  # with everything, it is kept
    is_tested = away.shape[1] >= TESTED_FROM
    return fitting[0] if not is_tested or tried / ways <= level else None


def _rules(prior: Floats) -> Iterator[Rule]:
    """Of plausible clusters; at least one is no member, but of two that are each enough."""
    plausible = [int(each) for each in np.flatnonzero(prior >= PLAUSIBLE)]
    clusters = len(prior)
    for size in range(1, len(plausible) + 1):
        for members in combinations(plausible, size):
            if size < clusters:
                yield Rule(RuleKind.ANY, members)
            if 1 < size < max(clusters, 3):
                yield Rule(RuleKind.ALL, members)


def _say(ledger: Ledger, sentence: int, rule: Rule, trials: Trials) -> None:
    is_all = rule.kind is RuleKind.ALL
    for member in rule.members:
        own = trials.away[:, member]
        without = np.asarray(trials.away[:, list(rule.members)].all(axis=1)) if is_all else own
        with_it = ~own if is_all else all_there(trials, rule.members)
        cause = Cause(
            effect=member,
            role=Role.ENOUGH if is_all else Role.NEEDED,
            without=trials.tries(sentence, without),
            with_it=trials.tries(sentence, with_it),
        )
        ledger.add(sentence, cause)
    if is_all:
        ledger.set_enough(sentence, rule.members)
