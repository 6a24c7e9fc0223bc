"""Context expansion: the rest of the hits' blocks, and whole tables for questions over all rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from wiki import hit, page, piece, put, row

from core.evidence import EvidenceStore
from core.evidence.blocks import Blocks
from core.models import Evidence, Hit, Kind
from core.policy.acl import EVERYBODY
from core.question import Completed, QuestionKind
from indexer.evidence.build import evidence
from indexer.parse import parse
from worker.retrieval.expand import EvidenceExpander, TableExpander, over_all_rows

HEADED = {"heading_path": ("Cranes",)}


def passages(*texts: str, start: int = 0, **more: Any) -> list[Evidence]:
    return [
        piece(text, position=start + number, **(HEADED | more)) for number, text in enumerate(texts)
    ]


def widened(
    store: EvidenceStore,
    stored: Sequence[Evidence],
    found: Sequence[Evidence],
    question: str = "Which?",
    **more: Any,
) -> list[Hit]:
    put(store, page("1"), *stored)
    completed = Completed(question=question, text=question, **more)
    return list(
        EvidenceExpander(Blocks(store.database)).expand(
            completed, [hit(each, page("1")) for each in found], EVERYBODY
        )
    )


def block(of: Hit) -> list[str]:
    return [each.text for each in of.block]


def test_a_hit_brings_the_pieces_that_it_was_cut_from(store: EvidenceStore) -> None:
    stored = [
        *passages("One.", "Two.", "Three."),
        *passages("Elsewhere.", start=3, heading_path=("Winches",)),
    ]
    (found,) = widened(store, stored, stored[1:2])
    assert block(found) == ["One.", "Three."]


def test_a_block_ends_where_something_else_stands(store: EvidenceStore) -> None:
    stored = [
        *passages("One."),
        *passages("- item", start=1, kind=Kind.LIST),
        *passages("Two.", "Three.", start=2),
    ]
    (found,) = widened(store, stored, stored[2:3])
    assert block(found) == ["Three."]


def test_two_hits_of_one_block_share_it_by_distance(store: EvidenceStore) -> None:
    stored = passages(*(f"Sentence {number}." for number in range(6)))
    first, second = widened(store, stored, [stored[4], stored[1]])
    assert block(first) == ["Sentence 3.", "Sentence 5."]
    assert block(second) == ["Sentence 0.", "Sentence 2."]


def test_of_a_long_section_the_nearest_pieces_come(store: EvidenceStore) -> None:
    stored = passages(*(f"Sentence {number}." for number in range(40)))
    (found,) = widened(store, stored, stored[20:21])
    assert [each.position for each in found.block] == [*range(14, 20), *range(21, 27)]


@pytest.mark.parametrize("kind", [Kind.CODE, Kind.CHILD_PAGES])
def test_what_is_never_cut_brings_nothing(store: EvidenceStore, kind: Kind) -> None:
    stored = passages("a = 1", "b = 2", kind=kind)
    assert block(widened(store, stored, stored[:1])[0]) == []


def test_a_piece_of_a_page_that_has_changed_meanwhile_brings_nothing(store: EvidenceStore) -> None:
    (found,) = widened(store, passages("One.", "Two."), passages("Before the edit."))
    assert block(found) == []


def test_for_a_question_over_all_rows_the_table_is_completed_in_order(store: EvidenceStore) -> None:
    rows = [row(number, Crane=f"SkyLift {number}") for number in (3, 1, 2)]
    other = row(1, table=2, Crane="Winch")
    hits = widened(store, [*rows, other], rows[:1], "How many cranes are there?")
    assert [each.evidence.row for each in hits] == [3, 1, 2]
    assert [each.table_rows for each in hits] == [0, 3, 3]
    assert [each.score for each in hits] == [2.0, 0.0, 0.0]


def test_another_question_gets_the_rows_that_were_found(store: EvidenceStore) -> None:
    rows = [row(number, Crane=f"SkyLift {number}") for number in (1, 2)]
    assert len(widened(store, rows, rows[:1], "Who tests SkyLift 1?")) == 1
    assert len(widened(store, rows, rows[:1], "Who tests them?", kind=QuestionKind.LIST)) == 2


def test_a_table_that_ranks_low_is_not_completed(store: EvidenceStore) -> None:
    rows = [row(number, Crane=f"SkyLift {number}") for number in (1, 2)]
    above = [piece(f"Sentence {number}.", position=10 + 2 * number) for number in range(5)]
    assert len(widened(store, [*above, *rows], [*above, rows[0]], "How many cranes?")) == 6


@pytest.mark.parametrize(
    "question",
    [
        "How many cranes failed?",
        "Which crane failed most often?",
        "What is the largest crane?",
        "What is the total of all repairs?",
        "What was the average duration?",
        "Compare the two cranes.",
        "Which winches cost more than 500 EUR?",
        "Wie viele Krane sind ausgefallen?",
        "Welcher Kran ist der größte?",
        "Wie hoch ist der Durchschnitt?",
        "Welche Krane haben mindestens zwei Ausfälle?",
        "Nenne alle Krane.",
    ],
)
def test_questions_over_all_rows_are_known(question: str) -> None:
    assert over_all_rows(Completed(question=question, text=question))


@pytest.mark.parametrize(
    "question",
    [
        "Who tests the SkyLift 3180?",
        "Wer prüft den Kran?",
        "When is the test?",
        "Was bedeutet F-24?",
    ],
)
def test_other_questions_are_not(question: str) -> None:
    assert not over_all_rows(Completed(question=question, text=question))


def test_who_asks_for_tasks_is_given_those_of_the_pages_found(store: EvidenceStore) -> None:
    task = piece("[ ] Order the rope", kind=Kind.TASK, position=20)
    put(store, page("1"), *passages("One.", "Two.", start=10), task)
    hits = [hit(passages("One.", start=10)[0], page("1"))]

    def found(question: str) -> tuple[Hit, ...]:
        completed = Completed(question=question, text=question)
        return TableExpander(Blocks(store.database)).expand(completed, hits, EVERYBODY)

    assert [each.evidence.id for each in found("Which tasks are still open?")[1:]] == [task.id]
    assert found("Where is the rope?") == tuple(hits)


def test_without_a_model_only_tables_are_completed_whatever_is_asked(
    store: EvidenceStore,
) -> None:
    rows = [row(number, Crane=f"K{number}", Quay="North") for number in (1, 2, 3)]
    put(store, page("1"), *passages("One.", "Two.", start=10), *rows)
    expander = TableExpander(Blocks(store.database))
    hits = [hit(rows[1], page("1")), hit(passages("One.", start=10)[0], page("1"))]

    def found(question: str) -> tuple[Hit, ...]:
        completed = Completed(question=question, text=question)
        return expander.expand(completed, hits, EVERYBODY)

    added = found("How many cranes are there?")[len(hits) :]
    assert [(each.evidence.row, each.table_rows) for each in added] == [(1, 3), (3, 3)]
    assert found("Where is K2?")[len(hits) :] == added
    assert not any(each.block for each in found("How many cranes are there?"))


def test_without_a_model_the_parts_of_a_list_come_with_what_was_found_of_it(
    store: EvidenceStore,
) -> None:
    items = "".join(f"<li>Grease bolt {n} with the fat from the red box</li>" for n in range(20))
    body = f"<p>It squeaks.</p><p>Then:</p><ol>{items}</ol>"
    passage, *parts = evidence(page("1"), parse(body))
    put(store, page("1"), passage, *parts)
    completed = Completed(question="How?", text="How?")

    def found(*pieces: Evidence) -> list[list[str]]:
        hits = [hit(each, page("1")) for each in pieces]
        widened = TableExpander(Blocks(store.database)).expand(completed, hits, EVERYBODY)
        return [block(each) for each in widened]

    texts = [part.text for part in parts]
    assert len(texts) > 2
    assert found(parts[1]) == [[texts[0], *texts[2:]]]
    assert found(parts[0], parts[1]) == [[], texts[2:]]
    assert found(passage) == [texts]


def test_without_a_model_a_section_ends_with_itself_and_says_that_it_is_outdated(
    store: EvidenceStore,
) -> None:
    warning = (
        '<ac:structured-macro ac:name="warning"><ac:rich-text-body><p>This section is outdated.</p>'
        "</ac:rich-text-body></ac:structured-macro>"
    )
    body = f"<p>Ask the mate.</p><h2>Phones</h2>{warning}<p>Load the profile.</p>"
    first, notice, last = evidence(page("1"), parse(body))
    put(store, page("1"), first, notice, last)
    completed = Completed(question="How?", text="How?")

    def found(one: Evidence) -> tuple[Hit, ...]:
        hits = [hit(one, page("1"))]
        return TableExpander(Blocks(store.database)).expand(completed, hits, EVERYBODY)

    (own,) = found(first)
    assert first.after.text
    assert not own.evidence.after.text
    assert [each.evidence.id for each in found(last)] == [last.id, notice.id]
