"""Retrieval: what a search finds, the rows beside a table, and a way out of the old topic."""

from __future__ import annotations

from collections import Counter

import pytest
from sqlmodel import update
from wiki import BACKUP, HOTEL, LEAVE, page, part, piece, put, row, searching

from core.evidence import EvidenceStore
from core.models import Hit
from core.question import Completed, Condition, Field
from core.storage.index_tables import IndexRow
from worker.question.rewrite import Past, by_rules
from worker.retrieval.retriever import Retriever

ROWS = [
    row(n, Machine=f"Lumo {number}", Status=status)
    for n, (number, status) in enumerate([("3180", "passed"), ("4260", "failed")], 1)
]
TABLE = part(*ROWS)


@pytest.fixture
def retriever(store: EvidenceStore) -> Retriever:
    put(store, page("1", "Machines"), TABLE, *ROWS)
    for number, text in enumerate((LEAVE, HOTEL, BACKUP), start=2):
        put(store, page(str(number), f"Page {number}"), piece(text, str(number)))
    return Retriever(searching(store))


def retrieve(retriever: Retriever, completed: Completed, k: int = 10) -> tuple[Hit, ...]:
    return retriever.retrieve(completed, k=k).hits


def first(question: str) -> Completed:
    return Completed(question=question, text=question)


def test_the_piece_that_answers_is_found_first(retriever: Retriever) -> None:
    assert retrieve(retriever, first("What does a hotel cost?"))[0].evidence.text == HOTEL


def test_behind_a_table_stand_its_rows_that_match_the_question(retriever: Retriever) -> None:
    found = [hit.evidence for hit in retrieve(retriever, first("Which machines failed?"), k=1)]
    assert found[0].table_number == 1
    assert ROWS[1] in found


def test_whoever_asks_what_a_thing_is_finds_the_opening_of_its_page_first(
    store: EvidenceStore,
) -> None:
    said = [piece(f"Step {n} of INC-118.", "7", heading_path=("Timeline",)) for n in range(12)]
    summary = piece("All sorters stood still.", "7", heading_path=("Summary",), position=99)
    put(store, page("7", "Post-mortem INC-118"), *said, summary)
    retriever = Retriever(searching(store))
    assert retrieve(retriever, first("What was INC-118?"))[0].evidence == summary
    assert retrieve(retriever, first("When was INC-118?"))[0].evidence != summary


def test_what_a_reader_may_not_see_is_no_opening(store: EvidenceStore) -> None:
    open_piece = piece("Step 1 of INC-118.", "7", heading_path=("Timeline",))
    closed = piece("All sorters stood still.", "7", heading_path=("Summary",), acl_id="few")
    put(store, page("7", "Post-mortem INC-118"), open_piece, closed)
    found = retrieve(Retriever(searching(store)), first("What was INC-118?"))
    assert [hit.evidence for hit in found] == [open_piece]


def test_every_piece_is_found_once(retriever: Retriever) -> None:
    found = retrieve(
        retriever,
        by_rules("Which machine failed?", [Past("Which machines were tested?", title="Machines")]),
    )
    assert set(Counter(hit.evidence.id for hit in found).values()) == {1}


def test_a_follow_up_that_leaves_the_topic_finds_its_own_words_too_and_they_stand_aside(
    retriever: Retriever,
) -> None:
    completed = by_rules(
        "A hotel?",
        [Past("Which machines have passed and which machines have failed?", title="Machines")],
    )
    found = retrieve(retriever, completed, k=1)
    by_itself = [hit for hit in found if hit.aside]
    assert found[0].page.title == "Machines"
    assert HOTEL in [hit.evidence.text for hit in by_itself]
    assert (
        max(hit.score for hit in by_itself) <= found[0].score
    )  # scores of two searches, brought to one height


def test_a_question_that_stands_alone_is_searched_without_its_conversation(
    store: EvidenceStore, retriever: Retriever
) -> None:
    for number in range(10, 22):  # found before the machines
        gate = f"Gate {number}"
        put(store, page(str(number), gate), piece(f"{gate} has its hour.", str(number)))
    past = Past("Has the status of machine Lumo 4260 in the table failed?", title="Machines")
    question = "At which hour does the nightly database backup begin?"
    found = retriever.retrieve(by_rules(question, [past]), k=1)
    assert found.context_dropped
    assert [hit.evidence.text for hit in found.hits] == [BACKUP]


def test_a_question_that_leans_on_its_conversation_is_searched_with_it(
    retriever: Retriever,
) -> None:
    past = Past("When does the backup of the harbour database run?", title="Page 4")
    found = retriever.retrieve(by_rules("And how long does it take?", [past]))
    assert not found.context_dropped
    assert found.hits[0].page.title == "Page 4"


def test_what_a_message_tells_is_searched_where_it_helps(
    store: EvidenceStore, retriever: Retriever
) -> None:
    for number, city in enumerate(("Aarhus", "Gdynia", "Wien"), start=30):
        hotel = f"A hotel in {city} costs {number} EUR."
        put(store, page(str(number), f"Hotels in {city}"), piece(hotel, str(number)))
    question = "How much does a hotel cost?"
    told = {"I am flying to Gdynia.": "31", "I began on the second floor.": ""}
    for sentence, wanted in told.items():
        asked = Completed(question=question, text=question, context=(sentence,))
        found = retriever.retrieve(asked, k=1)
        assert found.context_dropped is not bool(wanted)
        assert wanted in ("", found.hits[0].page.id)


def test_what_a_filter_leaves_out_does_not_come_in_by_the_own_words_of_a_follow_up(
    store: EvidenceStore,
) -> None:
    put(store, page("1", "Machines", space="ENG"), piece("Lumo 3180 passed the test.", "1"))
    put(store, page("2", "Hotels"), piece(HOTEL, "2"))
    with store.database.session() as session:
        session.exec(
            update(IndexRow).values(collection="", embedder="")
        )  # found by words alone, and "hotel" stands in no page of ENG
    asked = by_rules(
        "What does a hotel cost in ENG?", [Past("Which machines were tested?", title="Machines")]
    )
    in_eng = Condition(field=Field.SPACE, value="ENG", said="in ENG")
    found = Retriever(searching(store)).retrieve(asked.model_copy(update={"conditions": (in_eng,)}))
    assert not found.conditions_dropped
    assert [hit.page.id for hit in found.hits] == ["1"]
