"""The needle is where it should be, and only a right answer counts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from core.models import Answer, Hit
from core.question import Completed
from core.settings import Settings
from evaluation.answers.haystack import haystack, needles
from evaluation.answers.needle import SIZES, Round, answerer, measure, rounds

NEEDLES = needles()
HAY = haystack()


def test_needles_are_many_all_different_and_the_same_every_time() -> None:
    assert needles() == NEEDLES
    assert (
        len({needle.fact for needle in NEEDLES})
        == len({needle.question for needle in NEEDLES})
        == len(NEEDLES)
        >= 60
    )
    assert all(
        needle.value in needle.fact and needle.value not in needle.question for needle in NEEDLES
    )


def test_no_page_knows_what_a_needle_says() -> None:
    pages = " ".join(hit.evidence.text for hit in HAY)
    assert not [
        needle
        for needle in NEEDLES
        if needle.fact in pages or (needle.fact.split()[2] in pages and needle.value in pages)
    ]


@pytest.mark.parametrize(("position", "place"), [("top", 0), ("middle", 5), ("end", 10)])
def test_the_needle_stands_at_its_place_among_k_others(position: str, place: int) -> None:
    hits = Round(NEEDLES[0], (), 10, position).hits(HAY)
    assert len({hit.evidence.id for hit in hits}) == 11
    assert hits[place] == NEEDLES[0].hit


def test_the_others_are_the_same_wherever_the_needle_stands() -> None:
    top, end = (
        Round(NEEDLES[0], tuple(NEEDLES[1:6]), 10, position).hits(HAY)
        for position in ("top", "end")
    )
    assert top[1:] == end[:-1]
    assert sum(hit.page.title == "Notices" for hit in top) == 6


def test_an_answer_is_right_with_the_value_of_the_needle_and_of_no_other() -> None:
    of_it, of_another = NEEDLES[0], NEEDLES[1]
    asked = Round(of_it, (of_another,), 2, "top")
    assert asked.is_right(f"It is {of_it.value}.")
    assert not asked.is_right(f"It is {of_it.value} or {of_another.value}.")
    assert not asked.is_right("I do not know.")


def test_the_share_is_counted_by_row() -> None:
    def answer(_completed: Completed, hits: Sequence[Hit]) -> Answer:
        return Answer(text=hits[0].evidence.text)  # whatever stands at the top

    rows = measure(answer, HAY, rounds(NEEDLES, NEEDLES[:3]))
    assert len(rows) == 2 * 3 * len(SIZES)
    assert {row for row, found in rows.items() if all(found)} == {
        f"k={k} {kin} top" for k in SIZES for kin in ("unrelated", "related")
    }


def test_quotes_find_every_needle_and_say_that_no_model_was_used(tmp_path: Path) -> None:
    name, answer = answerer(Settings(data_dir=tmp_path), HAY)
    rows = measure(answer, HAY, rounds(NEEDLES, NEEDLES[::9]))
    assert name == "quoted, no model"
    assert all(all(found) for found in rows.values())
