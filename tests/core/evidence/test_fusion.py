"""BM25F and the fusion of scores, against examples computed by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from core.evidence.lexical.bm25f import BM25F, Alternatives, Fields, LivePart, LivePostings
from core.evidence.lexical.segments.terms import FieldNumbers, Terms, WrittenWords
from core.evidence.ranking.fusion import Signal, make_signal, zscore

RANKING = BM25F(weights=Fields(2.0, 1.5, 1.0), b=Fields(0.4, 0.4, 0.5), k1=0.9)
LEAVE = (Alternatives(1.0, (("leav", 1.0),)),)


def postings(*pieces: tuple[str, str]) -> LivePostings:
    """Of pieces given as title and body."""
    new, words = Terms(), WrittenWords()
    for title, body in pieces:
        new.add(FieldNumbers(words.of(title), (), words.of(body)))
    return LivePostings((LivePart(new.postings(words.hashes()), 0, None),))


def scores(index: LivePostings, *query: Alternatives) -> list[float]:
    found: list[float] = index.scores(query, RANKING).tolist()
    return found


def idf(pieces: int, df: int) -> float:
    return math.log(1 + (pieces - df + 0.5) / (df + 0.5))


def test_the_score_is_the_one_computed_by_hand() -> None:
    # Titles have one word each. Bodies have 3 and 1, 2 on average: 3 words are normalized by
    # 1 - .5 + .5 * 3 / 2 = 1.25.
    index = postings(("leave", "leave policy leave"), ("travel", "hotel"))
    tf = 2.0 * 1 + 1.0 * 2 / 1.25
    assert scores(index, *LEAVE) == [pytest.approx(idf(2, 1) * tf / (0.9 + tf)), 0]


def test_a_long_field_counts_less() -> None:
    short, long = scores(
        postings(("", "leave"), ("", "leave and what else there is to say of it")), *LEAVE
    )
    assert short > long > 0


def test_a_word_in_the_title_counts_more_than_one_in_the_text() -> None:
    in_title, in_text = scores(postings(("leave", "other"), ("other", "leave")), *LEAVE)
    assert in_title > in_text


def test_a_rare_word_counts_more_than_a_frequent_one() -> None:
    index = postings(("", "leave policy"), ("", "policy crane"), ("", "policy quay"))
    rare, frequent = (
        scores(index, *LEAVE)[0],
        scores(index, Alternatives(1.0, (("polici", 1.0),)))[0],
    )
    assert rare > frequent


def test_words_that_stand_for_one_word_count_as_one() -> None:
    # Their frequencies are added up before they are saturated, and they are as rare as the
    # commonest of them.
    index = postings(("", "storage disk"), ("", "storage"), ("", "crane"))
    alternatives = Alternatives(0.6, (("storag", 1.0), ("disk", 0.5)))
    tf = (1 + 0.5) / (0.5 + 0.5 * 2 / (4 / 3))
    assert scores(index, alternatives)[0] == pytest.approx(0.6 * idf(3, 2) * tf / (0.9 + tf))


def test_a_piece_counts_in_an_index_whose_fields_are_all_empty() -> None:
    assert scores(postings(("", "")), *LEAVE) == [0]
    assert scores(postings(), *LEAVE) == []


def of(*values: float) -> np.ndarray:
    return np.array(values, np.float32)


def test_the_fused_score_is_a_weighted_sum_of_z_scores_over_all_pieces() -> None:
    words = make_signal(of(9, 1), of(9, 1, 1, 1), 0.5)  # mean 3, spread √12
    meaning = make_signal(
        of(0.2, 0.8), of(0.2, 0.8), 0.3
    )  # one standard deviation below the mean, and one above
    assert zscore([words, meaning]) == pytest.approx(
        [0.5 * 6 / math.sqrt(12) - 0.3, 0.5 * -2 / math.sqrt(12) + 0.3], abs=1e-6
    )


def test_a_search_that_cannot_tell_has_no_say() -> None:
    cannot_tell = make_signal(of(2, 2), of(2, 2, 2), 0.7)
    assert zscore([cannot_tell, Signal(of(1, 0), 0.5, 0.5, 0.3)]) == pytest.approx([0.3, -0.3])
    assert zscore([cannot_tell]) == pytest.approx([0, 0])
