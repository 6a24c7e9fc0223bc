"""What either engine finds, on one database: the same, for the same readers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import astuple
from typing import NamedTuple

import pytest
from pytest import approx
from wiki import BACKUP, HOTEL, LEAVE, key, page, piece, put, row, searching

from core.evidence import EvidenceStore, Query
from core.evidence.dense.rebuild import rebuild
from core.evidence.lexical.bm25f import Alternatives
from core.evidence.postgres.readable import PostgresReadable
from core.evidence.ranking.weights import PRODUCT
from core.evidence.readable import Readable, WordScores, WordWeights
from core.policy.acl import EVERYBODY, OPEN_ID, Reader
from core.question import Condition, Field
from core.settings.values import EvidenceEngine

Wanting = Callable[[EvidenceEngine], EvidenceStore]  # see conftest.py
FEW = "few"
INSIDER = Reader(frozenset({OPEN_ID, FEW}))
WEIGHTS = WordWeights(PRODUCT.pieces, PRODUCT.pages, PRODUCT.lexical, PRODUCT.page)
WORDS = [
    Alternatives(1.0, (("porto", 1.0),)),
    Alternatives(0.5, (("leav", 1.0), ("hotel", 0.5), ("nowher", 0.4))),
]


@pytest.fixture(params=list(EvidenceEngine))
def empty(request: pytest.FixtureRequest, wanting: Wanting) -> EvidenceStore:
    return wanting(request.param)


@pytest.fixture
def filled(empty: EvidenceStore) -> EvidenceStore:
    """A small wiki, found by the one engine and by the other."""
    return fill(empty)


def fill(store: EvidenceStore) -> EvidenceStore:
    leave = page("1", "Leave in Porto", owner="Ann Moll", labels=("hr",))
    put(store, leave, piece(LEAVE), piece("Ask Ann.", heading_path=("Porto", "Whom to ask")))
    put(store, page("2", "Hotels", space="TRAVEL"), piece(HOTEL, "2"))
    put(store, page("3", "Night runs", space="ENG"), piece(BACKUP, "3"), acl_id=FEW)
    named = piece("Porto is secret, says Night runs.", "4", acl_id=FEW)
    put(store, page("4", "Travel guide v1"), piece("Trains to Porto leave at nine.", "4"), named)
    put(store, page("5", "Travel guide v2"), piece("Trains leave at ten.", "5"), acl_id=FEW)
    put(store, page("6", "Draft: Travel guide"), piece("Trains leave.", "6"))
    cells = row(1, page_id="7", City="Porto", Days="25")
    put(store, page("7", "Instalation"), piece("City Days Porto 25", "7"), cells)
    return store


def texts(store: EvidenceStore, question: str, reader: Reader = EVERYBODY) -> list[str]:
    found = searching(store).search(Query(question), 5, reader)
    return [hit.evidence.text for hit in found.hits]


def readable(store: EvidenceStore, reader: Reader = EVERYBODY, *conditions: Condition) -> Readable:
    return searching(store).readable(reader, conditions)


def scores(store: EvidenceStore, reader: Reader = EVERYBODY) -> WordScores:
    return readable(store, reader).word_scores(WORDS, WEIGHTS)


def test_the_best_piece_comes_first(filled: EvidenceStore) -> None:
    assert texts(filled, "How many days of leave are there in Porto?")[0] == LEAVE
    assert texts(filled, "What may a hotel cost?")[0] == HOTEL


def test_who_may_not_read_a_page_finds_nothing_of_it(filled: EvidenceStore) -> None:
    question = "When does the backup of the harbour database run?"
    assert texts(filled, question, INSIDER)[0] == BACKUP
    assert BACKUP not in texts(filled, question)
    assert not readable(filled).knows("backup")
    assert readable(filled, INSIDER).knows("backup")


def test_a_piece_may_be_closed_on_an_open_page(filled: EvidenceStore) -> None:
    assert not readable(filled).knows("secret")
    assert readable(filled, INSIDER).knows("secret")
    # What its readers alone may read counts for no page that others find.
    assert readable(filled, INSIDER).pages_with("secret") == 0


def test_only_the_spaces_of_a_reader_are_searched(filled: EvidenceStore) -> None:
    there = EVERYBODY.within({"TRAVEL"})
    assert texts(filled, "Porto", there) == [HOTEL]
    assert readable(filled, there).size == 1


def test_conditions_choose_pages(filled: EvidenceStore) -> None:
    labelled = Condition(field=Field.LABEL, value="hr")
    by_ann = Condition(field=Field.PERSON, value="Ann Moll")
    assert readable(filled, EVERYBODY, labelled, by_ann).size == 2
    nothing = searching(filled).search(
        Query("Porto", conditions=(Condition(field=Field.SPACE, value="X"),)), 3
    )
    assert nothing.conditions_dropped
    assert nothing.hits


def test_pieces_and_pages_are_counted_for_their_reader(filled: EvidenceStore) -> None:
    assert readable(filled).size == 7
    assert readable(filled, INSIDER).size == readable(filled).total == 10
    assert readable(filled).pages_with("porto") == 4
    assert readable(filled).vocabulary.frequency("porto") == 7


def test_titles_are_found_by_how_they_are_spelled(filled: EvidenceStore) -> None:
    assert readable(filled).title_words_like("installation") == ["instalation"]
    assert readable(filled).title_words_like("instalation") == []
    assert readable(filled).title_words_like("nights") == []
    assert readable(filled, INSIDER).title_words_like("nights") == ["night"]


def test_a_title_is_named_by_all_of_its_words(filled: EvidenceStore) -> None:
    assert readable(filled).titles_named({"leav", "porto", "hotel"}) == ["Leave in Porto"]
    assert readable(filled).titles_named({"night", "run"}) == []
    assert readable(filled, INSIDER).titles_named({"night", "run"}) == ["Night runs"]


def test_a_subject_stands_in_half_of_the_titles_of_pages_that_have_it(
    filled: EvidenceStore,
) -> None:
    assert readable(filled).is_subject_elsewhere("hotel", [key("1")])
    assert not readable(filled).is_subject_elsewhere("hotel", [key("2")])
    assert not readable(filled).is_subject_elsewhere("porto", [])
    assert not readable(filled).is_subject_elsewhere("night", [])


def test_a_page_is_called_by_its_title_its_space_and_its_owner(filled: EvidenceStore) -> None:
    hotels, leave = readable(filled).name_terms([key("2"), key("1")])
    assert hotels >= {"hotel", "travel"}
    assert leave >= {"leav", "porto", "ann", "moll", "hr"}


def test_an_edition_is_outdated_for_whoever_may_see_a_later_one(filled: EvidenceStore) -> None:
    first, draft = (piece("Trains to Porto leave at nine.", "4").id, piece("Trains leave.", "6").id)
    assert scores(filled).of([first, draft]).outdated.tolist() == [False, True]
    assert scores(filled, INSIDER).of([first, draft]).outdated.tolist() == [True, True]


def test_plain_words_are_remembered_and_new_ones_come(filled: EvidenceStore) -> None:
    search = searching(filled)
    before = search.readable(EVERYBODY).vocabulary.plain
    assert {"porto", "hotel", "backup"} <= before
    put(filled, page("8", "Ferries"), piece("The ferry is late.", "8"))
    filled.hide(page("2", "Hotels"))
    after = search.readable(EVERYBODY).vocabulary.plain
    assert after == before | {"ferries", "ferry", "late"}


def test_a_change_is_found_at_its_commit(filled: EvidenceStore) -> None:
    search = searching(filled)
    put(filled, page("2", "Hotels", space="TRAVEL"), piece("A ferry costs 9 EUR.", "2"))
    assert search.search(Query("ferry"), 1).hits[0].evidence.text == "A ferry costs 9 EUR."
    assert not search.readable(EVERYBODY).knows("hotel") or HOTEL not in texts(filled, "hotel")
    filled.hide(page("2", "Hotels", space="TRAVEL"))
    assert not search.readable(EVERYBODY).knows("ferri")


def test_who_may_read_a_page_changes_at_once(filled: EvidenceStore) -> None:
    filled.set_acl([key("4")], before=OPEN_ID, now=FEW)
    assert not readable(filled).knows("nine")
    assert readable(filled, INSIDER).knows("nine")
    assert not readable(filled, INSIDER).knows("secret")  # such pieces are made anew


def test_a_withheld_piece_is_gone(filled: EvidenceStore) -> None:
    filled.withhold(key("4"), ["Night runs"])
    assert not readable(filled, INSIDER).knows("secret")
    assert readable(filled, INSIDER).total == 9


def test_who_may_see_one_page_in_a_hundred_still_gets_as_many_pieces(
    empty: EvidenceStore,
) -> None:
    for number in range(100):
        acl_id = FEW if number == 50 else "others"
        made = [piece(f"Crane {number} lifts {tons} tons.", str(number)) for tons in range(5)]
        put(empty, page(str(number), f"Crane {number}"), *made, acl_id=acl_id)
    few = Reader(frozenset({FEW}))
    assert len(texts(empty, "How much does a crane lift?", few)) == PRODUCT.per_page
    crane = [Alternatives(1.0, (("crane", 1.0),))]
    assert len(readable(empty, few).word_scores(crane, WEIGHTS).best(10)) == 5


READERS = (EVERYBODY, INSIDER, EVERYBODY.within({"HR"}), Reader(frozenset({FEW})))


def test_both_engines_give_the_same_scores(wanting: Wanting) -> None:
    host = fill(wanting(EvidenceEngine.HOST))
    of_host = [of_all(host, reader) for reader in READERS]
    postgres = wanting(EvidenceEngine.POSTGRES)
    rebuild(postgres.database, postgres.dense)
    of_postgres = [of_all(postgres, reader) for reader in READERS]
    assert isinstance(readable(postgres), PostgresReadable)
    for ours, theirs in zip(of_postgres, of_host, strict=True):
        assert ours.exactly == theirs.exactly
        assert ours.numbers == approx(theirs.numbers, abs=1e-4)


class Everything(NamedTuple):
    """All that a question gets from an engine."""

    exactly: dict[str, object]
    numbers: list[float]


def of_all(store: EvidenceStore, reader: Reader) -> Everything:
    found = scores(store, reader)
    best = found.best(20)
    of = found.of(sorted(best))
    hits = searching(store).search(Query("How many days of leave in Porto?"), 5, reader).hits
    exactly: dict[str, object] = {
        "best": of.pieces,
        "outdated": of.outdated.tolist(),
        "pages": of.pages,
        "hits": [hit.evidence.id for hit in hits],
    }
    spreads = [*astuple(found.lexical), *astuple(found.page)]
    fused = [hit.score for hit in hits]
    return Everything(exactly, [*spreads, *of.lexical.tolist(), *of.page.tolist(), *fused])
