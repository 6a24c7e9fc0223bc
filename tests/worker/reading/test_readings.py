"""Each piece is read once for a question, and by the places of its own text."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from wiki import HOTEL, hit, page, piece, row

from core.question import Completed
from worker.reading import readings as module
from worker.reading.reader import AnswerReading, TextReader, bundled, says
from worker.reading.readings import Readings

ASKED = Completed(question="How much?", text="How much?", context=("Hotels in Porto",))
TRAVEL = page("1", "Travel costs")
FOUND = hit(piece(HOTEL, "1"), TRAVEL)
SPARES = "EOL 2022-12, spares until 2029-12"
OTHER = hit(piece("Trains are booked in the portal.", "2"), TRAVEL)


class Counting(TextReader):
    """The shipped reader; it counts what it is given."""

    def __init__(self) -> None:
        self.given: list[tuple[str, str, Sequence[str]]] = []

    def read(
        self, question: str, texts: Sequence[str], context: Sequence[str] = ()
    ) -> list[AnswerReading]:
        self.given += [(question, text, context) for text in texts]
        return bundled().read(question, texts, context)


@pytest.fixture
def counting() -> Counting:
    return Counting()


def test_a_piece_is_read_once_with_its_titles_and_the_conversation(counting: Counting) -> None:
    readings = Readings(lambda: counting)
    first = readings.of(ASKED, [FOUND, OTHER, FOUND])
    assert readings.of(ASKED, [OTHER]) == [first[1]]
    assert counting.given == [
        ("How much?", f"Travel costs. {each.evidence.text}", ("Hotels in Porto",))
        for each in (FOUND, OTHER)
    ]


def test_the_answer_is_found_in_the_text_of_the_piece(counting: Counting) -> None:
    reading = Readings(lambda: counting).of(ASKED, [FOUND])[0]
    assert "110 EUR" in HOTEL
    assert says(reading.said, "110 EUR")
    assert reading.said in HOTEL


def test_an_answer_in_the_title_has_no_words_in_the_text() -> None:
    class Titled(Counting):
        def read(
            self, question: str, texts: Sequence[str], context: Sequence[str] = ()
        ) -> list[AnswerReading]:
            return [AnswerReading(1.0, 0, len("Travel")) for _ in texts]

    reading = Readings(Titled).of(ASKED, [FOUND])[0]
    assert reading.said == ""


def test_a_row_is_read_under_the_header_of_its_table(counting: Counting) -> None:
    asked = "parts for the old VX-180, until when?"
    one = row(4, Model="VX-180", Band="100 kHz", Port="RS-485", Price="–", Status=SPARES)
    models = page("2", "Models")
    completed = Completed(question=asked, text=asked)
    reading = Readings(lambda: counting).of(completed, [hit(one, models)])[0]
    ((_, text, _),) = counting.given
    assert text == (
        f"Models. Model | Band | Port | Price | Status\nVX-180 | 100 kHz | RS-485 | – | {SPARES}"
    )
    assert says(reading.said, "2029-12")
    # As the sentence that it is found by, it is hardly known for an answer.
    (sentence,) = bundled().read(asked, [f"Models. {one.text}"])
    assert reading.answers > sentence.answers + 1


def test_not_everything_is_remembered_for_ever(
    counting: Counting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "REMEMBERED", 2)
    readings = Readings(lambda: counting)
    readings.of(ASKED, [FOUND, OTHER])
    readings.of(ASKED, [hit(piece("A third.", "3"), TRAVEL)])
    readings.of(ASKED, [FOUND])
    assert len(counting.given) == 4
