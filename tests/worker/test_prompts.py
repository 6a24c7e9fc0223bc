"""Prompts: each one renders, and a variable that is missing is an error."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jinja2
import pytest

import prompts as folder
from worker import prompts

PIECE = {"number": 1, "title": "Leave", "path": "Portugal", "before": "One\nline", "text": "25 days.\n30 days.", "after": ""}
VARIABLES: dict[str, dict[str, Any]] = {
    "answer": {"question": "How much leave?", "evidence": [PIECE]},
    "answer_system": {"not_found": "Nothing found."},
    "complete_question": {"turns": [{"question": "How much leave?", "answer": "25 days."}], "question": "And in Spain?"},
}
EACH = [(name, missing) for name, variables in VARIABLES.items() for missing in variables]


def test_every_prompt_is_tested() -> None:
    assert {file.stem for file in Path(folder.__file__).parent.glob("*.j2")} == set(VARIABLES)


@pytest.mark.parametrize("name", VARIABLES)
def test_a_prompt_names_its_variables_in_its_first_line(name: str) -> None:
    first = (Path(folder.__file__).parent / f"{name}.j2").read_text().splitlines()[0]
    assert first.startswith("{#- Variables: ")
    assert all(variable in first for variable in VARIABLES[name])


@pytest.mark.parametrize(("name", "missing"), EACH)
def test_a_missing_variable_is_an_error(name: str, missing: str) -> None:
    with pytest.raises(jinja2.UndefinedError, match=missing):
        prompts.render(name, **{key: value for key, value in VARIABLES[name].items() if key != missing})


def test_the_answer_prompt_shows_each_piece_in_its_place() -> None:
    assert prompts.render("answer", **VARIABLES["answer"]) == (
        "Evidence, between the two marks:\n<<<EVIDENCE\n"
        "[1] Leave › Portugal\n    (before: One line)\n    25 days.\n    30 days.\n\n"
        "EVIDENCE>>>\n\nQuestion: How much leave?"
    )


def test_the_answer_prompt_says_when_there_is_no_evidence() -> None:
    assert "<<<EVIDENCE\n(none)\nEVIDENCE>>>" in prompts.render("answer", question="How much leave?", evidence=[])


def test_the_system_prompt_gives_the_sentence_for_no_answer() -> None:
    assert "with exactly this sentence and nothing else: Nothing found." in prompts.render("answer_system", **VARIABLES["answer_system"])


def test_the_completion_prompt_ends_with_the_question_to_complete() -> None:
    lines = prompts.render("complete_question", **VARIABLES["complete_question"]).splitlines()
    assert lines[-3:] == ["Earlier question: How much leave?", "Earlier answer: 25 days.", "Question: And in Spain?"]


def test_nothing_is_escaped_for_html() -> None:
    assert prompts.render("answer", question="a < b & c?", evidence=[]).endswith("Question: a < b & c?")
