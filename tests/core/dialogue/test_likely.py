"""The trained reader: what a message means whose words no list holds."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from core.dialogue.likely import Likely, Meaning, likely
from core.dialogue.message import Line, Message, Place
from core.dialogue.trained import LONGEST_BEFORE, LONGEST_TEXT, row_of
from core.encoder.bundled import encoder

ANSWERED = (Line("Ana", "how much may a hotel cost?"), Line("bot", "110 EUR", by_bot=True))


def meant(text: str, who: str = "Ana") -> Likely:
    return likely(Message(text, who, Place.THREAD, before=ANSWERED))


@pytest.mark.parametrize(
    ("text", "who", "meaning"),
    [
        ("magnificent, you clever thing", "Ana", Meaning.THANKS),
        ("großes Kino", "Ana", Meaning.THANKS),
        ("what utter garbage", "Ana", Meaning.COMPLAINT),
        ("is it more at weekends?", "Ana", Meaning.FOLLOW),
        ("are you coming on Thursday?", "Ben", Meaning.PERSON),
        ("we stayed there in spring, the rooms were tiny", "Ben", Meaning.TALK),
    ],
)
def test_meaning_is_read_without_a_list_of_its_words(text: str, who: str, meaning: Meaning) -> None:
    assert meant(text, who).best_of(*Meaning) is meaning


def test_the_likelihoods_of_all_meanings_are_one_together() -> None:
    found = meant("and in Lisbon?")
    assert set(found.of) == set(Meaning)
    assert found.any_of(*Meaning) == pytest.approx(1)


def test_messages_that_come_together_are_read_as_one_by_one() -> None:
    texts = [f"is that the same in room {number}?" for number in range(40)]
    with ThreadPoolExecutor(8) as threads:
        together = list(threads.map(meant, texts))
    for text, found in zip(texts, together, strict=True):
        assert found.of == pytest.approx(meant(text).of, abs=1e-6)


def test_what_was_said_before_says_what_the_same_words_mean() -> None:
    text = "and on Sundays?"
    to_the_bot = meant(text).any_of(Meaning.ASK, Meaning.FOLLOW)
    said = (*ANSWERED, Line("Ben", "I work on Saturdays"), Line("Ana", "poor you, Ben!"))
    to_a_person = likely(Message(text, "Ana", Place.THREAD, before=said))
    assert to_the_bot > to_a_person.any_of(Meaning.ASK, Meaning.FOLLOW)


def test_of_a_long_message_both_ends_are_read_and_of_what_was_said_before_the_last() -> None:
    pieces = encoder()[1]
    said = tuple(Line("Ben", f"line {number} " * 40) for number in range(9))
    row = row_of(Message("word " * 300 + "end?", "Ana", Place.THREAD, before=said), pieces)
    assert len(row.tokens) <= LONGEST_BEFORE + LONGEST_TEXT + 4
    assert row.tokens[1:3] == pieces.encode("thread.").ids[:2]
    assert list(row.tokens[-3:-1]) == pieces.encode("end?").ids
    assert row.kinds.count(1) == LONGEST_TEXT + 1


def test_names_say_nothing_of_a_message() -> None:
    pieces = encoder()[1]
    rows = []
    for ana, ben in (("Ana", "Ben"), ("U1", "U2")):
        said = (Line(ana, "who pays?"), Line("bot", "", by_bot=True), Line(ben, "not me"))
        rows.append(row_of(Message("who then?", ana, Place.THREAD, before=said), pieces))
    assert rows[0] == rows[1]
