"""What has the words of a text, ranked in memory: for whom, and by what."""

from __future__ import annotations

import pytest
from wiki import page, piece, put, searching

from core.evidence import EvidenceSearch, EvidenceStore
from core.evidence.by_words import ranked_by_words
from core.policy.acl import EVERYBODY, OPEN_ID, Reader

STORM = piece("Stop the crane in a storm.", "1", heading_path=("Storm",))
COSTS = piece("The crane costs 900 EUR.", "2", heading_path=("Costs",))
SECRET = piece("The storm closed the harbour.", "3")


@pytest.fixture
def evidence(store: EvidenceStore) -> EvidenceSearch:
    put(store, page("1", "Crane guide"), STORM)
    put(store, page("2", "Crane budget", space="ENG"), COSTS)
    put(store, page("3", "Incident"), SECRET, acl_id="closed")
    return searching(store)


def found(evidence: EvidenceSearch, text: str, reader: Reader = EVERYBODY) -> list[str]:
    return [each.piece for each in ranked_by_words(evidence, text, reader)]


def test_the_piece_with_the_words_comes_first_with_its_page(evidence: EvidenceSearch) -> None:
    first, *_ = ranked_by_words(evidence, "What does “Crane guide” say about storm?")
    assert (first.piece, first.page.id) == (STORM.id, "1")


def test_what_has_none_of_the_words_is_not_there(evidence: EvidenceSearch) -> None:
    assert found(evidence, "regatta") == []


def test_only_what_the_reader_may_see_is_ranked(evidence: EvidenceSearch) -> None:
    assert SECRET.id not in found(evidence, "storm harbour")
    assert SECRET.id in found(evidence, "storm", Reader(frozenset({OPEN_ID, "closed"})))


def test_only_the_chosen_spaces_are_ranked(evidence: EvidenceSearch) -> None:
    assert found(evidence, "crane", EVERYBODY.within(("ENG",))) == [COSTS.id]


def test_a_page_that_came_since_is_ranked(evidence: EvidenceSearch, store: EvidenceStore) -> None:
    assert found(evidence, "buoy") == []
    put(store, page("4", "Buoys"), piece("A buoy is red.", "4"))
    assert len(found(evidence, "buoy")) == 1


def test_nothing_is_ranked_before_anything_is_indexed(store: EvidenceStore) -> None:
    assert found(searching(store), "crane") == []
