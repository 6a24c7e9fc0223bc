"""The nearest words and titles, found without comparing all: the same ones."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz import process
from rapidfuzz.distance import DamerauLevenshtein

from core.embeddings import Vectors, unit
from core.evidence.lexical.spelling import ALIKE, SHORTEST, Spellings
from core.evidence.query.word_vectors import AT_ONCE, WordVectors

DIMENSIONS = 160


def vectors(count: int, seed: int) -> Vectors:
    """Like words under an encoder: most of their length lies along few directions."""
    chance = np.random.default_rng(seed)
    along = np.exp(-np.arange(DIMENSIONS) / 30)
    return unit(np.asarray(chance.standard_normal((count, DIMENSIONS)) * along, np.float32))


def named(found: Vectors, start: int = 0) -> dict[str, Vectors]:
    return {f"word{start + number}": vector for number, vector in enumerate(found)}


def compared_with_all(known: Vectors, asked: Vectors, most: int, enough: float) -> list[list[int]]:
    similar = asked @ known.T
    order = np.argsort(-similar, axis=1, kind="stable")[:, :most]
    return [
        [p for p in row.tolist() if of[p] >= enough] for row, of in zip(order, similar, strict=True)
    ]


def places(words: WordVectors, asked: Vectors, most: int, enough: float) -> list[list[int]]:
    """The places of the nearest words."""
    found = words.nearest(asked, most, enough)
    return [[words.places[near.word] for near in row] for row in found]


@pytest.mark.parametrize("enough", [0.0, 0.3, 0.5, 0.9])
def test_the_nearest_words_are_those_of_a_comparison_with_all(enough: float) -> None:
    known, asked = vectors(3000, 1), vectors(AT_ONCE + 5, 2)
    words = WordVectors().with_more(named(known))
    found = list(places(words, asked, 12, enough))
    assert found == compared_with_all(known, asked, 12, enough)
    assert any(found) == (enough < 0.9)


def test_words_that_come_later_are_found_as_well() -> None:
    first, later = vectors(40, 3), vectors(500, 4)
    words = WordVectors().with_more(named(first)).with_more(named(later, 40))
    known = np.concatenate([first, later])
    assert list(places(words, later, 5, 0.2)) == compared_with_all(known, later, 5, 0.2)
    assert words.places["word39"] == 39


def test_words_that_nothing_is_added_to_stay_as_they_are() -> None:
    known = WordVectors().with_more(named(vectors(300, 8)))
    assert known.joined(WordVectors()) is known
    assert WordVectors().joined(known) is known


def test_a_word_among_none_has_no_neighbours() -> None:
    one = WordVectors().with_more(named(vectors(1, 5)))
    assert list(one.nearest(-vectors(1, 5), 12, 0.5)) == [[]]


def compared_by_spelling(word: str, known: Sequence[str]) -> list[str]:
    if len(word) < SHORTEST:
        return []
    scorer = DamerauLevenshtein.normalized_similarity
    found = process.extract(word.lower(), known, scorer=scorer, score_cutoff=ALIKE, limit=3)
    return [other for other, _, _ in found if other != word.lower()][:2]


_title_words = st.text("aäbcß", min_size=4, max_size=16)


@settings(max_examples=300, deadline=None)
@given(word=_title_words, known=st.lists(_title_words, max_size=30, unique=True))
def test_the_words_spelled_alike_are_those_of_a_comparison_with_all(
    word: str, known: list[str]
) -> None:
    known += [word[1:], word[:-2] + word[:-3:-1], word + "c"]
    assert Spellings(known).nearly(word) == compared_by_spelling(word, known)
