"""What the reader says of a piece lifts the span in which the answer stands."""

from __future__ import annotations

import pytest
from wiki import hit, page, piece

from core.evidence.spans import spans_of
from core.question import Completed
from worker.extractive.by_reader import ReadSpan, of_spans
from worker.reading.reader import bundled
from worker.reading.readings import Readings

POLICY = page("1", "Travel policy")
TEXT = "Hotels are booked in the portal. A room in Porto may cost up to 110 EUR a night."
FOUND = hit(piece(TEXT, "1"), POLICY)
OTHER = hit(piece("The office in Porto is beside the station.", "2"), POLICY)
ASKED = Completed(question="what may a room in porto cost", text="what may a room in porto cost")


@pytest.fixture(scope="module")
def readings() -> Readings:
    return Readings(bundled)


def test_the_sentence_that_answers_gains_most(readings: Readings) -> None:
    spans = list(spans_of([FOUND, OTHER]))
    added = dict(zip((span.text for span in spans), of_spans(readings, ASKED, spans), strict=True))
    booked, cost, office = added.values()
    assert cost.added > booked.added > office.added > 0
    assert [each.answers for each in (booked, cost, office)] == [False, True, False]


def test_what_is_found_beside_a_piece_changes_nothing(readings: Readings) -> None:
    """Else a page that is taken away would shift all others and look like a cause."""
    alone = of_spans(Readings(bundled), ASKED, list(spans_of([OTHER])))
    together = of_spans(readings, ASKED, list(spans_of([FOUND, OTHER])))
    assert together[-1].added == pytest.approx(alone[-1].added, abs=1e-3)


def test_without_a_reader_nothing_is_added() -> None:
    assert of_spans(None, ASKED, list(spans_of([FOUND]))) == [ReadSpan(), ReadSpan()]
