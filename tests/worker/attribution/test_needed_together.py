"""Several pieces that a sentence needs: each beside the others, and none by its company alone."""

from __future__ import annotations

from collections.abc import Callable, Collection
from itertools import combinations

import numpy as np
import pytest

from core.attribution import Cause, Role, Tries
from worker.attribution.experiment.finding import Ledger, mark_together
from worker.attribution.experiment.trials import Trial, Trials
from worker.attribution.statistics.losses import FIRST_SENTENCE

SAID = "The limit is 110 EUR."
PIECES = 6


def answered(away: Collection[frozenset[int]], lost: Callable[[frozenset[int]], bool]) -> Trials:
    """Answers without these, whose one sentence is lost as said."""
    of = tuple(Trial(row, "" if lost(row) else SAID) for row in away)
    losses = np.array([[float(lost(row))] * (FIRST_SENTENCE + 1) for row in away])
    return Trials(PIECES, of, losses)


def told(trials: Trials, needed: Collection[int]) -> dict[int, Role]:
    """What these are, once they were found to be needed."""
    ledger = Ledger([SAID])
    for cluster in needed:
        column = trials.away[:, cluster]
        ledger.add(
            0,
            Cause(
                effect=cluster,
                role=Role.NEEDED,
                without=trials.tries(0, column),
                with_it=trials.tries(0, ~column),
            ),
        )
    mark_together(ledger, trials)
    return {effect: cause.role for effect, cause in ledger.causes[0].items()}


def test_what_was_often_away_with_a_needed_piece_is_not_needed_for_that() -> None:
    with_it = [frozenset({0, 1, other}) for other in range(2, PIECES)]
    alone = [frozenset({0}), frozenset({1}), frozenset[int]()]
    trials = answered([*with_it, *alone], lambda away: 0 in away)
    assert told(trials, [0, 1]) == {0: Role.NEEDED}


def test_of_two_that_were_only_away_together_one_is_not_shown() -> None:
    trials = answered([frozenset({0, 1}), frozenset()], lambda away: 0 in away)
    assert len(told(trials, [0, 1])) == 1


@pytest.mark.parametrize("needed", [(0, 1), (0, 1, 2)])
def test_those_that_are_needed_together_stay(needed: tuple[int, ...]) -> None:
    halves = [frozenset(each) for size in (1, 3) for each in combinations(range(PIECES), size)]
    trials = answered(halves, lambda away: any(each in away for each in needed))
    assert told(trials, needed) == dict.fromkeys(needed, Role.TOGETHER)


def test_no_answers_are_no_share() -> None:
    assert (Tries().share, Tries(lost=1, of=4).share) == (0.0, 0.25)
