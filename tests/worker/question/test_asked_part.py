"""What a long message asks, and what it tells beside that."""

from __future__ import annotations

import pytest

from worker.question.asked_part import LONG, AskedPart, asked_part

TOLD = (
    "I am flying to Porto on Monday with two colleagues, and my manager asked me this morning to "
    "book something for the three of us."
)
CHAT = "I have looked around in the wiki for an hour and found nothing that helps me with it."


@pytest.mark.parametrize(
    ("message", "asked"),
    [
        (f"Hi all! {TOLD} How much may a hotel cost?", "How much may a hotel cost?"),
        (f"How much may a hotel cost? {TOLD} Thanks!", "How much may a hotel cost?"),
        (f"{TOLD}\nhow much may a hotel cost per night", "how much may a hotel cost per night"),
        (
            f"{TOLD} How much may a hotel cost? And who books the train tickets?",
            "How much may a hotel cost? And who books the train tickets?",
        ),
        (
            "Hallo zusammen, ich bin neu hier und richte gerade meinen Arbeitsplatz ein, das "
            "meiste läuft schon, nur der Zugang fehlt. Wer gibt mir den Ausweis aus? Danke euch!",
            "Wer gibt mir den Ausweis aus?",
        ),
    ],
)
def test_the_sentences_that_ask_are_what_is_asked(message: str, asked: str) -> None:
    assert asked_part(message).asked == asked


def test_what_is_told_beside_it_is_kept_but_for_courtesies() -> None:
    assert asked_part(f"Hi all! {TOLD} How much may a hotel cost? Thanks!") == AskedPart(
        "How much may a hotel cost?", TOLD
    )


def test_a_question_that_says_too_little_keeps_the_sentence_before_it() -> None:
    stolen = "My laptop was stolen on the train this morning."
    found = asked_part(f"{CHAT} {stolen} What do I have to do now?")
    assert found == AskedPart(f"{stolen} What do I have to do now?", CHAT)
    after = asked_part(f"What now? {stolen} {CHAT}")
    assert after == AskedPart(f"What now? {stolen}", CHAT)


@pytest.mark.parametrize(
    "message",
    [
        "Hi! I lost my badge. What now?",  # short
        f"{TOLD} {CHAT}",  # nothing asks
        "how much may a hotel cost " * LONG,  # one sentence
        "What now? Who? Why so? And then? " * 8,  # all of it asks
        "",
    ],
)
def test_else_the_message_is_asked_as_it_stands(message: str) -> None:
    assert asked_part(message) == AskedPart(message)


def test_all_that_is_told_is_one_text_however_many_lines_it_has() -> None:
    log = "\n".join(f"line {number} of a log that somebody pastes" for number in range(200))
    found = asked_part(f"Our gateway writes this:\n{log}\nWhy does the gateway restart?")
    assert found.asked == "Why does the gateway restart?"
    assert found.told.count("of a log") == 200


def test_dates_and_abbreviations_end_no_sentence() -> None:
    message = f"{CHAT} {CHAT} What changes on 15. May for hotels, e.g. in Porto, for our trainees?"
    assert asked_part(message).asked.startswith("What changes on 15. May for hotels, e.g. in Porto")
