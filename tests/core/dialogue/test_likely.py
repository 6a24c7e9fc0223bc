"""The fitted reader: what a message means whose words no list holds."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from core.dialogue.likely import Likely, Meaning, likely
from core.dialogue.message import Line, Message, Place
from core.dialogue.reading import read

ANSWERED = (Line("Ana", "how much may a hotel cost?"), Line("bot", "110 EUR", by_bot=True))


def meant(text: str, who: str = "Ana") -> Likely:
    return likely(Message(text, who, Place.THREAD, before=ANSWERED), read(text))


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
    assert meant(text, who).best is meaning


def test_the_likelihoods_of_all_meanings_are_one_together() -> None:
    found = meant("and in Lisbon?")
    assert set(found.of) == set(Meaning)
    assert found.any_of(*Meaning) == pytest.approx(1)


def test_messages_that_come_together_are_read_as_one_by_one() -> None:
    texts = [f"is that the same in room {number}?" for number in range(40)]
    with ThreadPoolExecutor(8) as threads:
        together = list(threads.map(meant, texts))
    for text, found in zip(texts, together, strict=True):
        assert found.of == pytest.approx(meant(text).of)
