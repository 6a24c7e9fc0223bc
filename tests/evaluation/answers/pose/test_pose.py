"""The whole command: pages in a folder, messages in a file, a line on the standard output each."""

from __future__ import annotations

import json
from typing import Any

import pytest
from typer.testing import CliRunner

from evaluation.__main__ import app

PAGES = {
    "Leave in Porto": "<p>Whoever works in Porto has 25 days of leave a year.</p>",
    "Harbour crane": "<p>The crane lifts 40 tonnes. It is serviced every March.</p>",
}
FIELDS = {
    *("id", "act", "text", "sources", "not_found"),
    *("badge", "unsupported", "understood_as", "seconds"),
}
TURNS: list[dict[str, Any]] = [
    {"id": 1, "thread": None, "text": "How many days of leave has Porto?"},
    {"id": "2", "thread": "t", "text": "How much does the harbour crane lift?"},
    {"id": "3", "thread": "t", "text": "When is it serviced?"},
    {"id": "4", "thread": "t", "text": "thanks!"},
    {"id": 5, "place": "channel", "context": [], "who": "ana", "text": "lunch?", "bot": "helper"},
    {
        "id": 6,
        "place": "thread",
        "context": [
            {"who": "ana", "text": "@helper How much does the harbour crane lift?"},
            {"who": "bot", "text": "40 tonnes"},
        ],
        "who": "ana",
        "text": "@helper and when is it serviced?",
        "bot": "helper",
    },
    {"id": 7, "place": "dm", "context": [], "who": "a", "text": "leave " * 800, "bot": False},
]


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    folder = tmp_path_factory.mktemp("pose")
    pages = folder / "documents" / "HR"
    pages.mkdir(parents=True)
    for title, body in PAGES.items():
        (pages / f"{title}.xml").write_text(body, encoding="utf-8")
    turns = folder / "turns.jsonl"
    turns.write_text("\n".join(map(json.dumps, TURNS)), encoding="utf-8")
    arguments = ["--data", str(folder), "--turns", str(turns), "--folder", str(folder / "index")]
    told = CliRunner().invoke(app, ["pose", *arguments, "--json"])
    assert told.exit_code == 0, told.stderr
    return [json.loads(line) for line in told.stdout.splitlines()]


def test_every_message_has_its_line_in_order(printed: list[dict[str, Any]]) -> None:
    assert [each["id"] for each in printed] == [turn["id"] for turn in TURNS]
    assert all(set(each) == FIELDS for each in printed)


def test_an_answer_names_its_page(printed: list[dict[str, Any]]) -> None:
    first = printed[0]
    assert first["act"] == "answer"
    assert "25 days" in first["text"]
    assert first["sources"][0]["title"] == "Leave in Porto"
    assert first["sources"][0]["page_id"] in first["sources"][0]["url"]


def test_a_follow_up_leans_on_its_thread_and_on_a_written_context(
    printed: list[dict[str, Any]],
) -> None:
    for which in (2, 5):
        assert "Harbour crane" in printed[which]["understood_as"]
        assert printed[which]["sources"][0]["title"] == "Harbour crane"


def test_thanks_and_talk_are_not_answered(printed: list[dict[str, Any]]) -> None:
    assert [printed[which]["act"] for which in (3, 4)] == ["brief", "silent"]
    assert printed[3]["text"] == "❤️"
    assert printed[4]["text"] == ""


def test_a_question_that_is_too_long_gets_the_bots_own_sentence(
    printed: list[dict[str, Any]],
) -> None:
    assert printed[6]["act"] == "clarify"
    assert "4,000" in printed[6]["text"]
