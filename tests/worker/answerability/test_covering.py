"""Which share of a question's words a text covers."""

from __future__ import annotations

import pytest
from wiki import page, piece, put, searching

from core.embeddings.bundled import Bundled
from core.evidence import EvidenceStore, Query, WordNeighbours
from core.question import Completed
from worker.answerability.covering import OTHERWISE, Covering
from worker.answerability.vectors import RememberedVectors

HOTEL = "A hotel in Porto costs up to 110 EUR a night."
STORAGE = "The storage needs forty litres of oil."


@pytest.fixture
def covering(store: EvidenceStore, embedder: Bundled) -> Covering:
    put(store, page("1", "Travel"), piece(HOTEL, "1"))
    put(store, page("2", "Installation"), piece(STORAGE, "2"))
    searching(store).search(Query("anything"), 1)  # brings the index up to date
    neighbours = WordNeighbours(store.database, lambda: embedder)
    return Covering(store.lexical, neighbours, RememberedVectors(lambda: embedder))


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


def test_what_is_called_otherwise_at_work_is_mostly_covered(covering: Covering) -> None:
    asked, text = "sick note", "Send the certificate of incapacity within three days."

    assert share(covering, asked, text) == pytest.approx(OTHERWISE)
    assert share(covering, asked, "Send the notice of defects.") < OTHERWISE


def test_a_mistyped_word_is_covered_by_the_one_it_meant(covering: Covering) -> None:
    assert share(covering, "Instalation", "Installation of the crane") == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("question", "telling", "other"),
    [
        ("How do I actually find the wifi password?", "password", "actually"),
        ("Wie komme ich eigentlich an das Passwort?", "Passwort", "eigentlich"),
    ],
)
def test_a_word_weighs_as_much_as_the_question_means_something_else_without_it(
    covering: Covering, question: str, telling: str, other: str
) -> None:
    said = covering.asked(Completed(question=question, text=question))
    weights = {word.written: word.weight for word in said}
    assert weights[telling] > 1.2 * weights[other]


def test_a_word_weighs_the_same_however_many_pages_have_it(
    covering: Covering, store: EvidenceStore
) -> None:
    asked = Completed(question="What does a hotel in Porto cost?", text="")
    before = covering.asked(asked)
    for number in range(3, 9):
        put(store, page(str(number), "Hotels"), piece("Another hotel in Porto.", str(number)))
    searching(store).search(Query("anything"), 1)
    assert covering.asked(asked) == before


def test_a_date_weighs_as_the_words_beside_it(covering: Covering) -> None:
    text = "hotel on 16 February 2026"
    weights = [word.weight for word in covering.asked(Completed(question=text, text=text))]
    assert min(weights) > 0.2 * max(weights)


def test_what_was_asked_counts_more_than_what_the_conversation_adds(covering: Covering) -> None:
    asked = share(covering, "hotel", HOTEL, "oil")
    added = share(covering, "oil", HOTEL, "hotel")
    assert asked > 0.5 > added


def test_a_question_without_words_is_not_covered(covering: Covering) -> None:
    assert share(covering, "is it?", HOTEL) == 0.0
