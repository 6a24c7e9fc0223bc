"""A question that takes back the one before it: what that had rejected is not searched again."""

from __future__ import annotations

import pytest
from wiki import key

from core.models import Answer, Record
from core.turns.turn import mended
from worker.question.correction import Meant, as_meant
from worker.question.rewrite import Completer, Past, by_rules

FIRST = "Which shed holds the oars that nobody has booked?"
HISTORY = [
    Past(FIRST, "The red one [1].", "Boat sheds"),
    Past("Where are the keys in there?", "On a hook [1].", "Keys"),
]


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("No, I meant the new oars", "the new oars"),
        ("i actually meant the new oars", "the new oars"),
        ("Nein, ich meinte eher die neuen Ruder", "die neuen Ruder"),
        ("no, I mean the new oars", "the new oars"),
    ],
)
def test_what_a_correction_rejects_is_not_searched(said: str, left: str) -> None:
    completed = by_rules(said, HISTORY)
    assert completed.question == left
    assert completed.context == ("Boat sheds", FIRST)
    assert completed.text.endswith(f"{left}?")


def test_a_correction_that_points_back_needs_what_it_points_to() -> None:
    completed = by_rules("I meant what they cost", HISTORY)
    assert completed.question == "what they cost"
    assert completed.context == ("Keys", "Where are the keys in there?")


def test_a_question_that_stood_alone_is_kept_since_it_says_what_is_asked() -> None:
    earlier = ["Who repairs the tug?", "How do I book a boat?"]
    assert as_meant("I meant a canoe", earlier) == Meant("a canoe", 2)
    assert as_meant("I meant a canoe", earlier[1:]) == Meant("a canoe", 1)


@pytest.mark.parametrize(
    "said",
    [
        "not the keys, the oars",
        "not the keys but the oars",
        "I meant the oars, not the keys",
        "the oars instead of the keys",
    ],
)
def test_what_was_not_meant_gives_way_to_what_was(said: str) -> None:
    whole = Meant("Where are the oars in there?", 1, said)
    assert as_meant(said, [FIRST, HISTORY[1].question]) == whole


def test_in_german_too() -> None:
    assert as_meant("nicht die Ruder, sondern die Paddel", ["Wo sind die Ruder?"]).question == (
        "Wo sind die Paddel?"
    )


@pytest.mark.parametrize(
    "said",
    [
        "not a word about paddles, why?",  # of which nothing was asked
        "what does this mean?",
        "I mean, who pays for it?",
        "and who pays for the keys?",
    ],
)
def test_what_corrects_nothing_stays_as_it_is(said: str) -> None:
    assert as_meant(said, [FIRST, HISTORY[1].question]) == Meant(said, 2)


def test_a_first_question_corrects_nothing() -> None:
    assert as_meant("I meant the oars", []) == Meant("I meant the oars", 0)


def test_what_follows_a_correction_leans_on_what_was_meant() -> None:
    history = [*HISTORY, Past("no, I meant the new oars", "In the blue one [1].")]
    completed = by_rules("And the paddles?", history)
    assert completed.context == ("the new oars", FIRST)


def test_what_follows_another_topic_does_not_lean_on_the_one_before() -> None:
    history = [*HISTORY, Past("Something else: who repairs the tug?")]
    assert by_rules("And the crane?", history).context == ("who repairs the tug?",)


def test_a_question_gives_away_what_the_one_gives_away_whose_words_it_takes() -> None:
    pressed = Past("Is the gate open on Friday?", pages=frozenset({key("1")})).asked_with(
        frozenset({key("2")})
    )
    completed, _ = Completer(None).complete("and on Monday?", [pressed], deadline=0)
    assert completed.text == "Is the gate open on Monday?"
    assert completed.pages == completed.origin == (key("2"),)
    later, _ = Completer(None).complete("And why?", [pressed, Past("and on Monday?")], deadline=0)
    assert (later.pages, later.origin) == ((key("2"),), ())


def test_when_the_question_before_is_forgotten_its_words_are_too() -> None:
    completed = by_rules("and on Monday?", [Past("Is the gate of Mr Ash open on Friday?")])
    assert "Ash" in completed.question
    assert completed.is_changed
    record = Record(completed=completed, answer=Answer(text="Yes."))
    left = mended(record).completed
    assert (left.question, left.text, left.forgotten) == ("and on Monday?", "and on Monday?", True)
