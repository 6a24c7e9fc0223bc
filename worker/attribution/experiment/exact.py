"""The exact path: quoted answers never vary, so one answer for each removal tells everything."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import combinations

import numpy as np

from core.attribution import AnswerPath, AnswerVerdict, Cause, Role, Tries
from worker.attribution.experiment.finding import Finding, Ledger, sentence_causes
from worker.attribution.experiment.trial_calls import TrialCalls
from worker.attribution.experiment.trials import Floats, Trials
from worker.attribution.statistics.losses import FIRST_SENTENCE, LOST

PARTNERS = 4  # clusters that are tried together, where none alone changes a sentence
ONCE = Tries(lost=1, of=1)
KEPT = Tries(lost=0, of=1)


async def find(asking: TrialCalls, prior: Floats) -> Finding:
    """One answer with everything, one without anything, one without each cluster; then pairs.

    Raises:
        ModelUnavailable: see worker.attribution.ablation.model_calls.
    """
    everything = range(asking.clusters)
    single = [frozenset([cluster]) for cluster in everything]
    nothing_left = frozenset(everything)
    (trials,) = await asking.ask([frozenset(), nothing_left, *single])
    lost = _lost(trials)
    ledger = Ledger(asking.saved.sentences)
    for cluster in everything:
        for sentence in np.flatnonzero(lost[2 + cluster]):
            ledger.add(
                int(sentence), Cause(effect=cluster, role=Role.NEEDED, without=ONCE, with_it=KEPT)
            )
    open_ = [int(each) for each in np.flatnonzero(lost[1]) if not ledger.is_explained(int(each))]
    shown = trials.where(range(2, 2 + asking.clusters))
    if open_:
        (together,) = await asking.ask(_groups(open_, prior))
        _add_alternatives(ledger, open_, trials.where([0]) + together)
        shown += together
    return Finding(
        verdict=_verdict(ledger, lost[1]),
        sentences=sentence_causes(ledger),
        trials=trials,
        balanced=trials.where([0, *range(2, 2 + asking.clusters)]),
        shown=shown,
        path=AnswerPath.QUOTED,
        without_evidence=trials.of[1].text,
    )


def _lost(trials: Trials) -> Floats:
    """Shape (trials, sentences): which are lost that the first trial, with everything, has."""
    losses = trials.losses[:, FIRST_SENTENCE:]
    return np.asarray((losses >= LOST) & (losses[0] < LOST))


def _groups(sentences: Sequence[int], prior: Floats) -> list[frozenset[int]]:
    """Pairs of the likeliest clusters for these sentences, then all of those."""
    found: dict[frozenset[int], None] = {}
    for sentence in sentences:
        likely = [int(each) for each in np.argsort(-prior[sentence], kind="stable")[:PARTNERS]]
        for size in range(2, len(likely) + 1):
            found |= dict.fromkeys(frozenset(each) for each in combinations(likely, size))
    return list(found)


def _add_alternatives(ledger: Ledger, sentences: Sequence[int], trials: Trials) -> None:
    """The smallest groups whose removal loses a sentence: any member is enough for it."""
    lost = _lost(trials)
    for sentence in sentences:
        groups = [trials.of[row].away for row in np.flatnonzero(lost[:, sentence])]
        smallest = next(iter(sorted(groups, key=lambda group: (len(group), sorted(group)))), None)
        if smallest:
            _add_group(ledger, sentence, smallest)


def _add_group(ledger: Ledger, sentence: int, group: Collection[int]) -> None:
    members = sorted(group)
    for member in members:
        cause = Cause(effect=member, role=Role.ENOUGH, without=ONCE, with_it=KEPT)
        ledger.add(sentence, cause)
    ledger.enough[sentence] = [(member,) for member in members]


def _verdict(ledger: Ledger, lost_without_any: Floats) -> AnswerVerdict:
    if ledger.has_causes:
        return AnswerVerdict.CAUSED
    return AnswerVerdict.SHARED if lost_without_any.any() else AnswerVerdict.STAYS
