"""Standing alone: a question whose own words surely find their page needs no conversation."""

from __future__ import annotations

import pytest
from wiki import page, piece

from core.models import Hit
from core.question import Completed
from worker.answerability.gate import LET_THROUGH, Judgement
from worker.question.rewrite import Completer, Past
from worker.question.standing_alone import (
    by_own_words,
    is_better_alone,
    is_surer,
    stands_alone,
)

ASKED = "How high is the crane of the northern quay?"


def hit(number: int, *, score: float, dense: float) -> Hit:
    identifier = str(number)
    return Hit(
        evidence=piece(f"Text {number}.", identifier),
        page=page(identifier),
        score=score,
        dense=dense,
    )


SURE = (hit(1, score=6.0, dense=0.8), hit(2, score=1.0, dense=0.2))
UNSURE = tuple(hit(number, score=1.0, dense=0.1) for number in (3, 4, 5, 6))

REFUSED = Judgement(is_answerable=False, probability=0.2, signs={"any": 1.0})


def read(probability: float, *, answerable: bool = True) -> Judgement:
    return Judgement(answerable, probability, {"any": 1.0})


def follow_up(question: str) -> Completed:
    before = Past(question="How many days of leave do I get?", answer="")
    completed, _ = Completer(None).complete(question, [before], deadline=0)
    assert completed.context
    return completed


def test_a_question_that_surely_finds_another_page_stands_alone() -> None:
    assert stands_alone(ASKED, SURE, UNSURE)


def test_a_question_that_is_sure_of_nothing_leans_on_its_conversation() -> None:
    assert not stands_alone(ASKED, UNSURE, SURE)


def test_a_question_that_finds_the_page_of_its_conversation_too_leans_on_it() -> None:
    assert not stands_alone(ASKED, (*SURE, UNSURE[0]), UNSURE)


def test_a_few_words_lean_on_their_conversation_whatever_they_find() -> None:
    assert not stands_alone("And the crane?", SURE, UNSURE)


def test_a_question_that_finds_nothing_leans_on_its_conversation() -> None:
    assert not stands_alone(ASKED, (), UNSURE)
    assert not stands_alone(ASKED, SURE, ())


def test_what_a_message_tells_is_left_out_where_the_question_is_as_sure_without_it() -> None:
    assert is_surer(ASKED, SURE, UNSURE)
    assert is_surer(ASKED, SURE, SURE)
    assert is_surer(ASKED, SURE, ())
    assert not is_surer(ASKED, UNSURE, SURE)
    assert not is_surer(ASKED, (), SURE)


@pytest.mark.parametrize(
    "question",
    [
        "Can I claim that, and by when?",
        "Who has to approve it?",
        "does this include the taxes",
        "Wer kann das korrigieren? Oder darf ich das?",
        "Wie lange gilt das?",
        "was muss ich dafür tun",
        "Can it be reset?",
        "Was war die Ursache dieses Vorfalls?",
        "How do I get a new one?",
        "Who do I have to ask for the blue ones?",
        "Wo bekomme ich einen neuen?",
        "Wie ist das Passwort dort?",
        "Wie viele Schilder kann man da eintragen?",
        "How do I get there by train?",
        "Wie erreiche ich den?",
    ],
)
def test_a_question_that_points_back_keeps_what_its_message_tells(question: str) -> None:
    assert not is_surer(question, SURE, UNSURE)


@pytest.mark.parametrize(
    "question",
    [
        "Is there a form for overtime?",
        "Who do I call in IT?",
        "Wie komme ich nach Dortmund?",
        "Is health insurance paid for our families?",
        "Which one of the offices has a canteen?",
        "How many days are there in a sprint?",
        "What if there is a fire?",
    ],
)
def test_a_word_that_only_looks_so_points_nowhere(question: str) -> None:
    assert is_surer(question, SURE, UNSURE)


@pytest.mark.parametrize(
    ("message", "alone"),
    [
        ("I started on Monday. How much may a hotel cost?", "How much may a hotel cost?"),
        ("The belt makes a noise\nwho is on call", "who is on call"),
        ("How much may a hotel cost?", ""),  # that is all of it
        ("I lost my badge in Kassel. How do I get a new one?", ""),  # leans on what is told
        ("I lost my badge. What now?", ""),  # says nothing by itself
    ],
)
def test_of_a_short_message_the_question_may_be_asked_alone(message: str, alone: str) -> None:
    completed, _ = Completer(None).complete(message, [], deadline=0)
    assert completed.text == " ".join(message.split())
    found = by_own_words(completed, REFUSED)
    assert (found.text if found else "") == alone
    assert by_own_words(completed, LET_THROUGH) is None
    assert is_better_alone(completed, REFUSED, REFUSED)


@pytest.mark.parametrize(
    ("question", "has_left"),
    [
        ("How much may a hotel in Aarhus cost?", True),
        ("and how much may a hotel in Aarhus cost?", False),  # goes on
        ("How much does that cost in Aarhus per night?", False),  # points back
        ("Aarhus?", False),  # says too little
        ("Phone number?", False),  # of what was spoken of
        ("What is the night bonus for them?", False),
        ("Which hours are open there?", False),
        ("Which hours are open there on Sunday mornings?", False),
        ("Where is the phone?", False),  # says too little
        ("Who leads the Vision?", True),
    ],
)
def test_a_follow_up_without_an_answer_is_better_alone_where_it_may_have_left_its_conversation(
    question: str, has_left: bool
) -> None:
    completed = follow_up(question)
    assert is_better_alone(completed, REFUSED, REFUSED) is has_left
    by_model = completed.model_copy(update={"by": "a model"})
    assert by_own_words(by_model, REFUSED) is None


@pytest.mark.parametrize(
    ("question", "alone", "together", "is_better"),
    [
        ("Who leads the Vision team?", 0.9, 0.4, True),
        ("Who leads the Vision team?", 0.7, 0.6, False),  # hardly surer
        ("And the Vision team?", 0.9, 0.4, False),  # goes on
        ("And the Vision team?", 0.95, 0.15, True),  # nothing is found but for its own words
        ("Does this hold for the Vision team?", 0.95, 0.3, True),
        ("Does this hold for the Vision team?", 0.9, 0.4, False),  # points back
        ("Vision?", 0.9, 0.4, False),  # says little
        ("Who leads the Vision team there?", 0.97, 0.1, False),  # surely leans on it
        ("And if the Vision team is ill on Monday?", 0.97, 0.1, False),  # a case of it
        ("And if the Vision team is ill, who is on call?", 0.97, 0.1, True),
    ],
)
def test_a_follow_up_is_better_alone_where_it_is_answered_much_more_surely(
    question: str, alone: float, together: float, is_better: bool
) -> None:
    completed = follow_up(question)
    assert is_better_alone(completed, read(alone), read(together)) is is_better
    assert not is_better_alone(completed, read(alone, answerable=False), read(together))


def test_no_search_is_made_that_could_not_be_better() -> None:
    completed = follow_up("Who leads the Vision team?")
    assert by_own_words(completed, read(0.4)) == by_own_words(completed, REFUSED)
    assert by_own_words(completed, read(0.97)) is None


def test_what_nobody_has_judged_keeps_its_conversation() -> None:
    assert by_own_words(follow_up("Who leads the Vision team?"), LET_THROUGH) is None
