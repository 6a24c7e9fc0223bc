"""The whole command: each answer explained by log-probabilities, and by asking again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from core.attribution import AnswerVerdict
from core.settings import settings
from evaluation.__main__ import app
from evaluation.explanations.any_answer.agreement import spearman
from evaluation.explanations.any_answer.reported import Reported
from sandbox.http.server import running
from sandbox.llm.scoring import build
from sandbox.llm.scripted import EVIDENCE, Messages, last_user_text

HOTEL = "A hotel in Porto costs 110 EUR."
TEXTS = [HOTEL, *(f"Berth {n} is cleaned by crew {n * 7}." for n in range(20, 27))]
CASE = {
    "id": "one",
    "question": "What does a hotel in Porto cost?",
    "evidence": [{"id": n, "title": f"Page {n}", "text": text} for n, text in enumerate(TEXTS)],
    "answer": f"{HOTEL} [1]",
}


def hotels(messages: Messages) -> str:
    """Quotes the page about hotels, where it is there."""
    there = any(HOTEL in text for _, text in EVIDENCE.findall(last_user_text(messages)))
    return HOTEL if there else "The pages I can read do not answer this."


@pytest.fixture
def set_up(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    yield monkeypatch
    settings.cache_clear()


def explained_twice(tmp_path: Path, set_up: pytest.MonkeyPatch, url: str) -> Result:
    set_up.setenv("LLM_BASE_URL", f"{url}/v1")
    set_up.setenv("LLM_MODEL", "scripted")
    settings.cache_clear()
    file = tmp_path / "cases.jsonl"
    file.write_text(json.dumps(CASE), encoding="utf-8")
    return CliRunner().invoke(app, ["explained-twice", "--cases", str(file), "--json"])


def test_both_ways_find_the_page_that_an_answer_rests_on(
    tmp_path: Path, set_up: pytest.MonkeyPatch
) -> None:
    with running(build(hotels, as_vllm=True)) as url:
        told = explained_twice(tmp_path, set_up, url)
    found = json.loads(told.stdout)
    assert found["all"]["same_causes"]["share"] == 1.0
    assert found["all"]["same_first"]["share"] == 1.0
    (case,) = found["cases"]
    assert case["verdicts"] == ["caused", "caused"]


def test_an_endpoint_that_does_not_tell_ends_the_command_with_the_reason(
    tmp_path: Path, set_up: pytest.MonkeyPatch, llm_url: str
) -> None:
    told = explained_twice(tmp_path, set_up, llm_url.removesuffix("/v1"))
    assert told.exit_code == 1
    assert "does not tell how likely a text is" in told.stderr


def test_effects_in_the_same_order_agree_and_in_the_opposite_one_do_not() -> None:
    def line(**effects: float) -> Reported:
        return Reported("one", "", AnswerVerdict.CAUSED, effects=effects)

    assert spearman(line(a=0.9, b=0.2, c=0.1), line(a=0.5, b=0.1, c=0.0)) == 1.0
    assert spearman(line(a=0.9, b=0.2, c=0.1), line(a=0.0, b=0.1, c=0.5)) == -1.0
    assert spearman(line(a=0.9), line(a=0.5)) is None
