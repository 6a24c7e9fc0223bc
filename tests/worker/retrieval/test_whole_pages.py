"""Whole pages: the rest of the best pages, in prompts and quotes, taken away as a whole."""

from __future__ import annotations

import pytest
from wiki import hit, page, part, piece, put, row

from core.evidence import EvidenceStore
from core.evidence.blocks import Blocks
from core.evidence.spans import spans_of
from core.models import Hit, Kind
from core.policy.acl import EVERYBODY, OPEN_ID, Reader
from core.question import Completed
from worker.attribution.ablation.ablate import without
from worker.extractive.extractor import Extractor
from worker.generation.answer_prompt import answer_prompt
from worker.retrieval import whole_pages
from worker.retrieval.whole_pages import WholePages
from worker.text.citations import cite

TRIAL = page("1", "Trial of the dock lift")
AIM = piece("Does the dock lift save time?", "1", position=0, heading_path=("Aim",), anchor="aim")
METHODS = piece("It was used on 40 ships.", "1", position=1, heading_path=("Methods",))
RESULT = piece(
    "Unloading took 12 minutes less.", "1", position=2, heading_path=("Result",), anchor="result"
)
ASKED = Completed(question="Does the lift save time?", text="Does the lift save time?")


@pytest.fixture
def pages(store: EvidenceStore) -> WholePages:
    put(store, TRIAL, AIM, METHODS, RESULT)
    return WholePages(Blocks(store.database))


def expanded(pages: WholePages, *hits: Hit, reader: Reader = EVERYBODY) -> tuple[Hit, ...]:
    return pages.expand(ASKED, hits, reader)


def test_the_best_piece_of_a_page_has_the_rest_of_the_page_and_the_others_are_in_it(
    pages: WholePages,
) -> None:
    (whole,) = expanded(pages, hit(RESULT, TRIAL), hit(AIM, TRIAL))
    assert whole.evidence == RESULT
    assert whole.block == (AIM, METHODS)
    assert whole.whole_page


def test_only_the_best_pages_are_read_as_a_whole(store: EvidenceStore, pages: WholePages) -> None:
    hits: list[Hit] = []
    for number in range(whole_pages.PAGES + 2):
        on = page(f"p{number}", f"Trial {number}")
        first = piece(f"Lift {number} is fast.", on.id, position=0)
        put(store, on, first, piece(f"Lift {number} is blue.", on.id, position=1))
        hits.append(hit(first, on))
    found = expanded(pages, *hits)
    assert [each.evidence for each in found] == [each.evidence for each in hits]
    assert [bool(each.block) for each in found] == [True] * whole_pages.PAGES + [False] * 2


def test_what_is_known_of_people_is_on_no_page(pages: WholePages) -> None:
    place = hit(AIM.model_copy(update={"kind": Kind.PLACE}), TRIAL)
    assert expanded(pages, place) == (place,)


def test_rows_stand_in_their_table_already(store: EvidenceStore) -> None:
    rows = [row(number, Ship=f"Ship {number}", Minutes=str(number)) for number in (1, 2)]
    table = part(*rows)
    put(store, TRIAL, AIM, table, *rows)
    (whole,) = expanded(WholePages(Blocks(store.database)), hit(AIM, TRIAL))
    assert whole.block == (table,)


@pytest.mark.parametrize("reader", [EVERYBODY, Reader(frozenset({OPEN_ID, "closed"}))])
def test_no_piece_for_fewer_people_is_added(store: EvidenceStore, reader: Reader) -> None:
    closed = piece("The trial was stopped.", "1", position=3)
    put(store, TRIAL, AIM, closed.model_copy(update={"acl_id": "closed"}))
    (whole,) = expanded(WholePages(Blocks(store.database)), hit(AIM, TRIAL), reader=reader)
    assert whole.block == ()


def test_of_a_page_that_has_changed_meanwhile_nothing_is_added(pages: WholePages) -> None:
    gone = piece("It was used on 39 ships.", "1", position=1)
    assert expanded(pages, hit(gone, TRIAL))[0].block == ()


def test_the_model_reads_the_page_in_its_order_under_its_headings(pages: WholePages) -> None:
    user = answer_prompt(ASKED, expanded(pages, hit(RESULT, TRIAL))).user
    said = [AIM, METHODS, RESULT]
    places = [user.index(each.text) for each in said]
    assert places == sorted(places)
    assert f"Methods {METHODS.text}" in " ".join(user.split())


def test_an_answer_from_a_whole_page_cites_the_page_and_no_section(pages: WholePages) -> None:
    _, (source,) = cite("So it is [1].", expanded(pages, hit(RESULT, TRIAL)))
    assert (source.title, source.heading, source.url) == (TRIAL.title, "", TRIAL.url)


def test_quotes_come_from_anywhere_on_the_page(pages: WholePages, extractor: Extractor) -> None:
    whole = expanded(pages, hit(METHODS, TRIAL))
    assert {span.text for span in spans_of(whole)} == {AIM.text, METHODS.text, RESULT.text}
    asked = Completed(
        question="How many minutes less took unloading?",
        text="How many minutes less took unloading?",
    )
    assert "12 minutes less" in str(extractor.extract(asked, whole))


def test_ablation_takes_a_page_away_as_a_whole(pages: WholePages) -> None:
    other = hit(piece("A ramp is cheaper.", "2"), page("2", "Ramps"))
    hits = (*expanded(pages, hit(RESULT, TRIAL), hit(AIM, TRIAL)), other)
    assert without(hits, [0]) == (other,)


def test_a_long_page_is_read_around_what_was_found(store: EvidenceStore) -> None:
    long = [piece(f"Line {n} of the log.", "1", position=n) for n in range(300)]
    put(store, TRIAL, *long)
    (whole,) = expanded(WholePages(Blocks(store.database)), hit(long[200], TRIAL))
    positions = [each.position for each in whole.block]
    assert len(positions) == whole_pages.PIECES
    assert positions == sorted(positions)
    assert min(positions) > 100
