"""How often Slack may be called, what it says then, and what else goes wrong by order."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from http.client import HTTPException
from typing import Any

import httpx
import pytest
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from sandbox.slack.client import Workspace
from sandbox.slack.serve import running
from sandbox.slack.web_api.methods import METHODS
from sandbox.slack.workspace.tiers import PUBLISHED, Limit, Meter


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with running() as url:
        yield url


@pytest.fixture
def workspace(url: str) -> Iterator[Workspace]:
    with Workspace(url) as workspace:
        workspace.reset()
        yield workspace


@pytest.fixture
def client(workspace: Workspace) -> WebClient:
    return WebClient("xoxb-sandbox", base_url=f"{workspace.url}/api/")


def refusal(caught: pytest.ExceptionInfo[SlackApiError]) -> tuple[int, str]:
    return caught.value.response.status_code, caught.value.response["error"]


def test_every_method_has_its_published_tier() -> None:
    assert set(METHODS) <= set(PUBLISHED)


def test_the_sixth_message_in_a_second_is_refused_with_the_time_to_wait(client: WebClient) -> None:
    for _ in range(5):
        client.chat_postMessage(channel="C0GENERAL", text="hello")
    with pytest.raises(SlackApiError) as caught:
        client.chat_postMessage(channel="C0GENERAL", text="hello")
    assert refusal(caught) == (429, "ratelimited")
    assert int(caught.value.response.headers["Retry-After"]) == 1


def test_another_channel_has_a_budget_of_its_own(client: WebClient) -> None:
    for channel in ("C0GENERAL", "C0HR"):
        for _ in range(5):
            assert client.chat_postMessage(channel=channel, text="hello")["ok"]


def test_streams_end_after_twenty_in_a_minute(workspace: Workspace, client: WebClient) -> None:
    root = workspace.say("alice", "general", "root").ts
    more: dict[str, Any] = {"recipient_user_id": "U0ALICE", "recipient_team_id": "T0SANDBOX"}
    for _ in range(20):
        client.chat_startStream(channel="C0GENERAL", thread_ts=root, **more)
    with pytest.raises(SlackApiError) as caught:
        client.chat_startStream(channel="C0GENERAL", thread_ts=root, **more)
    assert refusal(caught) == (429, "ratelimited")
    assert 50 < int(caught.value.response.headers["Retry-After"]) <= 60


def test_a_window_moves_on_and_refused_calls_do_not_count() -> None:
    meter = Meter({"m": (Limit(2, 10.0),)})
    taken = [meter.take("m", {}, at) for at in (0.0, 4.0, 5.0, 9.5, 10.5, 11.0, 14.5)]
    assert taken == [0, 0, 5, 1, 0, 3, 0]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({"channel": "C0GENERAL", "text": "x", "colour": "red"}, "unknown field: colour"),
        ({"text": "x"}, "missing required field: channel"),
    ],
)
def test_arguments_are_those_of_slack_sdk(
    client: WebClient, arguments: dict[str, str], complaint: str
) -> None:
    with pytest.raises(SlackApiError) as caught:
        client.api_call("chat.postMessage", json=arguments)
    assert caught.value.response["error"] == "invalid_arguments"
    assert caught.value.response["errors"] == [complaint]


def test_a_field_that_no_block_has_is_refused(client: WebClient) -> None:
    block = {"type": "section", "text": {"type": "mrkdwn", "text": "x"}, "colour": "red"}
    with pytest.raises(SlackApiError) as caught:
        client.chat_postMessage(channel="C0GENERAL", text="x", blocks=[block])
    assert caught.value.response["error"] == "invalid_blocks"


def test_a_lost_reply_is_one_to_what_was_done(workspace: Workspace, client: WebClient) -> None:
    workspace.fault("chat.postMessage", lost=True)
    client.retry_handlers = []
    with pytest.raises((OSError, HTTPException)):
        client.chat_postMessage(channel="C0GENERAL", text="once")
    assert [message.text for message in workspace.messages("general")] == ["once"]


def test_a_slow_method_tells_the_truth_later_and_holds_up_no_other(
    workspace: Workspace, client: WebClient
) -> None:
    workspace.fault("users.info", seconds=0.5)
    began = time.monotonic()
    client.auth_test()
    at_once = time.monotonic() - began
    assert client.users_info(user="U0BEN")["user"]["name"] == "ben"
    assert time.monotonic() - began - at_once >= 0.5 > at_once
    workspace.fault("users.info", seconds=30, times=9)
    workspace.mend()
    assert client.users_info(user="U0BEN")["ok"]


def test_a_share_of_calls_fails_by_chance(workspace: Workspace, client: WebClient) -> None:
    workspace.fault("auth.test", error="fatal_error", share=0.5, times=1000)
    failed = 0
    for _ in range(40):
        failed += not httpx.post(
            f"{workspace.url}/api/auth.test", headers={"Authorization": "Bearer xoxb-sandbox"}
        ).json()["ok"]
    assert 0 < failed < 40


def test_a_severed_connection_is_reset_and_not_closed(workspace: Workspace) -> None:
    opened = WebClient("xapp-sandbox", base_url=f"{workspace.url}/api/").apps_connections_open(
        app_token="xapp-sandbox"
    )
    host, _, rest = str(opened["url"]).removeprefix("ws://").partition("/")
    name, _, port = host.partition(":")
    with socket.create_connection((name, int(port)), timeout=10) as ours:
        ours.sendall(
            f"GET /{rest} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
        )
        assert ours.recv(12) == b"HTTP/1.1 101"
        workspace.wait_for_app()
        assert workspace.sever() == 1
        with pytest.raises(ConnectionResetError):
            while ours.recv(4096):
                pass
    assert workspace.state()["connections"] == 0
