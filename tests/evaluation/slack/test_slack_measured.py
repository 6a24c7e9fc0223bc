"""What `python -m evaluation slack` says of questions, from what a stand-in saw."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from slack_sdk import WebClient

from bot.views.answer_blocks import EXPLAIN_ACTION
from core.storage.database import Database
from evaluation.slack.command import with_all_rows
from evaluation.slack.figures import calls, quantiles
from evaluation.slack.load import Asked
from evaluation.slack.report import report
from sandbox.slack.client import Message, Workspace
from sandbox.slack.serve import running

BUTTON = {"type": "button", "action_id": EXPLAIN_ACTION, "value": "t"}
LABEL = {"text": {"type": "plain_text", "text": "Why?"}}
ENDING: list[Any] = [{"type": "actions", "elements": [BUTTON | LABEL]}]


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    with running() as url, Workspace(url) as workspace:
        yield workspace


@pytest.fixture
def client(workspace: Workspace) -> WebClient:
    return WebClient("xoxb-sandbox", base_url=f"{workspace.url}/api/")


def answer(client: WebClient, question: Message, text: str) -> str:
    sent = client.chat_postMessage(
        channel=question.channel, thread_ts=question.ts, text=text, blocks=ENDING
    )
    return str(sent["ts"])


def asked_of(*questions: Message) -> list[Asked]:
    return [Asked(question.channel, question.ts) for question in questions]


def test_a_question_without_a_word_and_one_answered_twice_are_counted(
    workspace: Workspace, client: WebClient, database: Database
) -> None:
    once, twice, lost = (workspace.say("alice", "hr", f"question {n}") for n in range(3))
    answer(client, once, "one")
    answer(client, twice, "one")
    answer(client, twice, "two")
    figures = report(asked_of(once, twice, lost), workspace, database)
    counted = [figures[f"n, {what}"] for what in ("without a word", "answered twice")]
    assert (counted, figures["n, without an end"]) == ([1, 1], 1)


def test_an_answer_is_shown_when_its_last_text_stands(
    workspace: Workspace, client: WebClient, database: Database
) -> None:
    question = workspace.say("alice", "hr", "question")
    ts = answer(client, question, "with [1]")
    client.chat_update(channel=question.channel, ts=ts, text="with a link", blocks=ENDING)
    client.chat_update(channel=question.channel, ts=ts, text="with a link", blocks=ENDING)
    updates = [call.time for call in workspace.received("chat.update")]
    shown = report(asked_of(question), workspace, database)["s, shown, max"]
    assert shown == pytest.approx(updates[0] - float(question.ts), abs=0.01)


def test_a_message_that_only_begins_is_no_end(
    workspace: Workspace, client: WebClient, database: Database
) -> None:
    question = workspace.say("alice", "hr", "question")
    client.chat_postMessage(channel=question.channel, thread_ts=question.ts, text="Searching …")
    figures = report(asked_of(question), workspace, database)
    assert (figures["n, without a word"], figures["n, without an end"]) == (0, 1)


def test_calls_that_slack_refused_are_counted(workspace: Workspace, client: WebClient) -> None:
    workspace.fault("auth.test", retry_after=1)
    with pytest.raises(Exception, match="ratelimited"):
        client.auth_test()
    client.auth_test()
    assert calls(workspace) == {"calls, answered 429": 1, "calls, auth.test": 2}


def test_a_column_has_the_rows_of_all() -> None:
    rows = with_all_rows({"socket": {"a": 1.0}, "http": {"a": 2.0, "b": 3.0}})
    assert rows == {"socket": {"a": 1.0, "b": None}, "http": {"a": 2.0, "b": 3.0}}
    assert quantiles("s", [], 50) == {"s, p50": None}
