"""A question's words: as they are, or what stands for those that no page has."""

from __future__ import annotations

import pytest
from wiki import page, piece, put

from core.embeddings.bundled import Bundled
from core.evidence import EvidenceSearch, EvidenceStore, Query, WordNeighbours
from core.evidence.query.expansion import QueryExpansion
from core.evidence.ranking.weights import PRODUCT, Ranking
from core.storage.database import Database


@pytest.fixture
def filled(store: EvidenceStore) -> EvidenceStore:
    put(
        store,
        page("1", "Instalation of the crane"),
        piece("The storage needs forty litres of oil.", "1"),
    )
    put(store, page("2", "Pilots"), piece("The members of the crew meet at the quay.", "2"))
    return store


@pytest.fixture
def bridge(database: Database, embedder: Bundled) -> WordNeighbours:
    return WordNeighbours(database, lambda: embedder)


def terms(
    store: EvidenceStore,
    bridge: WordNeighbours | None,
    question: str,
    *context: str,
    ranking: Ranking = PRODUCT,
) -> dict[str, float]:
    """Each term that is looked for, with its weight."""
    searching = EvidenceSearch(store.database, store.lexical, store.dense, bridge)
    searching.search(Query("anything"), 1)  # brings the index up to date
    found = QueryExpansion(store.lexical.snapshot, bridge, ranking).of(question, context)
    return {
        term: alternatives.weight * weight
        for alternatives in found
        for term, weight in alternatives.terms
    }


def test_a_known_word_is_looked_for_as_it_is(filled: EvidenceStore, bridge: WordNeighbours) -> None:
    assert terms(filled, bridge, "crane oil") == {"crane": 1.0, "oil": 1.0}


def test_a_word_of_another_language_stands_for_the_nearest_words_of_the_pages(
    filled: EvidenceStore, bridge: WordNeighbours
) -> None:
    found = terms(filled, bridge, "Mitglieder im Speicher")
    assert found["member"] == found["storag"] == PRODUCT.bridged


def test_a_word_that_nothing_is_near_to_is_left_out(
    filled: EvidenceStore, bridge: WordNeighbours
) -> None:
    assert "oil" not in terms(filled, bridge, "xylophon")


def test_a_mistyped_word_is_found_in_titles(filled: EvidenceStore, bridge: WordNeighbours) -> None:
    assert terms(filled, bridge, "pilots crrane")["crane"] == PRODUCT.mistyped


def test_a_mistyped_title_is_found_by_the_right_word(
    filled: EvidenceStore, bridge: WordNeighbours
) -> None:
    put(filled, page("3", "Winches"), piece("The installation of a winch takes a day.", "3"))
    assert terms(filled, bridge, "installation")["instal"] == 1.0
    assert "instal" in terms(filled, None, "installation")


def test_the_context_weighs_less_and_changes_nothing_of_what_was_asked(
    filled: EvidenceStore, bridge: WordNeighbours
) -> None:
    assert terms(filled, bridge, "oil", "crane oil", "quay") == {
        "oil": 1.0,
        "crane": PRODUCT.context[0],
        "quay": PRODUCT.context[1],
    }


def test_what_is_no_word_is_not_bridged(filled: EvidenceStore, bridge: WordNeighbours) -> None:
    assert terms(filled, bridge, "TERN-2238") == {"tern-2238": 1.0, "tern": 1.0, "2238": 1.0}


def test_a_ranking_may_go_without_bridges_and_corrections(
    filled: EvidenceStore, bridge: WordNeighbours
) -> None:
    plain = Ranking(bridged=0.0, mistyped=0.0)
    assert terms(filled, bridge, "Mitglieder crrane oil", ranking=plain) == {"oil": 1.0}


def test_a_word_that_came_with_a_later_sync_is_a_neighbor_too(
    filled: EvidenceStore, bridge: WordNeighbours
) -> None:
    assert "vacat" not in terms(filled, bridge, "Urlaub")
    put(filled, page("4", "Days off"), piece("Vacation is asked for two weeks ahead.", "4"))
    assert "vacat" in terms(filled, bridge, "Urlaub")


def test_what_was_asked_is_looked_for_in_other_words_too_unless_a_conversation_has_them(
    filled: EvidenceStore, bridge: WordNeighbours
) -> None:
    put(filled, page("5", "Depot"), piece("Stored goods wait in the warehouse.", "5"))
    found = terms(filled, bridge, "storage")
    assert found["storag"] == 1.0
    assert found["store"] == PRODUCT.synonyms
    assert "store" not in terms(filled, bridge, "storage", "crane oil")
