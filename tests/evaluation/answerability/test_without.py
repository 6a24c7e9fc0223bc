"""An index without the pages that answer."""

from __future__ import annotations

import pytest
from wiki import BACKUP, HOTEL, LEAVE, key, page, piece, put, searching

from core.evidence import EvidenceSearch, EvidenceStore, Query
from evaluation.answerability.without import Without, answering, facts_of, page_texts
from evaluation.sets.confquestions import Question
from worker.retrieval.retriever import Retriever


@pytest.fixture
def filled(store: EvidenceStore) -> EvidenceStore:
    put(store, page("1", "Leave"), piece(LEAVE, "1"))
    put(store, page("2", "Travel costs"), piece(HOTEL, "2"))
    put(store, page("3", "Costs on a trip"), piece(f"For drivers: {HOTEL}", "3"))
    put(store, page("4", "Backups"), piece(BACKUP, "4"))
    return store


def question(**more: object) -> Question:
    fields: dict[str, object] = {
        "conversation": "1",
        "turn": 1,
        "asked": "What does a hotel in Porto cost?",
        "completed": "What does a hotel in Porto cost?",
        "answer": "up to 110 EUR",
        "gold_urls": ("2",),
        "source": "passage",
        "is_complex": False,
        "facts": ("110 EUR",),
    }
    return Question(**(fields | more))  # type: ignore[arg-type]


def test_a_page_that_was_taken_out_is_not_found_and_the_others_are(filled: EvidenceStore) -> None:
    searching(filled).search(Query("anything"), 1)  # brings the index up to date
    less = Without(filled.lexical, [key("2"), key("3")])
    found = EvidenceSearch(filled.database, less, filled.dense).search(Query("hotel in Porto"), 10)
    assert {hit.page.id for hit in found.hits} == {"1", "4"}
    assert less.document_frequency("hotel") == 0 < filled.lexical.document_frequency("hotel")


def test_every_page_with_the_fact_answers_not_the_right_one_alone(filled: EvidenceStore) -> None:
    retriever = Retriever(searching(filled))
    gone = answering(retriever, [question()], page_texts(filled.database))
    assert gone == {key("2"), key("3")}


def test_a_short_answer_is_a_fact_and_a_long_one_is_none() -> None:
    assert facts_of(question(facts=())) == ("up to 110 EUR",)
    assert facts_of(question(facts=(), answer="A hotel costs up to 110 EUR a night")) == ()
