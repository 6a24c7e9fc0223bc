"""Cases whose causes are planted, over real HTTP: each piece is named as what it was planted."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from core.settings import settings
from evaluation.__main__ import app
from sandbox.llm.client import ScriptedModel
from sandbox.llm.planted import Fact, Plan

HOTEL = "A hotel in Porto may cost 110 EUR a night."
OTHERS = (
    "The canteen in Kassel opens at noon.",
    "The gateway restarts every quarter.",
    "Parking permits are issued by Ana Lopes.",
    "Invoices are paid within two weeks.",
    "Visitors wear a green badge.",
    "Lisa Kern leads procurement.",
    "",
)
SAID = "Hotels cost 110 EUR in Porto."


@pytest.fixture(autouse=True)
def endpoint(llm_url: str, model: ScriptedModel, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("LLM_BASE_URL", llm_url)
    monkeypatch.setenv("LLM_MODEL", "sandbox-toy")
    settings.cache_clear()
    yield
    settings.cache_clear()


def explained(tmp_path: Path, texts: Sequence[str], answer: str = SAID) -> dict[str, Any]:
    """With the places of the texts as ids."""
    evidence = [
        {"id": place, "title": f"Page {place}", "text": text} for place, text in enumerate(texts)
    ]
    case = {"id": 1, "question": "What do hotels cost?", "evidence": evidence, "answer": answer}
    file = tmp_path / "cases.jsonl"
    file.write_text(json.dumps(case), encoding="utf-8")
    told = CliRunner().invoke(app, ["explain", "--cases", str(file), "--json"])
    assert told.exit_code == 0, told.stderr
    (line,) = told.stdout.splitlines()
    found: dict[str, Any] = json.loads(line)
    return found


def says(**when: Any) -> Plan:
    return Plan(facts=(Fact(says=(SAID,), **when),), missing=("I do not know.",))


def test_the_one_cause_is_needed_and_all_the_others_are_unused(
    tmp_path: Path, model: ScriptedModel
) -> None:
    model.plant(says(all_of=(HOTEL,)))
    found = explained(tmp_path, [*OTHERS, HOTEL])
    assert found["verdict"] == "caused"
    assert [each["needed"] for each in found["sentences"]] == [[7]]
    assert found["unused"] == list(range(7))
    assert max(found["effects"], key=found["effects"].get) == "7"
    assert sum(found["shares"].values()) == pytest.approx(1, abs=0.01)
    assert found["calls"] <= 40


def test_equal_texts_are_alternatives_of_which_none_is_needed(
    tmp_path: Path, model: ScriptedModel
) -> None:
    model.plant(says(any_of=(HOTEL,)))
    found = explained(tmp_path, [HOTEL, *OTHERS, HOTEL])
    assert found["sentences"] == [
        {"text": SAID, "needed": [], "part": [], "enough": [[0], [8]]},
    ]


def test_an_answer_that_the_model_knows_by_itself_stays(
    tmp_path: Path, model: ScriptedModel
) -> None:
    model.plant(says())
    found = explained(tmp_path, [HOTEL, *OTHERS])
    assert found["verdict"] == "stays"
    assert found["unused"] == list(range(8))


def test_of_one_piece_there_are_too_few(tmp_path: Path, model: ScriptedModel) -> None:
    model.plant(says(all_of=(HOTEL,)))
    found = explained(tmp_path, [HOTEL])
    assert found["verdict"] == "too_few"
    assert (found["effects"], found["unused"]) == ({}, [])


def test_thirty_pieces_are_all_in_the_prompt_and_within_the_calls(
    tmp_path: Path, model: ScriptedModel
) -> None:
    model.plant(says(all_of=(HOTEL,)))
    many = [f"{'Filler that fills the prompt. ' * 40}Number {place}." for place in range(29)]
    found = explained(tmp_path, [*many, HOTEL])
    assert [each["needed"] for each in found["sentences"]] == [[29]]
    assert found["calls"] <= 40
