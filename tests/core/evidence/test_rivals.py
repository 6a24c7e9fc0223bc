"""Editions and copies of one subject: the one that is asked for comes first."""

from __future__ import annotations

import pytest
from wiki import page, piece, put

from core.evidence import EvidenceSearch, EvidenceStore, Query
from core.storage.index_tables import SpaceRow

OTHERS = ("Tide tables", "Fog horn", "Gravel barge", "Night watch", "Dry dock", "Mooring fees")
RULES = "The crane stops at a wind of {} metres a second, and the harbour master is told."


@pytest.fixture(autouse=True)
def other_pages(store: EvidenceStore) -> None:
    """Scores are compared with those of all pieces."""
    for number, title in enumerate(OTHERS, 10):
        put(store, page(str(number), title), piece(f"The {title} are on the pier.", str(number)))


def first(store: EvidenceStore, question: str) -> str:
    """The title of the page of the first hit."""
    searching = EvidenceSearch(store.database, store.lexical, store.dense)
    hits = searching.search(Query(question), 5).hits
    return hits[0].page.title


def test_the_current_edition_answers_unless_another_one_is_named(store: EvidenceStore) -> None:
    put(store, page("1", "Crane rules v1"), piece(RULES.format("twelve"), "1"))
    put(store, page("2", "Crane rules v2"), piece(RULES.format("fifteen"), "2"))
    assert first(store, "At what wind does the crane stop by the rules?") == "Crane rules v2"
    assert first(store, "At what wind did the crane stop by rules v1?") == "Crane rules v1"


def test_a_copy_answers_when_its_person_is_named(store: EvidenceStore) -> None:
    with store.database.session() as session:
        session.add(SpaceRow(key="~7f", name="Ines Duarte"))
        session.commit()
    put(store, page("1", "Crane rules"), piece(RULES.format("fifteen"), "1"))
    put(store, page("2", "My crane rules", space="~7f"), piece(RULES.format("fifteen"), "2"))
    assert first(store, "At what wind does the crane stop?") == "Crane rules"
    assert first(store, "At what wind does the crane of Ines Duarte stop?") == "My crane rules"
