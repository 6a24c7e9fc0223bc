"""What counts now is shown before what an outdated page says, where both may answer."""

from __future__ import annotations

from dataclasses import replace

import pytest
from wiki import hit, page, piece

from core.embeddings.bundled import Bundled
from core.question import Completed
from worker.extractive.extractor import Extractor
from worker.extractive.ranking.by_reader import ReadSpan
from worker.extractive.ranking.rank import Ranker, ScoredSpan
from worker.extractive.select import select

OLD, NEW = page("6", "Towing"), page("7", "Fees")
HITS = (
    hit(piece("To tow a boat costs 30 EUR.", page_id="6", position=1), OLD),
    hit(piece("The fee to tow a boat is 40 EUR.", page_id="7", position=1), NEW),
    hit(piece("[OUTDATED] See the other page.", page_id="6", position=0), OLD),
)
NOW = "What does it cost to tow a boat?"


def shown(question: str, of_new: float, read: ReadSpan) -> list[str]:
    """The titles as they are shown, where the outdated page scores 2 and the other one this."""
    asked = Completed(question=question, text=question, asked_on="2026-11-29")
    found = Ranker(Bundled(), lambda _: 1.0).rank(asked, HITS)
    old = next(each for each in found if "30 EUR" in each.span.text)
    new = next(each for each in found if "40 EUR" in each.span.text)
    assert (old.unsettled, new.unsettled) == (True, False)
    best = [replace(old, score=2.0), replace(new, score=of_new, asked=old.asked, read=read)]
    return [title(each) for each in select(best, asked, lambda _: 1.0)]


def title(scored: ScoredSpan) -> str:
    return scored.span.hit.page.title


@pytest.mark.parametrize(
    ("question", "of_new", "read", "first"),
    [
        (NOW, 1.9, ReadSpan(), "Fees"),  # nearly as good
        (NOW, 1.7, ReadSpan(answers=True), "Fees"),  # likely the answer
        (NOW, 1.7, ReadSpan(), "Towing"),
        ("What did it cost to tow a boat in 2024?", 1.9, ReadSpan(), "Towing"),
        ("What did it cost to tow a boat, 2025 prices?", 1.9, ReadSpan(), "Towing"),
        ("What does it cost to tow a boat in 2026?", 1.9, ReadSpan(), "Fees"),
    ],
)
def test_it_stands_first(question: str, of_new: float, read: ReadSpan, first: str) -> None:
    both = shown(question, of_new, read)
    assert both[0] == first
    assert sorted(both) == ["Fees", "Towing"]


def test_a_status_above_the_answer_says_it_once() -> None:
    said = piece("[OUTDATED]\nTo tow a boat costs 30 EUR.", page_id="6", position=0)
    asked = Completed(question=NOW, text=NOW, asked_on="2026-11-29", language="en")
    answer = Extractor(Bundled(), lambda _: 1.0).extract(asked, [hit(said, OLD)])
    assert answer is not None
    assert answer.count("30 EUR") == answer.count("[OUTDATED]") + answer.count("(OUTDATED)") == 1


@pytest.mark.parametrize(
    ("heading", "is_outdated"),
    [
        (("Towing",), True),
        (("Towing", "Boats"), True),
        (("Mooring",), False),
        ((), False),
    ],
)
def test_a_section_that_is_outdated_is_so_with_those_below_it(
    heading: tuple[str, ...], is_outdated: bool
) -> None:
    said = piece("To tow a boat costs 30 EUR.", page_id="6", position=4, heading_path=heading)
    mark = piece("[OUTDATED] See the fees.", page_id="6", position=3, heading_path=("Towing",))
    asked = Completed(question=NOW, text=NOW, asked_on="2026-11-29", language="en")
    hits = [hit(said, OLD), hit(mark, OLD)]

    ranked = Ranker(Bundled(), lambda _: 1.0).rank(asked, hits)
    answer = Extractor(Bundled(), lambda _: 1.0).extract(asked, hits)

    assert answer is not None
    assert [each.unsettled for each in ranked if "30 EUR" in each.span.text] == [is_outdated]
    assert ("See the fees" in answer) is is_outdated


def test_an_outdated_section_stands_behind_a_current_one() -> None:
    old = piece("To tow a boat costs 30 EUR.", page_id="6", position=4, heading_path=("Towing",))
    mark = piece("[OUTDATED]", page_id="6", position=3, heading_path=("Towing",))
    new = piece("The fee to tow a boat is 40 EUR.", page_id="7", position=1)
    asked = Completed(question=NOW, text=NOW, asked_on="2026-11-29", language="en")

    hits = [hit(old, OLD), hit(new, NEW), hit(mark, OLD)]
    answer = Extractor(Bundled(), lambda _: 1.0).extract(asked, hits)

    assert answer is not None
    assert answer.index("40 EUR") < answer.find("30 EUR") or "30 EUR" not in answer


def test_a_mark_above_all_headings_that_does_not_begin_the_page_is_not_of_its_sections() -> None:
    said = piece("To tow a boat costs 30 EUR.", page_id="6", position=4, heading_path=("Towing",))
    mark = piece("[OUTDATED] See the fees.", page_id="6", position=3)
    asked = Completed(question=NOW, text=NOW, asked_on="2026-11-29", language="en")

    ranked = Ranker(Bundled(), lambda _: 1.0).rank(asked, [hit(said, OLD), hit(mark, OLD)])

    assert [each.unsettled for each in ranked if "30 EUR" in each.span.text] == [False]
