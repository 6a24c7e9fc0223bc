"""What stands on closed pages alone decides nothing of a search by those who may not read them."""

from __future__ import annotations

from functools import partial

import pytest
from wiki import page, piece, put

from core.evidence import EvidenceSearch, EvidenceStore, Query, WordNeighbours
from core.policy.acl import EVERYBODY, Reader

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
    readable = searching(store).readable(BOARD)
    outdated = readable.snapshot.page_of[readable.outdated].tolist()
    assert [readable.snapshot.titles[place] for place in outdated] == ["Merger 2026"]


@pytest.mark.parametrize(("space", "labels"), [("~ines", ()), ("HR", ("draft",)), ("OPS", ())])
def test_a_draft_or_another_spaces_page_supersedes_no_published_one(
    store: EvidenceStore, space: str, labels: tuple[str, ...]
) -> None:
    put(store, page("1", "Travel policy 2026", space="HR"), piece("Up to 110 EUR.", "1"))
    put(store, page("2", "Travel policy 2027", space=space, labels=labels), piece("Empty.", "2"))
    search = searching(store)
    search.search(Query("travel"), 1)
    readable = search.readable(EVERYBODY)
    outdated = {readable.snapshot.page_of[place] for place in readable.outdated.nonzero()[0]}
    titles = {readable.snapshot.titles[place] for place in outdated}
    assert "Travel policy 2026" not in titles
