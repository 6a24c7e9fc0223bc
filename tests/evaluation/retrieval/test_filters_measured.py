"""The filters on our own labelled questions: what was reached once is kept."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from evaluation.retrieval.filters import LABELLED, Judged, by_field, exact, measure


@pytest.fixture(scope="module")
def judged() -> list[Judged]:
    return measure(LABELLED)


def test_the_questions_are_many_a_third_german_and_many_without_a_filter(
    judged: list[Judged],
) -> None:
    assert len(judged) >= 60
    assert sum(each.language == "de" for each in judged) >= len(judged) / 3
    assert sum(not each.expected for each in judged) >= 20


def test_most_questions_are_understood_in_both_languages_and_those_without_a_filter_are_left_alone(
    judged: list[Judged],
) -> None:
    figures = exact(judged)
    assert min(figures[language]["exact"] for language in ("en", "de")) >= 0.85
    assert figures["all"]["without"] >= 0.97


def test_of_every_field_what_is_found_is_right(judged: list[Judged]) -> None:
    figures = by_field(judged)
    assert min(row["precision"] for row in figures.values()) >= 0.95
    assert min(row["recall"] for row in figures.values()) >= 0.7


def test_a_machine_reads_the_figures() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "evaluation", "filters", "--json"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert set(json.loads(done.stdout)) == {"by language", "by field"}
