"""BM25F and the fusion of two scores, against examples computed by hand."""

from __future__ import annotations

import math

import pytest

from core.evidence.bm25f import K1, WEIGHTS, B, Fields, Statistics, bm25f
from core.evidence.fuse import DENSE, LEXICAL, fuse

# Ten pieces; `leave` stands in two of them, `policy` in five; titles have 5 characters on average, bodies 18.
STATISTICS = Statistics(pieces=10, frequencies={"leave": 2, "policy": 5}, mean_lengths=Fields(5.0, 10.0, 18.0))
AVERAGE = Fields("", "", "leave" + " " * 13)
LEAVE = math.log(1 + 8.5 / 2.5)  # rarity of `leave`
POLICY = math.log(2)  # 1 + 5.5 / 5.5


def test_the_score_is_the_one_computed_by_hand() -> None:
    # Both fields are of average length, so length changes nothing: `leave` counts once in the title and twice in the body,
    # `policy` once in the body, and k1 saturates each.
    leave = WEIGHTS.title * 1 + WEIGHTS.body * 2
    expected = LEAVE * leave / (K1 + leave) + POLICY * WEIGHTS.body / (K1 + WEIGHTS.body)
    assert bm25f(Fields("leave", "", "leave policy leave"), STATISTICS) == pytest.approx(expected)


def test_a_field_of_twice_the_average_length_counts_less() -> None:
    body = "leave" + " and" * 7 + " so"
    assert len(body) == 2 * STATISTICS.mean_lengths.body
    leave = WEIGHTS.body / (1 - B.body + B.body * 2)
    assert bm25f(Fields("", "", body), STATISTICS) == pytest.approx(LEAVE * leave / (K1 + leave)) != bm25f(AVERAGE, STATISTICS)


def test_a_word_in_the_title_counts_more_than_one_in_the_text() -> None:
    assert bm25f(Fields("leave", "", "x" * 18), STATISTICS) > bm25f(AVERAGE._replace(title="x" * 5), STATISTICS)


def test_a_rare_word_counts_more_than_a_frequent_one() -> None:
    assert bm25f(AVERAGE, STATISTICS) > bm25f(Fields("", "", "policy" + " " * 12), STATISTICS)


def test_a_piece_without_a_word_of_the_question_has_no_score() -> None:
    assert bm25f(Fields("travel", "hotels", "a hotel in Porto"), STATISTICS) == 0


def test_a_piece_counts_in_an_index_whose_fields_are_all_empty() -> None:
    nothing = Statistics(pieces=1, frequencies={"leave": 1}, mean_lengths=Fields(0.0, 0.0, 0.0))
    assert bm25f(Fields("", "", ""), nothing) == 0


def test_the_fused_score_is_a_weighted_sum_of_z_scores() -> None:
    # Of two values, one lies one standard deviation above their mean and the other one below.
    fused = fuse({"a": 9.0, "b": 1.0}, {"a": 0.2, "b": 0.8})
    assert fused == {"a": pytest.approx(LEXICAL - DENSE), "b": pytest.approx(DENSE - LEXICAL)}


def test_what_one_search_has_not_found_has_the_lowest_score_of_that_search() -> None:
    fused = fuse({"a": 9.0, "b": 1.0}, {"a": 0.5, "b": 0.5, "c": 0.5})
    assert fused["c"] == pytest.approx(fused["b"])
    assert fused["c"] < fused["a"]


def test_a_search_that_cannot_tell_has_no_say() -> None:
    assert fuse({"a": 2.0, "b": 2.0}, {"a": 0.9, "b": 0.1})["a"] == pytest.approx(DENSE)


def test_a_search_that_found_nothing_has_no_say() -> None:
    assert fuse({}, {"a": 0.9, "b": 0.1}) == {"a": pytest.approx(DENSE), "b": pytest.approx(-DENSE)}
    assert fuse({}, {}) == {}
