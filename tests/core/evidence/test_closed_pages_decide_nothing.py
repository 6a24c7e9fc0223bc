"""What stands on closed pages alone decides nothing of a search by those who may not read them."""

from __future__ import annotations

from functools import partial

import pytest
from sqlmodel import select
from wiki import key, page, piece, put

from core.evidence import EvidenceSearch, EvidenceStore, Query, WordNeighbours
from core.evidence.ranking.weights import PRODUCT
from core.evidence.readable import WordWeights
from core.pages import PageKey
from core.policy.acl import EVERYBODY, Reader
from core.storage.index_tables import EvidenceRow

BOARD = Reader(frozenset({*EVERYBODY.acls, "board"}))
OTHERS = ("Tide tables", "Fog horn", "Gravel barge", "Night watch", "Dry dock", "Mooring fees")


@pytest.fixture(autouse=True)
def others(store: EvidenceStore) -> None:
    for number, title in enumerate(OTHERS, 10):
        put(store, page(str(number), title), piece(f"The {title} are on the pier.", str(number)))


def terms(store: EvidenceStore, question: str, reader: Reader = EVERYBODY) -> set[str]:
    """What a search looks for."""
    search = searching(store)
    search.search(Query("anything"), 1)
    return set(search.terms(question)) if reader == EVERYBODY else set()


def searching(store: EvidenceStore) -> EvidenceSearch:
    neighbours = WordNeighbours(store.database, partial(store.dense.embedder, "bundled"))
    return EvidenceSearch(store.database, store.lexical, store.dense, neighbours)


def outdated(search: EvidenceSearch, reader: Reader) -> list[PageKey]:
    """The pages that this reader is not to go by."""
    with search.database.reading() as session:
        pieces = session.exec(select(EvidenceRow.id)).all()
    weights = WordWeights(PRODUCT.pieces, PRODUCT.pages, 1.0, 1.0)
    found = search.readable(reader).word_scores([], weights).of(pieces)
    return [page for page, is_old in zip(found.pages, found.outdated, strict=True) if is_old]


def first(store: EvidenceStore, question: str, reader: Reader = EVERYBODY) -> tuple[str, float]:
    hit = searching(store).search(Query(question), 5, reader).hits[0]
    return hit.page.title, hit.score


def close(store: EvidenceStore, number: str, title: str, text: str) -> None:
    put(store, page(number, title, space="BOARD"), piece(text, number), acl_id="board")


@pytest.mark.parametrize(
    ("question", "with_the_word", "without"),
    [
        ("When is the Fusion?", "The fusion with Porto.", "The dinner with Porto."),
        ("instalation", "An instalation of people.", "An assembly of people."),
    ],
)
def test_a_word_that_only_a_closed_page_has_is_as_unknown_as_any(
    store: EvidenceStore, question: str, with_the_word: str, without: str
) -> None:
    put(store, page("1", "Merger plan"), piece("The merger of two teams is on Monday.", "1"))
    put(store, page("2", "Installation guide"), piece("Read it before you mount a crane.", "2"))
    close(store, "3", "Something", without)
    expected = first(store, question)
    close(store, "3", "Something", with_the_word)
    title, score = first(store, question)
    assert title == expected[0]
    # How many pieces have a word still decides how rare it is, and of nine pieces one is much.
    assert score == pytest.approx(expected[1], rel=0.2)


def test_the_terms_of_an_excerpt_do_not_tell_of_a_closed_page(store: EvidenceStore) -> None:
    put(store, page("1", "Merger plan"), piece("The merger of two teams is on Monday.", "1"))
    close(store, "3", "Something", "The dinner with Porto.")
    expected = terms(store, "When is the Fusion?")
    close(store, "3", "Something", "The fusion with Porto.")
    assert terms(store, "When is the Fusion?") == expected


def test_a_closed_edition_makes_no_open_page_an_earlier_one(store: EvidenceStore) -> None:
    put(store, page("1", "Merger 2026", space="BOARD"), piece("Quorblex planted here today.", "1"))
    put(store, page("2", "Outing 2026", space="BOARD"), piece("Quorblex planted yesterday.", "2"))
    close(store, "3", "Salaries 2027", "The board has decided.")
    expected = first(store, "quorblex planted")
    close(store, "3", "Merger 2027", "The board has decided.")
    title, score = first(store, "quorblex planted")
    assert title == expected[0]
    assert score == pytest.approx(expected[1], abs=0.01)
    assert outdated(searching(store), BOARD) == [key("1")]


@pytest.mark.parametrize(("space", "labels"), [("~ines", ()), ("HR", ("draft",)), ("OPS", ())])
def test_a_draft_or_another_spaces_page_supersedes_no_published_one(
    store: EvidenceStore, space: str, labels: tuple[str, ...]
) -> None:
    put(store, page("1", "Travel policy 2026", space="HR"), piece("Up to 110 EUR.", "1"))
    put(store, page("2", "Travel policy 2027", space=space, labels=labels), piece("Empty.", "2"))
    search = searching(store)
    search.search(Query("travel"), 1)
    assert key("1") not in outdated(search, EVERYBODY)
