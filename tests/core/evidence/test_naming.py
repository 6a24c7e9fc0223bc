"""What tells rivals apart counts: a version, a year, a team, a person that the question names."""

from __future__ import annotations

import numpy as np

from core.evidence.lexical.analyzer import asked, content_words
from core.evidence.lexical.bm25f import Alternatives
from core.evidence.ranking.naming import alone, named


def question(text: str) -> list[Alternatives]:
    words = [word.terms[0] for word in asked(text)]
    return [Alternatives(1.0, ((word, 1.0),)) for word in words]


def by_name(text: str, *names: str) -> list[float]:
    found = named(question(text), [set(content_words(name)) for name in names])
    return [float(each) for each in found]


def test_the_edition_that_is_named_stands_out() -> None:
    first, second = by_name("Who signs in the harbour rules of 2019?", *editions("2019", "2023"))
    assert (first, second) == (1.0, 0.0)


def test_a_word_that_all_names_have_says_nothing() -> None:
    assert by_name("Who signs in the harbour rules?", *editions("2019", "2023")) == [0.0, 0.0]


def test_a_word_that_no_name_has_says_nothing() -> None:
    assert by_name("Who signs for the gravel?", *editions("2019", "2023")) == [0.0, 0.0]


def test_the_rarer_word_weighs_more() -> None:
    rarer, commoner, neither = by_name("quay or pump", "Pump", "Quay lamp", "Quay crane")
    assert rarer > commoner == neither > 0


def test_a_word_that_stands_for_another_one_counts_as_well_as_it_does() -> None:
    words = [Alternatives(1.0, (("boat", 1.0), ("ship", 0.4)))]
    boat, ship = named(words, [{"boat"}, {"lamp"}]).tolist(), named(words, [{"ship"}, {"lamp"}])
    assert boat == [1.0, 0.0]
    assert 0 < float(ship[0]) < 1


def test_without_pages_nothing_is_named() -> None:
    assert by_name("Who signs?") == []


def test_the_page_that_is_named_most_is_alone_and_one_of_two_that_are_equal_is_not() -> None:
    pages = np.array([7, 7, 9], np.int32)
    most = alone(np.array([0.6, 0.6, 0.2], np.float32), pages)
    assert most.tolist() == [True, True, False]
    equal = alone(np.array([0.6, 0.6, 0.6], np.float32), pages)
    assert equal.tolist() == [False, False, False]
    assert alone(np.zeros(0, np.float32), np.zeros(0, np.int32)).tolist() == []


def editions(*years: str) -> list[str]:
    return [f"Harbour rules {year}" for year in years]
