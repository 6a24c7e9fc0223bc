"""The reader that is shipped: what answers, what does not, and with which words."""

from __future__ import annotations

import pytest

from worker.reading.reader import AT_ONCE, TextReader, bundled, probability

HOTELS = (
    "Travel policy. Hotels. A hotel in Porto may cost up to 110 EUR a night, in Aarhus 150 EUR."
)
BOOKING = "Travel policy. Hotels. Hotels are booked in the travel portal."
OFFICE = "Porto office. The office in Porto is beside the station; ring twice."


@pytest.fixture(scope="module")
def reader() -> TextReader:
    return bundled()


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How much may a hotel in Porto cost per night?", "110 EUR"),
        ("wie teuer darf ein hotel in porto sein", "110 EUR"),
        ("What does a hotel in Aarhus cost?", "150 EUR"),
    ],
)
def test_it_finds_the_words_that_answer(reader: TextReader, question: str, answer: str) -> None:
    best, *others = reader.read(question, [HOTELS, BOOKING, OFFICE])
    assert answer in HOTELS[best.start : best.end]
    assert best.answers > max(each.answers for each in others)
    assert best.answers > 0


def test_the_same_page_without_the_sentence_answers_less(reader: TextReader) -> None:
    with_it, without = reader.read(
        "How long are backups kept?",
        [
            "Backups. Each gateway is backed up at night. Backups are kept for 35 days.",
            "Backups. Each gateway is backed up at night. The bucket is in Frankfurt.",
        ],
    )
    assert with_it.answers > without.answers + 1


def test_texts_are_read_each_for_itself(reader: TextReader) -> None:
    """What stands beside a text changes nothing but the last digits."""
    alone = [reader.read("How much is a hotel?", [each])[0] for each in (HOTELS, BOOKING)]
    together = reader.read("How much is a hotel?", [HOTELS, BOOKING])
    assert [each.answers for each in together] == pytest.approx(
        [each.answers for each in alone], abs=1e-3
    )
    assert [each[1:3] for each in together] == [each[1:3] for each in alone]


def test_what_is_long_or_empty_is_read_too(reader: TextReader) -> None:
    assert reader.read("Anything?", []) == []
    readings = reader.read("How much? " * 60, ["", "word " * 5_000, "日本語 😀 \x00"])
    assert all(0 <= probability(each.answers) <= 1 for each in readings)
    assert readings[0][1:3] == (0, 0)


def test_of_a_long_question_the_end_counts(reader: TextReader) -> None:
    """People who explain themselves in one sentence ask at its end."""
    explained = "as I shall see a customer there next week and have to book something today, "
    asked = "how much may a hotel in Porto cost per night?"
    hotels, booking = reader.read(explained + asked, [HOTELS, BOOKING])
    assert hotels.answers > booking.answers
    assert "110 EUR" in HOTELS[hotels.start : hotels.end]
    very_long = reader.read("x " * 500 + asked, [HOTELS])
    assert very_long == reader.read("x " * 300 + asked, [HOTELS])


def test_what_the_conversation_adds_has_the_room_that_the_question_leaves(
    reader: TextReader,
) -> None:
    asked = "and what about a night"
    beside = reader.read(asked, [HOTELS], ["in Aarhus"])
    assert beside == reader.read(f"{asked} in Aarhus", [HOTELS])
    crowded = "How much may a hotel in Porto cost? " * 8
    assert reader.read(crowded, [HOTELS], ["in Aarhus"]) == reader.read(crowded, [HOTELS])


def test_many_texts_are_read_in_parts(reader: TextReader) -> None:
    texts = [f"{HOTELS} Number {number}." for number in range(AT_ONCE + 2)]
    together = reader.read("How much is a hotel?", texts)
    alone = [reader.read("How much is a hotel?", [text])[0] for text in texts]
    assert [each.answers for each in together] == pytest.approx(
        [each.answers for each in alone], abs=1e-3
    )
