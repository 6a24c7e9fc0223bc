"""Confirms a rule with fresh answers: each member against another piece in its place.

Control: of ALL no member is there, of ANY and SUM all are. Arm i: of ALL only i is there, of ANY
and SUM all but i. Other pieces fill every answer to the same size, nearly all of them, so that an
answer is near the saved one. The arms are tested in a fixed order, the likeliest first; the first
that fails ends it, so that nothing has to be corrected for their number.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from worker.attribution.experiment.design import Generator, Row, subset, subsets, subsets_of
from worker.attribution.experiment.randomization import one_sided
from worker.attribution.experiment.rules import Rule, RuleKind
from worker.attribution.experiment.trials import Bools, Trials
from worker.attribution.statistics.losses import FIRST_SENTENCE, LOST

FEW = 8  # other pieces of which every subset can be listed
MOST_DRAWS = 500
AGREES = 0.5  # of the controls at least must do as the rule says


@dataclass(frozen=True)
class Sizes:
    """How many answers the control gets, and each arm."""

    control: int
    arm: int

    def calls(self, arms: int) -> int:
        return self.control + self.arm * arms


@dataclass
class RuleTest:
    """A rule in test, with the fresh answers so far."""

    rule: Rule
    sentences: list[int]
    trials: Trials

    def rows(
        self,
        random: Generator,
        known: Collection[Row],
        *,
        sizes: Sizes,
        members: Sequence[int],
        varies: bool,
    ) -> list[Row]:
        """So many of the control and of the arms of these members.

        No prompt twice as far as there are other ones; where the endpoint `varies`, some again.
        """
        clusters = range(self.trials.clusters)
        others = frozenset(clusters).difference(self.rule.members)
        spare = _spare(len(others), max(sizes.control, sizes.arm))
        found: list[Row] = []
        for member in (None, *members):
            away, size = self._away(member), spare + self._placebo(member)
            wanted = sizes.control if member is None else sizes.arm
            fresh = _fresh(away, others, size, wanted, random, known)
            while varies and len(fresh) < wanted:
                fresh.append(away | subset(others, size, random))
            found += fresh
        return found

    def agrees(self) -> bool:
        """Whether the control does as the rule says."""
        share = lost_share(self.trials, self.control, self.sentences)
        return share > AGREES if self.rule.kind is RuleKind.ALL else share <= AGREES

    def p_value(self, member: int) -> float:
        columns = [FIRST_SENTENCE + each for each in self.sentences]
        own = self.trials.losses[:, columns].mean(axis=1)
        arm, control = own[self.arm(member)], own[self.control]
        if not len(arm) or not len(control):
            return 1.0
        if self.rule.kind is RuleKind.ALL:
            return one_sided(control, arm)
        return one_sided(arm, control)

    @property
    def control(self) -> Bools:
        return self._where(self._away(None))

    def arm(self, member: int) -> Bools:
        return self._where(self._away(member))

    def _away(self, member: int | None) -> frozenset[int]:
        """The members that are away, in the arm of this one, or in the control."""
        members = frozenset(self.rule.members)
        own = frozenset() if member is None else frozenset([member])
        return members - own if self.rule.kind is RuleKind.ALL else own

    def _placebo(self, member: int | None) -> int:
        """How many more other pieces are away, so that all answers have as many pieces."""
        is_all = self.rule.kind is RuleKind.ALL
        return int(is_all == (member is not None))

    def _where(self, away: frozenset[int]) -> Bools:
        members = list(self.rule.members)
        wanted = np.array([each in away for each in members])
        return np.asarray((self.trials.away[:, members] == wanted).all(axis=1))


def _spare(others: int, rows: int) -> int:
    """How many other pieces are away at least, for as many different prompts as rows."""
    for size in range(1, others):
        if subsets(others, size) >= rows and subsets(others, size + 1) >= rows:
            return size
    return max(others // 2 - 1, 0)


def _fresh(
    away: frozenset[int],
    others: frozenset[int],
    size: int,
    rows: int,
    random: Generator,
    used: Collection[Row],
) -> list[Row]:
    """Rows without these and so many others, new prompts as far as there are any.

    Of few other pieces, all subsets are candidates, those of the wanted size first.
    """
    found: list[Row] = []
    if len(others) <= FEW:
        candidates = [away | each for each in subsets_of(others)]
        shuffled = [candidates[place] for place in random.permutation(len(candidates))]
        shuffled.sort(key=lambda row: abs(len(row) - len(away) - size))
        return [row for row in shuffled if row not in used][:rows]
    for _ in range(MOST_DRAWS):
        row = away | subset(others, size, random)
        if row not in used and row not in found:
            found.append(row)
        if len(found) == rows:
            break
    return found


def lost_share(trials: Trials, rows: Bools, sentences: Sequence[int]) -> float:
    """In which share of these answers the sentences are lost."""
    losses = trials.losses[rows][:, [FIRST_SENTENCE + each for each in sentences]]
    return float((losses >= LOST).mean()) if losses.size else 0.0
