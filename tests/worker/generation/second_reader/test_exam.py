"""The exam: who can tell what pages say passes it, and nobody else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest
from reading_models import agreeing, examined, senseless

from core.models import Kind
from core.settings import Settings
from core.storage.database import Database
from sandbox.http.server import running
from sandbox.llm.scoring import build
from sandbox.llm.scripted import Script, toy
from worker.generation.chat_model import ChatModel
from worker.generation.second_reader.exam import Grade, items, taken
from worker.generation.second_reader.grades import Grades
from worker.support.claims import claims

FEW = items()[:10]
PASSED = Grade(right=100, flagged=3, wrong=100, found=95)


@contextmanager
def model(script: Script) -> Iterator[ChatModel]:
    with running(build(script, as_vllm=False)) as url:
        yield ChatModel(Settings(llm_base_url=f"{url}/v1"), "any")


def graded(script: Script) -> Grade:
    with model(script) as chat:
        return taken(chat, 6000, 4, lambda: None, FEW)


def test_each_item_is_an_answer_about_pages_and_the_same_with_an_error() -> None:
    assert len(items()) == 100
    for item in items():
        assert item.right != item.wrong
        assert claims(item.right)
        assert claims(item.wrong)
        assert {hit.evidence.kind for hit in item.hits} == {Kind.PASSAGE}


def test_who_knows_what_is_right_passes() -> None:
    grade = graded(examined())
    assert (grade.right, grade.flagged, grade.not_believed) == (10, 0, 0)
    assert (grade.wrong, grade.found) == (10, 10)
    assert grade.usage.calls == 20
    assert grade.is_passed


@pytest.mark.parametrize("script", [agreeing, senseless])
def test_who_agrees_to_all_and_who_understands_nothing_fails(script: Script) -> None:
    grade = graded(script)
    assert grade.not_believed == 20
    assert (grade.flagged, grade.found) == (10, 0)
    assert not grade.is_passed


def test_who_knows_only_what_stands_there_word_for_word_fails() -> None:
    grade = graded(toy)
    assert grade.not_believed == 0
    assert grade.flagged == 10
    assert not grade.is_passed


def test_each_answer_is_told_as_it_is_read() -> None:
    told = list[bool]()
    with model(examined()) as chat:
        taken(chat, 6000, 2, lambda: told.append(True), FEW[:2])
    assert len(told) == 4


@pytest.mark.parametrize(
    ("changed", "passes"),
    [
        ({}, True),
        ({"flagged": 4}, False),
        ({"found": 94}, False),
        ({"right": 0, "flagged": 0}, False),
        ({"wrong": 0, "found": 0}, False),
    ],
)
def test_the_limits(changed: dict[str, Any], passes: bool) -> None:
    assert replace(PASSED, **changed).is_passed is passes


@pytest.fixture
def grades(database: Database) -> Callable[[str], Grades]:
    return lambda url: Grades(database, Settings(llm_base_url=url))


def test_a_grade_counts_for_this_model_at_this_endpoint(grades: Callable[[str], Grades]) -> None:
    grades("http://one/v1").save("large", PASSED)
    here = grades("http://one/v1")
    assert here.has_passed("large")
    assert not here.has_passed("small")
    assert not grades("http://two/v1").has_passed("large")


def test_the_last_exam_counts(grades: Callable[[str], Grades]) -> None:
    grades("http://one/v1").save("large", PASSED)
    grades("http://one/v1").save("large", Grade(right=100, wrong=100))
    assert not grades("http://one/v1").has_passed("large")
    row = grades("http://one/v1").of("large")
    assert row is not None
    assert row.figures["found"] == 0


def test_who_has_taken_none_has_not_passed(grades: Callable[[str], Grades]) -> None:
    assert grades("http://one/v1").of("large") is None
    assert not grades("http://one/v1").has_passed("large")


def test_a_grade_is_void_where_the_model_is_asked_in_another_way(database: Database) -> None:
    asked: dict[str, Any] = {"llm_base_url": "http://one/v1"}
    Grades(database, Settings(**asked)).save("large", PASSED)
    assert not Grades(database, Settings(**asked, llm_temperature=1.0)).has_passed("large")
