"""Which share of a question's words a text covers."""

from __future__ import annotations

import pytest
from wiki import page, piece, put, searching

from core.embeddings.bundled import Bundled
from core.evidence import EvidenceStore, Query, WordNeighbours
from core.question import Completed
from worker.answerability.covering import Covering

HOTEL = "A hotel in Porto costs up to 110 EUR a night."
STORAGE = "The storage needs forty litres of oil."


@pytest.fixture
def covering(store: EvidenceStore, embedder: Bundled) -> Covering:
    put(store, page("1", "Travel"), piece(HOTEL, "1"))
    put(store, page("2", "Installation"), piece(STORAGE, "2"))
    searching(store).search(Query("anything"), 1)  # brings the index up to date
    return Covering(store.lexical, WordNeighbours(store.database, lambda: embedder))


def share(covering: Covering, question: str, text: str, *context: str) -> float:
    completed = Completed(question=question, text=question, context=context)
    return covering.share(covering.asked(completed), text)


def test_a_text_with_every_word_covers_the_question(covering: Covering) -> None:
    assert share(covering, "What does a hotel in Porto cost?", HOTEL) == pytest.approx(1.0)


@pytest.mark.parametrize("word", ["zeppelins", "Zeppeline", "XR-7741", "pancakes"])
def test_a_word_that_no_page_has_never_raises_what_is_covered(
    covering: Covering, word: str
) -> None:
    question = "hotel Porto cost"
    assert share(covering, f"{question} {word}", HOTEL) < share(covering, question, HOTEL)


def test_a_word_of_another_language_is_covered_by_the_one_that_means_the_same(
    covering: Covering,
) -> None:
    assert share(covering, "Speicher", STORAGE) > share(covering, "Speicher", HOTEL) + 0.3


def test_a_mistyped_word_is_covered_by_the_title_it_meant(covering: Covering) -> None:
    assert share(covering, "Instalation", "Installation of the crane") == pytest.approx(1.0)


def test_what_was_asked_counts_more_than_what_the_conversation_adds(covering: Covering) -> None:
    asked = share(covering, "hotel", HOTEL, "oil")
    added = share(covering, "oil", HOTEL, "hotel")
    assert asked > 0.5 > added


def test_a_question_without_words_is_not_covered(covering: Covering) -> None:
    assert share(covering, "is it?", HOTEL) == 0.0
