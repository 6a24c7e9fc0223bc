"""Answers about wikis of others: each says what its pages say, and is wrong in one sentence."""

from __future__ import annotations

import json

import pytest

from evaluation.employees.wikis import FOLDER
from evaluation.support.case import RIGHT
from evaluation.support.wiki_answers import APART, READ, cases_of, taught, wiki_answers


def test_answers_that_measure_are_neither_taught_nor_fitted() -> None:
    assert set(APART).isdisjoint({*READ, *taught()})
    assert set(READ).isdisjoint(taught())
    assert {*APART, *READ} <= {file.parent.name for file in FOLDER.glob("*/answers.jsonl")}


@pytest.mark.parametrize("name", [*taught(), *READ, *APART])
def test_the_pages_of_every_answer_are_there(name: str) -> None:
    found = wiki_answers(name)
    titles = {title for each in found for title in each.pages}
    assert len(found) >= 40
    pages = (FOLDER / name / "documents").glob("*.json")
    assert titles <= {json.loads(each.read_text(encoding="utf-8"))["title"] for each in pages}
    assert all(each.wrong for each in found)
    assert not any(wrong.text == each.right for each in found for wrong in each.wrong)


def test_each_is_right_once_and_cited_from_another_page_once() -> None:
    found = list(cases_of("steuer"))
    kinds = [case.kind for case in found]
    number = len(wiki_answers("steuer"))
    assert kinds.count(RIGHT) == kinds.count("of another page") == number
    right = {case.sentence: case.hits for case in found if case.kind == RIGHT}
    others = [case for case in found if case.kind == "of another page"]
    own = [{hit.page.id for hit in right[case.sentence]} for case in others]
    assert all(
        not ids & {hit.page.id for hit in case.hits} for ids, case in zip(own, others, strict=True)
    )
