"""Answers without a model: the right sentence, cells or list, or nothing."""

from __future__ import annotations

import pytest
from wiki import BACKUP, HOTEL, LEAVE, hit, page, piece, row

from core.models import Completed, Hit, Kind
from worker.extract import Extractor

STEPS = piece(
    "- Unplug it\n- Wait\n- Plug it in", kind=Kind.LIST, raw="- Unplug it\n- Wait\n- Plug it in", heading_path=("Restart the router",)
)
ROUTER = page("7", "Router")
MACHINES = [
    row(1, Machine="Lumo SkyLift 3180", Status="passed", Tester="Alice"),
    row(2, Machine="Lumo SkyLift 4260", Status="failed", Tester="Ben"),
]


def ask(extractor: Extractor, question: str, *hits: Hit, context: tuple[str, ...] = ()) -> str | None:
    return extractor.extract(Completed(question=question, text=question, context=context), hits)


def test_the_sentence_that_answers_is_quoted_with_its_citation(extractor: Extractor) -> None:
    hits = [hit(BACKUP), hit(f"{LEAVE} {HOTEL}")]
    assert ask(extractor, "What does a hotel in Porto cost?", *hits) == f"“{HOTEL}” [2]"


def test_of_a_row_the_cell_that_was_asked_for_is_quoted_under_the_name_of_the_row(extractor: Extractor) -> None:
    hits = [hit(machine) for machine in MACHINES]
    assert ask(extractor, "What is the status of the Lumo SkyLift 4260?", *hits) == "**Lumo SkyLift 4260**: Status is failed [2]"


def test_of_a_row_whose_column_was_not_named_all_cells_are_quoted(extractor: Extractor) -> None:
    hits = [hit(machine) for machine in MACHINES]
    assert ask(extractor, "What about the Lumo SkyLift 4260?", *hits) == "**Lumo SkyLift 4260**: Status is failed; Tester is Ben [2]"


def test_the_conversation_may_say_which_row_is_meant(extractor: Extractor) -> None:
    hits = [hit(machine) for machine in MACHINES]
    answer = ask(extractor, "Who was the tester?", *hits, context=("Lumo SkyLift 3180",))
    assert answer == "**Lumo SkyLift 3180**: Tester is Alice [1]"


def test_a_list_is_quoted_whole_when_it_was_asked_for(extractor: Extractor) -> None:
    assert ask(extractor, "How do I restart the router?", hit(STEPS, ROUTER)) == "- Unplug it\n- Wait\n- Plug it in\n[1]"


def test_a_long_list_says_how_much_is_left_out(extractor: Extractor) -> None:
    items = "\n".join(f"- Restart router {n}" for n in range(20))
    answer = ask(extractor, "Which steps restart the router?", hit(piece(items, kind=Kind.LIST, raw=items), ROUTER))
    assert answer is not None
    assert answer.splitlines()[-2:] == ["… and 8 more", "[1]"]


def test_footnotes_of_a_page_are_not_quoted_as_citations(extractor: Extractor) -> None:
    assert ask(extractor, "What does a hotel in Porto cost?", hit(f"{HOTEL[:-1]} [2].")) == f"“{HOTEL[:-1]} (2).” [1]"


@pytest.mark.parametrize("question", ["Who won the chess tournament?", "Wie heißt der Hund des Nachbarn?"])
def test_what_nothing_answers_is_not_answered(extractor: Extractor, question: str) -> None:
    assert ask(extractor, question, hit(HOTEL, score=-1.0), hit(LEAVE, score=-1.0)) is None


def test_without_evidence_there_is_no_answer(extractor: Extractor) -> None:
    assert ask(extractor, "What does a hotel in Porto cost?") is None


def test_two_pages_that_say_the_same_are_quoted_once_and_both_cited(extractor: Extractor) -> None:
    answer = ask(extractor, "What does a hotel in Porto cost?", hit(HOTEL, page("1")), hit(HOTEL, page("2")))
    assert answer == f"“{HOTEL}” [1][2]"


def test_taking_the_quoted_piece_away_changes_the_answer(extractor: Extractor) -> None:
    question, hits = "What does a hotel in Porto cost?", [hit(HOTEL), hit(LEAVE)]
    with_it, without_it = ask(extractor, question, *hits), ask(extractor, question, *hits[1:])
    assert with_it == f"“{HOTEL}” [1]"
    assert without_it != with_it


def test_taking_another_piece_away_changes_nothing_but_numbers(extractor: Extractor) -> None:
    question = "What does a hotel in Porto cost?"
    assert ask(extractor, question, hit(HOTEL), hit(LEAVE), hit(BACKUP)) == ask(extractor, question, hit(HOTEL), hit(BACKUP))
