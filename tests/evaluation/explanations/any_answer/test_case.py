"""Cases are read as they are given, and a line that is none is refused with its reason."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evaluation.explanations.any_answer.case import read
from evaluation.harness.json_lines import BadLine

PIECE = {"id": "a", "title": "Leave", "text": "Everybody has 25 days."}
CASE: dict[str, Any] = {"id": 1, "question": "How long is leave?", "evidence": [PIECE]}


def written(tmp_path: Path, *lines: object) -> Path:
    file = tmp_path / "cases.jsonl"
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    file.write_text("\n".join(texts), encoding="utf-8")
    return file


def test_evidence_keeps_its_order_and_its_ids(tmp_path: Path) -> None:
    pieces = [{**PIECE, "id": each} for each in ("b", 1, 2.5, "a")]
    (case,) = read(written(tmp_path, {**CASE, "evidence": pieces}))
    assert json.dumps([piece.id for piece in case.evidence]) == '["b", 1, 2.5, "a"]'


def test_an_answer_may_be_left_out_or_null_and_other_fields_do_not_matter(tmp_path: Path) -> None:
    other = {**CASE, "id": 2, "answer": None, "gold": ["a"], "evidence": []}
    one, two = read(written(tmp_path, CASE, "", other))
    assert (one.answer, two.answer, two.evidence) == (None, None, ())


def test_a_citation_counts_by_the_order_of_the_evidence(tmp_path: Path) -> None:
    pieces = [{**PIECE, "id": each} for each in ("x", "y")]
    (case,) = read(written(tmp_path, {**CASE, "evidence": pieces, "answer": "25 days [2]."}))
    (source,) = case.record("25 days [2].", "any").answer.sources
    assert source.evidence_ids == ("1",)  # places, from 0


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("{", "no JSON object"),
        ("[1]", "no JSON object"),
        ('{"id": NaN}', "NaN is no number"),
        (json.dumps({**CASE, "id": 0}).replace('"id": 0', '"id": 1e999', 1), "id: "),
        ({**CASE, "id": True}, "id: "),
        ({key: value for key, value in CASE.items() if key != "id"}, "id: Field required"),
        ({**CASE, "question": "  "}, "question: there is nothing in it"),
        ({**CASE, "question": 3}, "question: "),
        ({**CASE, "evidence": None}, "evidence: "),
        ({**CASE, "evidence": "Everybody"}, "evidence: "),
        ({**CASE, "evidence": [{"id": 1, "title": "x"}]}, "evidence.0.text: Field required"),
        ({**CASE, "evidence": [PIECE, {**PIECE, "id": None}]}, "evidence.1.id: "),
        ({**CASE, "evidence": [PIECE, PIECE]}, 'evidence: the id "a" stands there twice'),
        (
            {**CASE, "evidence": [{**PIECE, "id": 1}, {**PIECE, "id": "1"}]},
            'evidence: the id "1" stands there twice',
        ),
        ({**CASE, "answer": ""}, "answer: there is nothing in it"),
        ({**CASE, "answer": ["x"]}, "answer: "),
        ({**CASE, "answer": "\ud800"}, "a text holds half of a character"),
        (CASE, "the id 1 stands in line 1 already"),
    ],
)
def test_a_line_that_is_no_case_is_named_with_its_reason(
    tmp_path: Path, line: object, why: str
) -> None:
    file = written(tmp_path, CASE, "", line)
    with pytest.raises(BadLine) as raised:
        read(file)
    assert str(raised.value).startswith(f"{file}, line 3: {why}")


def test_a_line_that_is_no_text_is_named(tmp_path: Path) -> None:
    file = tmp_path / "cases.jsonl"
    file.write_bytes(b'\n{"id": "\xff"}')
    with pytest.raises(BadLine, match="line 2: no UTF-8"):
        read(file)
