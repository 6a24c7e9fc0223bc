"""What the reader says of a piece lifts the span in which the answer stands."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wiki import hit, page, part, piece, row

from core.embeddings.bundled import Bundled
from core.evidence.spans import Span, spans_of
from core.models import Hit
from core.question import Completed
from worker.extractive.extractor import Extractor
from worker.extractive.ranking.by_reader import (
    AT_ONCE,
    BESIDE,
    MOST,
    NOT_READ,
    ReadSpan,
    of_spans,
)
from worker.reading.reader import bundled, probability
from worker.reading.readings import FIRST, PieceReading, Readings

POLICY = page("1", "Travel policy")
TEXT = "Hotels are booked in the portal. A room in Porto may cost up to 110 EUR a night."
FOUND = hit(piece(TEXT, "1"), POLICY)
OTHER = hit(piece("The office in Porto is beside the station.", "2"), POLICY)
ASKED = Completed(question="what may a room in porto cost", text="what may a room in porto cost")


@pytest.fixture(scope="module")
def readings() -> Readings:
    return Readings(bundled)


class Told(Readings):
    """Says of each piece what the test wants; it counts what it is asked."""

    def __init__(self, answers: dict[str, float]) -> None:
        super().__init__(bundled)
        self._answers = answers
        self.read: list[str] = []

    def of(self, completed: Completed, hits: Sequence[Hit]) -> list[PieceReading]:
        texts = [found.evidence.text for found in hits]
        self.read += texts
        return [PieceReading(self._answers[text], text) for text in texts]


def added(readings: Readings, spans: Sequence[Span]) -> list[ReadSpan]:
    return of_spans(readings, ASKED, spans, [0.0] * len(spans))


def test_the_sentence_that_answers_gains_most(readings: Readings) -> None:
    spans = list(spans_of([FOUND, OTHER]))
    booked, cost, office = added(readings, spans)
    assert cost.added > booked.added > office.added > 0
    assert [each.answers for each in (booked, cost, office)] == [False, True, False]


def test_what_is_found_beside_a_piece_changes_nothing(readings: Readings) -> None:
    """Else a page that is taken away would shift all others and look like a cause."""
    alone = added(Readings(bundled), list(spans_of([OTHER])))
    together = added(readings, list(spans_of([FOUND, OTHER])))
    assert together[-1].added == pytest.approx(alone[-1].added, abs=1e-3)


def test_without_a_reader_nothing_is_added() -> None:
    spans = list(spans_of([FOUND]))
    assert of_spans(None, ASKED, spans, [1.0, 0.5]) == [NOT_READ, NOT_READ]


def test_what_cannot_come_near_the_best_is_not_read() -> None:
    """But for what the search found first, which the gate has read before."""
    texts = [f"Sentence {number}." for number in range(FIRST + AT_ONCE)]
    spans = list(spans_of([hit(piece(text), POLICY) for text in texts]))
    far = [5.0] + [5.0 - MOST - BESIDE - 0.1] * (len(texts) - 1)
    told = Told(dict.fromkeys(texts, 0.0))
    assert of_spans(told, ASKED, spans, far)[FIRST:] == [NOT_READ] * AT_ONCE
    assert sorted(told.read) == texts[:FIRST]
    near = [5.0] + [4.9] * (len(texts) - 1)
    assert NOT_READ not in of_spans(told, ASKED, spans, near)


@given(st.lists(st.tuples(st.floats(0, 4), st.floats(-9, 9)), min_size=1, max_size=20))
def test_the_best_is_the_best_as_if_all_were_read(each: list[tuple[float, float]]) -> None:
    texts = [f"Sentence {number}." for number in range(len(each))]
    spans = list(spans_of([hit(piece(text), POLICY) for text in texts]))
    told = Told({text: answers for text, (_, answers) in zip(texts, each, strict=True)})
    unread = [score for score, _ in each]
    read = of_spans(told, ASKED, spans, unread)
    found = [score + one.added for score, one in zip(unread, read, strict=True)]
    all_read = [score + MOST * probability(answers) for score, answers in each]
    assert max(found) == pytest.approx(max(all_read))


class Pointing(Readings):
    """Takes these words for the answer, wherever they stand."""

    def __init__(self, words: str) -> None:
        super().__init__(bundled)
        self._words = words

    def of(self, completed: Completed, hits: Sequence[Hit]) -> list[PieceReading]:
        return [
            PieceReading(3.0, self._words)
            if self._words in found.evidence.text
            else PieceReading(-3.0, "")
            for found in hits
        ]


def test_under_a_figure_stands_its_own_row_whatever_the_reader_likes() -> None:
    rows = [
        row(1, Vessel="Craft up to 10 m", Season="190.00"),
        row(2, Vessel="Craft over 10 m", Season="285.00"),
    ]
    asked = Completed(
        question="season craft up to 10 m", text="season craft up to 10 m", language="en"
    )
    extractor = Extractor(Bundled(), lambda _: 1.0, readings=Pointing("285.00"))
    answer = extractor.extract(asked, [hit(part(*rows), POLICY)])
    assert answer is not None
    assert answer.startswith("Season of Craft up to 10 m: **190.00** [1]")
    assert "| Craft up to 10 m |" in answer
    assert "285.00" not in answer
