"""The design, and the test of what was drawn by it."""

from __future__ import annotations

import numpy as np
import pytest

from worker.attribution.experiment.design import ROWS, drawn, first_rows
from worker.attribution.experiment.explore import collapsed, levels
from worker.attribution.experiment.randomization import one_sided, rises
from worker.attribution.experiment.rules import RuleKind, Suggestions
from worker.attribution.experiment.trials import Trial, Trials

LEVEL = 0.005


def away(clusters: int, seed: int = 0) -> np.ndarray:
    rows = first_rows(clusters, np.random.default_rng(seed))
    return np.array([[each in row for each in range(clusters)] for row in rows])


@pytest.mark.parametrize(("clusters", "times"), [(3, 8), (4, 8), (5, 6), (6, 6), (10, 8), (30, 8)])
def test_each_cluster_is_away_equally_often(clusters: int, times: int) -> None:
    assert away(clusters).sum(axis=0).tolist() == [times] * clusters


@pytest.mark.parametrize("clusters", [5, 10, 30])
def test_no_prompt_is_drawn_twice_or_full_or_empty(clusters: int) -> None:
    rows = first_rows(clusters, np.random.default_rng(1))
    assert len(set(rows)) == ROWS
    assert all(0 < len(row) < clusters for row in rows)
    more = drawn(clusters, rows=8, away=4, random=np.random.default_rng(2), known=rows)
    assert len(set(more)) == 8


def test_a_cluster_without_which_a_sentence_is_always_lost_stands_out_alone() -> None:
    gone = away(10)
    losses = np.column_stack([gone[:, 3], np.zeros(ROWS)]).astype(float)
    found = rises(losses, gone, [slice(0, ROWS)])
    assert found.p_values[3] == pytest.approx(1 / 12_870)
    assert min(np.delete(found.p_values, 3)) > LEVEL


def test_chance_alone_stands_out_no_more_often_than_the_level() -> None:
    random = np.random.default_rng(7)
    false = 0
    for seed in range(300):
        losses = np.where(random.random((ROWS, 6)) < 0.3, random.random((ROWS, 6)), 0.0)
        found = rises(losses, away(10, seed), [slice(0, ROWS)])
        false += bool((found.p_values <= 0.05 * levels(np.full((1, 10), 0.5), 1.0)).any())
    assert false <= 300 * 0.05 + 3 * (300 * 0.05) ** 0.5  # three standard deviations above


def test_what_varies_from_block_to_block_is_no_rise() -> None:
    gone = np.vstack([away(10), away(10, 1)[:8]])
    losses = np.repeat([0.0, 1.0], [ROWS, 8])[:, None]
    found = rises(losses, gone, [slice(0, ROWS), slice(ROWS, ROWS + 8)])
    assert min(found.p_values) == 1.0


def test_three_against_four_cannot_say_more_than_one_in_thirty_five() -> None:
    assert one_sided(np.ones(3), np.zeros(4)) == pytest.approx(1 / 35)
    assert one_sided(np.zeros(3), np.ones(4)) == 1.0


@pytest.mark.parametrize("kind", [RuleKind.ANY, RuleKind.ALL, RuleKind.SOME])
def test_a_rule_is_suggested_from_random_answers(kind: RuleKind) -> None:
    gone = away(10, 5)
    own = gone[:, [2, 6]]
    by_kind = {
        RuleKind.ANY: own.any(axis=1),
        RuleKind.ALL: own.all(axis=1),
        RuleKind.SOME: own.any(axis=1) & ~own.all(axis=1),
    }
    rule = Suggestions(gone, np.full(10, 0.4)).best(by_kind[kind].astype(float))
    assert rule is not None
    assert (rule.kind, rule.members) == (kind, (2, 6))


def test_of_losses_that_nothing_explains_no_rule_is_suggested() -> None:
    random = np.random.default_rng(3)
    rule = Suggestions(away(10), np.full(10, 0.1)).best(random.random(ROWS))
    assert rule is None


def trials(*texts: str) -> Trials:
    prompts = [frozenset({0}), frozenset({1}), frozenset({0})]
    made = tuple(Trial(row, text) for row, text in zip(prompts, texts, strict=True))
    return Trials(3, made, np.zeros((3, 4)))


def test_equal_prompts_are_one_row_where_the_endpoint_repeats_itself() -> None:
    kept, repeats = collapsed(trials("a", "b", "a"))
    assert (len(kept.of), repeats) == (2, True)
    kept, repeats = collapsed(trials("a", "b", "c"))
    assert (len(kept.of), repeats) == (3, False)
