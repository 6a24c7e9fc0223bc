"""The whole product where Slack calls the bot over HTTP: the same paths, and what differs."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from bot.views.answer_blocks import EXPLAIN_ACTION
from scenarios.conftest import Running, run

QUESTION = "How much may a hotel in Porto cost per night?"


@pytest.fixture(scope="module")
def called(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """The product with its request URL saved in Slack."""
    yield from run(tmp_path_factory.mktemp("called"), model=False, transport="http")


def test_a_mention_is_answered_a_button_is_heard_and_a_repetition_is_not(called: Running) -> None:
    asked = called.ask(QUESTION)
    answer = called.reply(asked)
    assert "110 EUR" in answer.plain()
    called.workspace.click("Alice", answer, EXPLAIN_ACTION)
    assert "Taken from [1]" in called.reply(answer).plain()
    called.workspace.redeliver()
    assert len(called.answers(asked)) == 2


def test_a_command_is_answered_and_asks_in_private(called: Running) -> None:
    assert (
        "/groundwire QUESTION"
        in called.workspace.command("Ben", "general", "/groundwire help")["text"]
    )
    assert (
        "answer in our direct messages"
        in called.workspace.command("Ben", "general", f"/groundwire {QUESTION}")["text"]
    )


def test_a_bot_that_was_away_is_told_again_and_answers_once(called: Running) -> None:
    called.stack.kill("bot")
    asked = called.ask("Who leads the Vision team?")
    called.stack.restart("bot")
    assert "Priya Raman" in called.reply(asked).plain()
    assert len(called.answers(asked)) == 1


def test_every_event_that_slack_sends_is_acknowledged(called: Running) -> None:
    called.reply(called.workspace.direct("Dev", "When may I take a sabbatical?"))
    called.workspace.wait_until(
        lambda: all(each["acknowledged"] for each in called.workspace.state()["deliveries"])
    )


def test_the_bot_says_that_it_is_ready_and_what_it_has_done(called: Running) -> None:
    called.reply(called.ask("When was Tern 4.2.1 released?"))
    assert httpx.get(f"{called.stack.health_url}/readyz").json() == {
        "ready": True,
        "database": "ok",
        "redis": "ok",
        "slack": "ok",
        "clock": "ok",
    }
    told = httpx.get(f"{called.stack.health_url}/metrics").text
    assert 'groundwire_questions_total{how="channel"}' in told
    assert "Tern" not in told
    for path in ("healthz", "readyz", "metrics"):
        assert httpx.get(f"{called.stack.bot_url}/{path}").status_code == 404
