"""Explores: answers without random halves of the evidence, and a test for each cluster.

The error, 5 % an explanation, is divided before anything is seen: .005 for the first 16 answers,
.008 for all 24 where more are asked, 1/35 and .008 for what `confirm` tests (union bound). Where
there are no other prompts to ask than those of the first answers, all of it goes to these.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from core.attribution import Cause, Role
from worker.attribution.experiment.finding import Ledger
from worker.attribution.experiment.randomization import Blocks, Rises, rises
from worker.attribution.experiment.trials import Bools, Floats, Trials
from worker.attribution.statistics.losses import FIRST_SENTENCE, MEAN

FIRST_LEVEL, MORE_LEVEL, WHOLE_LEVEL = 0.005, 0.008, 0.05
REST_LEVEL = 0.02  # beside rules that fit all answers without exception, see `every_prompt`
LEAST_RISE = 0.25  # of a loss: what rises less is no cause worth telling
NEEDED = 0.9  # of the answers without a cluster lose the sentence
CLEAR_RISE = 0.7  # from which a sentence goes with a cluster that another one has shown
NEARLY = 0.85  # of the largest rise, where only the answer as a whole stands out
LIKELY = 0.1  # p-value up to which more answers may tell


@dataclass(frozen=True)
class Explored:
    """The random answers so far, in blocks that were drawn together."""

    trials: Trials
    blocks: Blocks
    level: float

    def tested(self) -> Rises:
        return rises(self.trials.losses, self.trials.away, self.blocks)

    def with_more(self, trials: Trials, level: float) -> Explored:
        start = len(self.trials.of)
        block = slice(start, start + len(trials.of))
        return Explored(self.trials + trials, (*self.blocks, block), level)


def collapsed(trials: Trials) -> tuple[Trials, bool]:
    """One row for equal prompts where the endpoint repeats itself, and whether it does.

    It does where no prompt that was asked twice brought two answers. A prompt whose answer never
    varies tells nothing new when it is asked again: as two rows it would count double.
    """
    first: dict[frozenset[int], int] = {}
    repeated, varies = False, False
    for place, trial in enumerate(trials.of):
        before = first.setdefault(trial.away, place)
        if before != place:
            repeated = True
            varies |= trials.of[before].text != trial.text
    if not repeated or varies:
        return trials, False
    return trials.where(sorted(first.values())), True


def add_causes(ledger: Ledger, explored: Explored, prior: Floats) -> None:
    """The clusters whose rise is no chance, for each sentence that rises with them."""
    tested = explored.tested()
    for cluster, level in enumerate(levels(prior, explored.level)):
        if tested.p_values[cluster] > level:
            continue
        for sentence in _risen(tested, cluster, level):
            ledger.add(sentence, _cause(explored.trials, cluster, sentence))


def levels(prior: Floats, level: float) -> Floats:
    """The part of each cluster, by how likely it matters to any sentence."""
    weights = prior.max(axis=0)
    return np.asarray(level * weights / weights.sum())


def likely(explored: Explored, prior: Floats) -> list[int]:
    """Clusters that are no causes yet, and that more answers may show to be some."""
    tested = explored.tested()
    open_: list[int] = []
    for cluster, level in enumerate(levels(prior, explored.level)):
        largest = tested.rises[cluster, FIRST_SENTENCE:].max(initial=0.0)
        if level < tested.p_values[cluster] <= LIKELY and largest >= LEAST_RISE:
            open_.append(cluster)
    return open_


def _risen(tested: Rises, cluster: int, level: float) -> Iterator[int]:
    """The sentences that stand out; where only all together do, those that rise most."""
    rose = tested.rises[cluster]
    stands_out = (tested.columns[cluster] <= level) & (rose >= LEAST_RISE)
    is_largest = rose >= tested.rises.max(axis=0)
    own = stands_out | (is_largest & (rose >= CLEAR_RISE))
    sentences = np.flatnonzero(own[FIRST_SENTENCE:])
    if not len(sentences) and own[:FIRST_SENTENCE].any():
        highest = rose[FIRST_SENTENCE:].max(initial=rose[MEAN])
        least = max(LEAST_RISE, NEARLY * highest)
        sentences = np.flatnonzero(rose[FIRST_SENTENCE:] >= least)
    yield from map(int, sentences)


def _cause(trials: Trials, cluster: int, sentence: int) -> Cause:
    away: Bools = trials.away[:, cluster]
    without, with_it = trials.tries(sentence, away), trials.tries(sentence, ~away)
    is_needed = without.lost >= NEEDED * without.of
    role = Role.NEEDED if is_needed else Role.PART
    return Cause(effect=cluster, role=role, without=without, with_it=with_it)
