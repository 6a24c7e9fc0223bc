"""Readiness: what outcomes say, with intervals, the worst first, and no more than was tried."""

from __future__ import annotations

from typing import Any

import pytest

from groundwire.autopilot.asking import TriedQuestion
from groundwire.autopilot.page import markdown
from groundwire.autopilot.readiness import readiness
from indexer.sync.status import SpaceStatus

RIGHT, NONE, OTHER, UNTRIED = "right", "not found", "from other pages", "not tried"


def tried(
    verdict: str, *, is_answerable: bool = True, seconds: float = 0.5, **more: Any
) -> TriedQuestion:
    return TriedQuestion(
        question=f"What about {verdict}?",
        is_answerable=is_answerable,
        verdict=verdict,
        seconds=seconds,
        page="Travel",
        address="https://wiki.example/7",
        **more,
    )


def space(**more: object) -> SpaceStatus:
    known = {
        "source": "confluence",
        "space": "HR",
        "pages": 9,
        "restricted": 0,
        "withheld": 0,
        "hidden": 0,
        "evidence": 90,
        "last_complete": "2026-11-23T06:00:00+00:00",
        "last_error": "",
        "last_counts": {},
        "unread": {},
        "asked": "",
        "scanned_since": "",
        "failures": [],
        "attachments": {},
        "unread_files": [],
    }
    return SpaceStatus(**known | more)  # type: ignore[arg-type]


def declined(count: int) -> list[TriedQuestion]:
    return [tried(NONE, is_answerable=False)] * count


@pytest.mark.parametrize(
    ("right", "wrong", "refused", "answered", "verdict"),
    [
        (48, 2, 10, 2, "ready"),
        (48, 2, 2, 10, "for a few people"),  # it answers what no page says
        (48, 2, 0, 0, "for a few people"),  # nobody knows whether it does
        (8, 2, 10, 0, "for a few people"),  # ten prove little
        (35, 15, 10, 0, "for a few people"),
        (20, 30, 10, 0, "not ready"),
        (5, 0, 5, 0, "not tried"),
    ],
)
def test_a_bot_is_as_ready_as_its_answers(
    right: int, wrong: int, refused: int, answered: int, verdict: str
) -> None:
    asked = [tried(RIGHT)] * right + [tried(OTHER)] * wrong + declined(refused)
    asked += [tried(OTHER, is_answerable=False)] * answered
    found = readiness(asked, [])
    assert found.verdict == verdict
    assert (found.right, found.answerable) == (right, right + wrong)
    assert (found.declined, found.unanswerable) == (refused, refused + answered)


def test_what_could_not_be_tried_is_neither_right_nor_wrong() -> None:
    found = readiness([tried(RIGHT)] * 40 + [tried(UNTRIED)] + declined(10), [])
    assert (found.verdict, found.right, found.answerable) == ("not tried", 40, 40)
    (trouble,) = found.troubles
    assert "`groundwire doctor`" in trouble.cure


def test_troubles_stand_the_most_frequent_first_each_with_its_cure() -> None:
    asked = [tried(RIGHT)] * 20 + [tried(NONE)] * 2 + [tried(OTHER)] * 3
    asked += [tried(OTHER, is_answerable=False)]
    spaces = [
        space(failures=[{"error": "HTTP 500"}] * 7, withheld=4),
        space(space="ENG", last_complete=""),
    ]
    found = readiness(asked, spaces)
    assert [each.often for each in found.troubles] == [7, 4, 3, 2, 1, 1]
    assert all(each.cure for each in found.troubles)
    assert found.troubles[0].examples == ("HTTP 500",)


def test_slow_answers_are_a_trouble() -> None:
    found = readiness([tried(RIGHT, seconds=20.0)] * 20 + declined(10), [])
    assert "20 s" in found.troubles[0].says


def test_green_answers_that_are_wrong_are_counted() -> None:
    asked = [tried(RIGHT, badge="high")] * 5 + [tried(OTHER, badge="high")] + [tried(OTHER)]
    found = readiness(asked, [])
    assert (found.green, found.green_wrong) == (6, 1)


def test_the_page_says_all_of_it_and_words_of_pages_are_no_markdown() -> None:
    asked = [tried(RIGHT)] * 20 + [tried(OTHER, cited=("<b>[Draft](x)</b>",))] + declined(10)
    text = markdown(readiness(asked, []))
    assert text.startswith("# Ready to be tried by everybody\n")
    assert "20 of 21 questions made from your pages" in text
    assert "Of 10 that were asked where no page answers them 10 were declined." in text
    assert "<b>" not in text.replace("\\<b\\>", "")
    assert "(declined, 0.5 s)" in text
