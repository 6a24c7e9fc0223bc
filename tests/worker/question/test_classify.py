"""What a question asks for, by rules."""

from __future__ import annotations

import time

import pytest

from core.question import Completed, QuestionKind
from evaluation.retrieval.routing import labelled, report
from worker.question.classify import classify, pieces
from worker.question.patterns import RULES
from worker.question.rewrite import Past, by_rules

FLOOR = 0.9


def kind(question: str) -> QuestionKind:
    return classify(Completed(question=question, text=question))


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Is it true that the cause of INC-118 is known?", QuestionKind.CONFIRMATION),
        ("How many parcels does a Siskin sort?", QuestionKind.FACTOID),
        ("Which status does the crane have?", QuestionKind.FACTOID),
        ("Which cranes are locked?", QuestionKind.LIST),
        ("Is the Heron faster than the Osprey?", QuestionKind.COMPARISON),
        ("Is the trip longer than 6 hours?", QuestionKind.CONFIRMATION),
        ("How do I lock a crane?", QuestionKind.PROCEDURE),
        ("What was the cause?", QuestionKind.CAUSE),
        ("What if the wind is strong?", QuestionKind.HYPOTHETICAL),
        ("For the new office, who has the key?", QuestionKind.FACTOID),
        ("Was ist mit dem Kran?", QuestionKind.FACTOID),
        ("Was TERN-2238 fixed?", QuestionKind.CONFIRMATION),
        ("Kan ik een kraan huren", QuestionKind.FACTOID),
        ("", QuestionKind.FACTOID),
    ],
)
def test_the_words_of_a_question_say_what_it_asks_for(
    question: str, expected: QuestionKind
) -> None:
    assert kind(question) is expected


def test_a_follow_up_that_says_too_little_goes_on_with_the_question_before_it() -> None:
    completed = by_rules(
        "And in Porto?", [Past("Which offices have a canteen in Aarhus?", "", "How to find us")]
    )
    assert classify(completed) is QuestionKind.LIST


def test_a_follow_up_with_words_of_its_own_is_no_longer_what_the_question_before_it_was() -> None:
    assert classify(by_rules("Why?", [Past("Which offices have a canteen?")])) is QuestionKind.CAUSE


def test_a_follow_up_completed_by_a_model_is_told_by_its_completed_text() -> None:
    completed = Completed(
        question="And in Porto?", text="Which offices in Porto have a canteen?", by="model"
    )
    assert classify(completed) is QuestionKind.LIST


def test_no_kind_gets_fewer_pieces_than_the_paper_gives_and_lists_and_comparisons_get_more() -> (
    None
):
    assert min(pieces(kind) for kind in QuestionKind) == 10
    assert (
        pieces(QuestionKind.LIST) == pieces(QuestionKind.COMPARISON) > pieces(QuestionKind.FACTOID)
    )


def test_every_kind_has_rules() -> None:
    assert {kind for kind, _ in RULES} == set(QuestionKind)


@pytest.mark.parametrize(
    "words", ["welche which what ", "what more should or ", "how wie was ist, "]
)
def test_a_question_as_long_as_a_message_may_be_is_routed_at_once(words: str) -> None:
    short, long = seconds(words * 50), seconds(words * 200)
    assert long < 64 * short  # no worse than the third power; measured: 4 to 16 times


def seconds(question: str) -> float:
    """Of the processor, at best."""

    def once() -> float:
        began = time.thread_time()
        kind(question)
        return time.thread_time() - began

    return min(once() for _ in range(3))


def test_the_labelled_questions_are_eighty_or_more_a_third_german_a_third_held_out() -> None:
    questions = labelled()
    assert len(questions) >= 80
    assert 0.3 <= sum(q.language == "de" for q in questions) / len(questions) <= 0.4
    assert 0.3 <= sum(q.held for q in questions) / len(questions) <= 0.4


@pytest.mark.parametrize("part", ["held out", "follow-ups", "en", "de", *QuestionKind])
def test_nine_of_ten_labelled_questions_are_routed_right(part: str) -> None:
    assert report(labelled())[part]["accuracy"] >= FLOOR
