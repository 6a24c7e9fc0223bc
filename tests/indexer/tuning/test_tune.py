"""Tuning: weights are measured on pages left out, kept only for more than noise, used if asked."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest
from wiki import hit, page, piece, put, row, searching

from core.errors import SettingsError
from core.evidence import EvidenceSearch, EvidenceStore, Query, SearchResult
from core.evidence.ranking import tuned
from core.evidence.ranking.weights import PRODUCT, Ranking
from core.settings.values import Weights
from core.storage.database import Database
from indexer.tuning.question_templates import GeneratedQuestion
from indexer.tuning.tune import Tuned, by_bm25s, questions, tune

PAGES = 40


def asked() -> list[GeneratedQuestion]:
    """Five questions on each of forty pages."""
    made = []
    for number in range(PAGES):
        on = page(str(number), f"Page {number}")
        for place in range(5):
            about = hit(piece(f"said {place}", on.id), on)
            made.append(GeneratedQuestion(f"{number} {place}?", "", "passage", "en", about))
    return made


class Answering(EvidenceSearch):
    """Finds the right page for some questions only under a high enough weight of meaning."""

    def __init__(self, ranking: Ranking, needed: float, seen: dict[Ranking, set[str]]) -> None:
        self.ranking = ranking
        self._needed = needed
        self._seen = seen

    def search(self, query: Query, k: int, *_: object) -> SearchResult:
        number, place = query.question.rstrip("?").split()
        self._seen[self.ranking].add(number)
        is_hard = place in "01"
        right = not is_hard or self.ranking.dense >= self._needed
        on = page(number if right else "none", "")
        return SearchResult((hit(piece("x", on.id), on),) * k)


def tuned_for(needed: float) -> tuple[Tuned, dict[Ranking, set[str]]]:
    seen = defaultdict[Ranking, set[str]](set)
    return tune(asked(), lambda ranking: Answering(ranking, needed, seen)), seen


def test_weights_that_find_more_on_pages_left_out_are_better() -> None:
    found, _ = tuned_for(needed=0.5)
    assert found.weights["dense"] == 0.5
    assert found.is_better
    assert (found.product.value, found.left_out.value) == (0.6, 1.0)


def test_where_nothing_is_to_be_gained_the_products_weights_stay() -> None:
    found, _ = tuned_for(needed=0.0)
    assert not found.is_better
    assert found.weights == {}
    assert found.left_out == found.product


def test_the_interval_of_a_share_is_wilsons() -> None:
    found, _ = tuned_for(needed=0.0)
    assert found.product.interval == (0.981, 1.0)


@pytest.fixture
def wiki(store: EvidenceStore) -> Iterator[EvidenceStore]:
    """Thirty pages of a harbour with a table each, and one that is closed."""
    for number in range(30):
        on = page(str(number), f"Berth {number}")
        rows = [
            row(place, page_id=on.id, Crane=f"Lumo {number}{place}", Load=f"{place} t", Year="2019")
            for place in range(4)
        ]
        put(store, on, *rows)
    put(store, page("99", "Wages"), row(1, page_id="99", Pilot="Bilby", Wage="9"), acl_id="closed")
    yield store


def test_questions_are_made_of_open_pages_alone_and_each_once(wiki: EvidenceStore) -> None:
    made = questions(searching(wiki), 60, seed=0)
    assert len({one.question for one in made}) == len(made) == 60
    assert all("Bilby" not in one.question for one in made)
    pages = {one.piece.page.id for one in made}
    assert "99" not in pages
    assert len(pages) > 20


def test_bm25s_is_asked_the_same(wiki: EvidenceStore) -> None:
    made = questions(searching(wiki), 60, seed=0)
    share = by_bm25s(made, wiki.database)
    assert share.of == 60
    assert share.value > 0.5


def test_tuned_weights_are_used_where_the_setting_says_so(database: Database) -> None:
    tuned.save(database, {"dense": 0.5}, {"embedder": "bundled"})
    assert tuned.chosen_ranking(database, Weights.TUNED).dense == 0.5
    assert tuned.chosen_ranking(database, Weights.PRODUCT) is PRODUCT


def test_without_tuned_weights_the_setting_is_wrong_and_says_the_cure(database: Database) -> None:
    with pytest.raises(SettingsError, match="indexer tune"):
        tuned.chosen_ranking(database, Weights.TUNED)


def test_a_later_tuning_without_a_gain_leaves_the_products_weights(database: Database) -> None:
    tuned.save(database, {"dense": 0.5}, {"embedder": "bundled"})
    tuned.save(database, {}, {"embedder": "bundled"})
    assert tuned.chosen_ranking(database, Weights.TUNED) == PRODUCT


@pytest.mark.parametrize(
    ("weights", "figures"),
    [
        ({"dense": 0.5}, {}),
        ({"dense": "much"}, {"embedder": "bundled"}),
        ({"dense": math.nan}, {"embedder": "bundled"}),
        ({"candidates": -5}, {"embedder": "bundled"}),
        ({"pages.b.body": -9e9}, {"embedder": "bundled"}),
    ],
)
def test_damaged_weights_are_wrong_and_say_the_cure(
    database: Database, weights: dict[str, Any], figures: dict[str, Any]
) -> None:
    tuned.save(database, weights, figures)
    with pytest.raises(SettingsError, match="indexer tune"):
        tuned.chosen_ranking(database, Weights.TUNED)


def test_weights_of_an_older_version_are_wrong_and_say_the_cure(database: Database) -> None:
    tuned.save(database, {"gone": 0.5}, {"embedder": "bundled"})
    with pytest.raises(SettingsError, match="older version"):
        tuned.chosen_ranking(database, Weights.TUNED)


def test_weights_of_another_embedder_are_wrong_and_say_the_cure(wiki: EvidenceStore) -> None:
    tuned.save(wiki.database, {"dense": 0.5}, {"embedder": "another"})
    with pytest.raises(SettingsError, match="embedder another"):
        tuned.chosen_ranking(wiki.database, Weights.TUNED)
