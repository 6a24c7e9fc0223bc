"""Explanations of answers from two to five pieces, by an endpoint that repeats itself."""

from __future__ import annotations

import pytest

from evaluation.explanations.planted.command import ALL_AT_ONCE
from evaluation.explanations.planted.grid import Place, explain_place
from worker.attribution.options import Options

OPTIONS = Options(concurrency=ALL_AT_ONCE)


@pytest.mark.parametrize(
    ("case", "clusters"),
    [("one", 2), ("A or B", 2), ("A and B", 3), ("A or B", 3), ("A or B", 4), ("A and B", 5)],
)
def test_few_pieces_of_an_endpoint_that_repeats_itself_are_tried_in_every_way(
    case: str, clusters: int
) -> None:
    mark = explain_place(Place(case, 1, clusters, is_fixed=True, seed=909), OPTIONS)
    assert (mark.exact, mark.false) == (True, False)
    assert mark.calls <= OPTIONS.budget.calls


@pytest.mark.parametrize("clusters", [2, 3, 4, 5])
def test_few_pieces_that_nothing_hangs_on_are_not_named_where_every_way_was_tried(
    clusters: int,
) -> None:
    for number in range(3):
        place = Place("hallucinator", number, clusters, is_fixed=True, seed=909)
        assert not explain_place(place, OPTIONS).false
