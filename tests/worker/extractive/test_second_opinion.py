"""Where the reader would take another piece than words and meaning, both are quoted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from wiki import hit, page, part, piece, row

from core.embeddings.bundled import Bundled
from core.manner import Length
from core.models import Hit, Kind
from core.question import Completed
from worker.extractive.extractor import Extractor
from worker.reading.reader import bundled
from worker.reading.readings import PieceReading, Readings

QUESTION = "customer is angry, whose ok do I need to give him 3000 for free"
ASKED = Completed(question=QUESTION, text=QUESTION, language="en")
WORDS = "Give an angry customer a coffee for free."
COVERS = "Whose ok you need to give an angry customer 3000 of them for free: nobody's."
MEANT = "Goodwill beyond 1,000 EUR is decided by Joern."
THIRD = "Trains are booked in the portal."


class Told(Readings):
    """Has these log-odds for a piece that begins so, and takes these words for its answer."""

    def __init__(self, answers: dict[str, tuple[float, str]]) -> None:
        super().__init__(bundled)
        self._answers = answers

    def of(self, completed: Completed, hits: Sequence[Hit]) -> list[PieceReading]:
        return [self._of(found.evidence.text) for found in hits]

    def _of(self, text: str) -> PieceReading:
        own = (said for begin, said in self._answers.items() if text.startswith(begin))
        return PieceReading(*next(own, (-9.0, "")))


def quoted(
    answers: dict[str, float],
    length: Length = Length.NORMAL,
    *,
    title: str = "Goodwill",
    first: str = WORDS,
) -> str:
    texts = {first: "Coffee", MEANT: title, THIRD: "Trains"}
    hits = [hit(piece(text, name), page(name, name)) for text, name in texts.items()]
    told = Told({text: (odds, "") for text, odds in answers.items()})
    answer = Extractor(Bundled(), lambda _: 1.0, readings=told).extract(ASKED, hits, length)
    assert answer is not None
    return answer


def test_what_the_reader_would_take_stands_second() -> None:
    answer = quoted({WORDS: 2.5, MEANT: 4.5})
    assert answer.index(WORDS) < answer.index(MEANT)
    assert THIRD not in answer


def test_where_the_first_is_not_surely_read_two_more_may_stand_below() -> None:
    unsure = quoted({WORDS: -1.0, MEANT: 1.0, THIRD: 0.9})
    assert all(text in unsure for text in (WORDS, MEANT, THIRD))


def test_what_the_reader_takes_too_stands_alone() -> None:
    assert MEANT not in quoted({WORDS: 4.0, MEANT: 1.0})


def test_a_short_answer_has_no_second_opinion() -> None:
    assert MEANT not in quoted({WORDS: 1.0, MEANT: 4.0}, Length.SHORT)


def test_what_the_reader_thinks_little_of_is_left_out() -> None:
    unsure = quoted({WORDS: 1.5, MEANT: 1.0, THIRD: -2.5})
    assert MEANT in unsure
    assert THIRD not in unsure


@pytest.mark.parametrize("title", ["Goodwill", "Coffee"])
def test_what_has_the_question_word_for_word_stands_alone(title: str) -> None:
    """What has fewer of its words speaks of something else, on the same page as well."""
    answer = quoted({COVERS: 2.5, MEANT: 4.5}, first=COVERS, title=title)
    assert COVERS in answer
    assert MEANT not in answer


def test_a_draft_is_no_second_opinion() -> None:
    assert MEANT not in quoted({WORDS: 2.5, MEANT: 4.5}, title="Goodwill (draft)")


@pytest.mark.parametrize(("kind", "is_shown"), [(Kind.PASSAGE, True), (Kind.CHILD_PAGES, False)])
def test_titles_of_other_pages_are_no_second_opinion(kind: Kind, is_shown: bool) -> None:
    titles = "Child pages: Goodwill beyond 1,000 EUR; Trains"
    there = hit(piece(titles, "home", kind=kind), page("home", "Home"))
    told = Told({WORDS: (2.5, ""), titles: (4.5, "")})
    extractor = Extractor(Bundled(), lambda _: 1.0, readings=told)
    first = hit(piece(WORDS, WORDS), page("1", "Coffee"))
    answer = extractor.extract(ASKED, [first, there])
    assert answer is not None
    assert answer.startswith("Coffee")
    assert ("Trains" in answer) == is_shown


CHILDREN = "Technics looks after pumps.\nChild pages: Pump A1; Quarantine"


@pytest.mark.parametrize(
    ("question", "is_shown"),
    [
        ("show me the subpages of Technics", True),
        ("Zeig mir die Unterseiten von Technics", True),
        ("who heads Technics", False),
        ("how many minutes does Technics need", False),
        ("who orders spare parts for Technics", False),
    ],
)
def test_titles_of_other_pages_are_shown_to_who_asks_for_pages(
    question: str, is_shown: bool
) -> None:
    home = page("home", "Technics")
    hits = [
        hit(piece("Technics looks after pumps.", "a"), home),
        hit(piece(CHILDREN, "b", kind=Kind.CHILD_PAGES), home),
    ]
    asked = Completed(question=question, text=question, language="en")
    answer = Extractor(Bundled(), lambda _: 1.0).extract(asked, hits)
    assert ("Quarantine" in (answer or "")) == is_shown


@pytest.mark.parametrize(("said", "is_shown"), [("2029-12", True), ("", False)])
def test_the_column_in_which_the_answer_stands_is_shown_where_there_is_no_room_for_all(
    said: str, is_shown: bool
) -> None:
    cells: dict[str, Any] = {f"Option {number}": f"value {number}" for number in range(10)}
    rows = [row(number, Model=f"VX-{number}", **cells, Spares="2029-12") for number in (180, 200)]
    asked = Completed(question="parts for the VX-180", text="parts for the VX-180", language="en")
    told = Told({"Model": (3.0, said)})
    extractor = Extractor(Bundled(), lambda _: 1.0, readings=told)
    answer = extractor.extract(asked, [hit(part(*rows), page("1", "Variants"))])
    assert answer is not None
    assert "VX-180" in answer
    assert ("2029-12" in answer) == is_shown
