"""Weights are never chosen on the corpus that they are reported on."""

from __future__ import annotations

import numpy as np
import pytest

from core.evidence.ranking.fit import Measure, Outcomes
from core.evidence.ranking.grid import weight
from core.evidence.ranking.weights import PRODUCT, Ranking
from evaluation.retrieval.left_out.folds import (
    PARTS,
    TEXTBOOK,
    chosen_on,
    chosen_without,
    folds,
)

NAMES = ("lake", "forest", "harbour")


def preferring(k1: float) -> Measure:
    """A corpus that finds a fifth of its questions more with this k1 of pieces."""

    def measured(ranking: Ranking) -> Outcomes:
        right = 120 if ranking.pieces.k1 == k1 else 80
        return (np.arange(200) < right).astype(np.float64)

    return measured


def recording(name: str, asked: list[str], measure: Measure) -> Measure:
    def measured(ranking: Ranking) -> Outcomes:
        asked.append(name)
        return measure(ranking)

    return measured


@pytest.mark.parametrize("left_out", NAMES)
def test_a_corpus_left_out_is_not_measured_while_its_weights_are_chosen(left_out: str) -> None:
    asked: list[str] = []
    measures = {name: recording(name, asked, preferring(0.6)) for name in NAMES}
    chosen_without(left_out, measures)
    assert set(asked) == {*NAMES} - {left_out}


def test_what_one_corpus_likes_does_not_reach_its_own_fold() -> None:
    measures = {"lake": preferring(0.6), "forest": preferring(0.9), "harbour": preferring(0.9)}
    found = folds(measures, measures)
    assert found["lake"].without_it.ranking.pieces.k1 == 0.9
    assert found["lake"].on_it.ranking.pieces.k1 == 0.6
    # For the others one corpus speaks for .6, one for .9: the weight stays.
    assert found["forest"].without_it.ranking.pieces.k1 == TEXTBOOK.pieces.k1


def test_on_a_corpus_alone_only_that_corpus_is_measured() -> None:
    asked: list[str] = []
    measures = {name: recording(name, asked, preferring(0.6)) for name in NAMES}
    chosen_on("lake", measures)
    assert set(asked) == {"lake"}


def test_a_single_corpus_is_left_with_the_weights_of_textbooks() -> None:
    assert chosen_without("lake", {"lake": preferring(0.6)}).ranking == TEXTBOOK


@pytest.mark.parametrize("part", PARTS)
def test_each_part_can_be_switched_off(part: str) -> None:
    assert PARTS[part](PRODUCT) != PRODUCT
    assert sum(weight(PARTS[part](PRODUCT), name) for name in ("lexical", "page", "dense")) == (
        pytest.approx(1)
    )
