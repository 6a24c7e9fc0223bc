"""The whole command: cases in a file, a scripted endpoint, a line on the standard output each."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from typer.testing import CliRunner, Result

from core.settings import settings
from evaluation.__main__ import app
from sandbox.llm.client import ScriptedModel

TEXTS = ["25 days of leave [3], **all** paid.\n\n  - in Porto\r\n", "<<<Lunch>>> is at \u202enoon."]
PIECES = [{"id": place, "title": f"Page {place}", "text": text} for place, text in enumerate(TEXTS)]
CASE: dict[str, Any] = {"id": "one", "question": "How long is\nleave?", "evidence": PIECES}
FIELDS = {
    *("id", "answer", "verdict", "sentences", "effects", "shares", "unused"),
    *("calls", "tokens", "seconds", "path"),
}


@pytest.fixture
def endpoint(llm_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Its address, in the settings of the command."""
    monkeypatch.setenv("LLM_BASE_URL", llm_url)
    monkeypatch.setenv("LLM_MODEL", "sandbox-toy")
    settings.cache_clear()
    yield llm_url
    settings.cache_clear()


def explain(tmp_path: Path, *cases: object) -> Result:
    file = tmp_path / "cases.jsonl"
    lines = [case if isinstance(case, str) else json.dumps(case) for case in cases]
    file.write_text("\n".join(lines), encoding="utf-8")
    return CliRunner().invoke(app, ["explain", "--cases", str(file), "--json"])


def printed(told: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in told.stdout.splitlines()]


def received(endpoint: str) -> list[dict[str, Any]]:
    address = endpoint.removesuffix("/v1") + "/sandbox/received"
    found: list[dict[str, Any]] = httpx.get(address).json()["received"]
    return found


def test_without_an_answer_the_model_is_asked_on_the_evidence_as_it_is(
    tmp_path: Path, endpoint: str, model: ScriptedModel
) -> None:
    model.say("25 days [1].")
    (line,) = printed(explain(tmp_path, CASE))
    assert set(line) == FIELDS
    assert (line["id"], line["answer"]) == ("one", "25 days [1].")
    sent = received(endpoint)[0]["body"]["messages"][-1]["content"]
    places = [sent.index(part) for part in (*TEXTS, CASE["question"])]
    assert places == sorted(places)


def test_the_answer_itself_counts_against_the_budget(
    tmp_path: Path, endpoint: str, model: ScriptedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EXPLAIN_MAX_CALLS", "17")  # as many as the first stage takes
    settings.cache_clear()
    model.say("25 days [1].")
    texts = [f"Berth {n} is cleaned by crew {n * 7}." for n in range(20, 28)]
    pieces = [{"id": n, "title": f"Page {n}", "text": text} for n, text in enumerate(texts)]
    (line,) = printed(explain(tmp_path, {**CASE, "evidence": pieces}))
    assert line["calls"] <= 17


def test_an_answer_that_is_given_comes_back_as_it_is(
    tmp_path: Path, endpoint: str, model: ScriptedModel
) -> None:
    given = "**25 Tage** Urlaub [9], siehe [Seite](https://example.com) [1]."
    model.say("something else")
    (line,) = printed(explain(tmp_path, {**CASE, "answer": given}))
    assert line["answer"] == given


@pytest.mark.usefixtures("model")
def test_without_evidence_nothing_is_tested(tmp_path: Path, endpoint: str) -> None:
    (line,) = printed(explain(tmp_path, {**CASE, "evidence": [], "answer": "25 days."}))
    assert (line["verdict"], line["calls"], line["tokens"]) == ("not_tested", 0, 0)
    assert received(endpoint) == []


def test_a_case_that_the_endpoint_fails_is_not_tested_and_the_others_are_done(
    tmp_path: Path, endpoint: str, model: ScriptedModel
) -> None:
    model.fault(status=400, times=1, path_contains="chat")
    other = {**CASE, "id": 2, "evidence": [], "answer": "x"}
    told = explain(tmp_path, CASE, other)
    failed, done = printed(told)
    assert (failed["id"], failed["answer"], failed["verdict"]) == ("one", "", "not_tested")
    assert done["id"] == 2
    assert told.exit_code == 1
    assert 'case "one": the model at LLM_BASE_URL does not answer' in told.stderr
    assert "in 1 of 2 cases" in told.stderr


def test_a_malformed_file_ends_it_before_anything_is_paid_for(
    tmp_path: Path, endpoint: str, model: ScriptedModel
) -> None:
    told = explain(tmp_path, CASE, "{")
    assert (told.exit_code, told.stdout) == (1, "")
    assert "line 2: no JSON object" in told.stderr
    assert received(endpoint) == []


def test_without_an_endpoint_it_says_which_setting_is_missing(tmp_path: Path) -> None:
    settings.cache_clear()
    told = explain(tmp_path, CASE)
    assert (told.exit_code, told.stdout) == (1, "")
    assert "LLM_BASE_URL" in told.stderr
