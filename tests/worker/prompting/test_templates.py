"""Prompts: each one renders, and a variable that is missing is an error."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import jinja2
import pytest

import prompts as folder
from core.manner import Length, Tone
from core.question import Field, QuestionKind
from worker.prompting import templates
from worker.prompting.evidence_blocks import Marked, PromptBlock

PIECE = PromptBlock(
    "2026-03-01 · Leave › Portugal", (Marked("[1]", "25 days.\n30 days."),), before="One line"
)
ROWS = (Marked("[2]", "Porto | 25"), Marked("[3][4]", "Group B\nKassel | 30"))
TABLE = PromptBlock(
    "undated · Leave", ROWS, is_table=True, above="Days by site:\nSite | Days", rows=3, rows_of=9
)
VARIABLES: dict[str, dict[str, Any]] = {
    "answer": {
        "question": "How much leave?",
        "conversation": [],
        "conditions": [],
        "evidence": [PIECE],
    },
    "answer_system": {
        "not_found": "Nothing found.",
        "instructions": "Be brief.",
        "language": "German",
        "manner": "",
    },
    "case": {
        "question": "How much leave?",
        "evidence": [{"title": "Leave", "text": "25 days [1].\n30 days."}],
    },
    "case_system": {"not_found": "Nothing found."},
    "message_for": {
        "place": "thread",
        "mentions_bot": False,
        "before": [],
        "who": "U1",
        "text": "then Ben it is",
    },
    "search_again": {"question": "How much leave?", "conversation": ["Porto"]},
    "testset_question": {
        "title": "Leave",
        "path": "Portugal",
        "text": "25 days.\n30 days.",
        "nothing": "NONE",
    },
    "judge_correct": {"question": "How much leave?", "expected": "25 days.", "answer": "30 days."},
    "judge_faithfulness": {
        "question": "How much leave?",
        "evidence": ["25 days.\n30 days."],
        "answer": "30 days.",
    },
    "judge_questions": {"answer": "30 days."},
    "judge_relevance": {
        "question": "How much leave?",
        "expected": "25 days.",
        "answer": "30 days.",
    },
    "find_filters": {
        "question": "What is new in ENG?",
        "today": "2026-03-18",
        "spaces": {"ENG": "Engineering", "OPS": ""},
        "labels": ["draft", "howto"],
        "people": ["Anna Berg"],
    },
    "complete_question": {
        "turns": [{"question": "How much leave?", "answer": "25 days."}],
        "question": "And in Spain?",
    },
    "draft_sentence": {
        "questions": ["How much leave?"],
        "said": "25 days.",
        "answers": [{"question": "How much leave in Spain?", "answer": "30 days."}],
        "nothing": "NONE",
    },
    "evidence": {"block": PIECE},
    "instructions": {"kind": QuestionKind.CONFIRMATION, "language": "German"},
    "manner": {"length": Length.SHORT, "tone": Tone.FORMAL},
    "read_claims": {
        "question": "How much leave?",
        "evidence": [PIECE, TABLE],
        "answer": "It is 25 days [1].\n\n- 30 in Kassel",
        "claims": [("It is 25 days.", (1,)), ("30 in Kassel", ())],
    },
    "suggest": {
        "question": "How much leave?",
        "answer": "25 days.",
        "asked": ["Who pays?"],
        "evidence": [
            {"number": 1, "title": "Leave", "path": "Portugal", "text": "25 days.\n30 days."}
        ],
        "language": "English",
        "most": 3,
    },
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
        templates.render(
            name, **{key: value for key, value in VARIABLES[name].items() if key != missing}
        )


def answer(**changed: Any) -> str:
    return templates.render("answer", **(VARIABLES["answer"] | changed))


def test_the_answer_prompt_shows_each_piece_in_its_place() -> None:
    assert answer(evidence=[PIECE, PIECE]) == (
        "Evidence, between the two marks:\n<<<EVIDENCE\n"
        "[1] 2026-03-01 · Leave › Portugal\n    (before: One line)\n    25 days.\n    30 days.\n\n"
        "[1] 2026-03-01 · Leave › Portugal\n    (before: One line)\n    25 days.\n    30 days.\n\n"
        "EVIDENCE>>>\n\nQuestion: How much leave?"
    )


def test_a_table_has_its_header_once_and_a_number_before_each_row() -> None:
    assert templates.render("evidence", block=TABLE) == (
        "Table (3 of its 9 rows), undated · Leave\n    Days by site:\n    Site | Days\n"
        "[2] Porto | 25\n[3][4] Group B\n    Kassel | 30"
    )


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ({"rows_of": 3}, "Table (all of its 3 rows), "),
        ({"rows_of": 0, "is_part": True}, "Table (some of its rows), "),
        ({"rows_of": 0}, "Table, undated"),
    ],
)
def test_a_table_says_whether_it_is_whole(known: dict[str, Any], said: str) -> None:
    assert templates.render("evidence", block=replace(TABLE, **known)).startswith(said)


def test_the_answer_prompt_says_when_there_is_no_evidence() -> None:
    assert "<<<EVIDENCE\n(none)\nEVIDENCE>>>" in answer(evidence=[])


@pytest.mark.parametrize("field", Field)
def test_the_answer_prompt_says_in_one_line_what_was_searched(field: Field) -> None:
    conditions = [{"field": field, "value": "Ada"}, {"field": Field.SPACE, "value": "HR"}]
    (line,) = [
        line
        for line in answer(conditions=conditions).splitlines()
        if line.startswith("(Only pages ")
    ]
    assert line.endswith(" Ada, in the space HR were searched.)")


def test_what_rules_know_of_the_conversation_stands_among_what_pages_say() -> None:
    assert "<<<EVIDENCE\n(The conversation was about: Leave; How much?)\n[1] " in answer(
        conversation=["Leave", "How much?"]
    )


def test_the_system_prompt_gives_the_sentence_for_no_answer() -> None:
    rendered = templates.render("answer_system", **VARIABLES["answer_system"])
    assert (
        "with exactly this sentence and nothing else, in English whatever the language of the "
        "question: Nothing found." in rendered
    )
    assert rendered.endswith("Be brief.")


def test_each_kind_of_question_has_instructions_of_its_own() -> None:
    assert len(
        {templates.render("instructions", kind=kind, language="German") for kind in QuestionKind}
    ) == len(QuestionKind)


def test_the_completion_prompt_ends_with_the_question_to_complete() -> None:
    lines = templates.render("complete_question", **VARIABLES["complete_question"]).splitlines()
    assert lines[-5:-3] == ["Earlier question: How much leave?", "Earlier answer: 25 days."]
    assert lines[-3:] == ["CONVERSATION>>>", "", "Question: And in Spain?"]


def test_the_filter_prompt_names_what_may_be_named_and_ends_with_the_question() -> None:
    lines = templates.render("find_filters", **VARIABLES["find_filters"]).splitlines()
    assert lines[-5:] == [
        "Spaces: ENG (Engineering); OPS",
        "Labels: draft; howto",
        "People: Anna Berg",
        "",
        "Question: What is new in ENG?",
    ]


def test_the_version_is_of_the_prompts_that_answer() -> None:
    assert re.fullmatch("[0-9a-f]{8}", templates.version())
    assert {f"{name}.j2" for name in templates.OF_ANSWERS} <= {
        file.name for file in Path(folder.__file__).parent.iterdir()
    }


def test_nothing_is_escaped_for_html() -> None:
    assert answer(question="a < b & c?").endswith("Question: a < b & c?")


INSTRUCTIONS = {
    QuestionKind.CONFIRMATION: "Begin with yes or no",
    QuestionKind.FACTOID: "Begin with the fact that was asked for",
    QuestionKind.LIST: "Begin with how many there are",
    QuestionKind.COMPARISON: "Begin with the difference",
    QuestionKind.PROCEDURE: "Begin with the first step",
    QuestionKind.CAUSE: "Name the cause first",
    QuestionKind.HYPOTHETICAL: "Begin with what holds in exactly this case",
}


@pytest.mark.parametrize("kind", QuestionKind)
def test_each_kind_of_question_has_one_to_three_sentences_of_its_own(kind: QuestionKind) -> None:
    said = templates.render("instructions", kind=kind, language="German")
    assert INSTRUCTIONS[kind] in said
    assert 1 <= said.count(". ") + 1 <= 3
    assert "\n" not in said


@pytest.mark.parametrize("kind", QuestionKind)
def test_the_document_says_what_the_first_sentence_must_be(kind: QuestionKind) -> None:
    language = "the language of the question"
    told = templates.render("instructions", kind=kind, language=language)
    shown = (Path(folder.__file__).parents[1] / "docs/prompt.md").read_text()
    assert f"| {kind} | {told} |" in shown


def test_the_judge_sees_page_text_between_marks() -> None:
    lines = templates.render("judge_faithfulness", **VARIABLES["judge_faithfulness"]).splitlines()
    assert lines[lines.index("<<<EVIDENCE") : lines.index("EVIDENCE>>>")] == [
        "<<<EVIDENCE",
        "- 25 days.",
        "  30 days.",
    ]
