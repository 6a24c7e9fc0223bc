"""What an app can read of what was said while it was off."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from sandbox.slack.client import Workspace
from sandbox.slack.serve import running
from sandbox.slack.workspace.tiers import UNLIMITED


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with running(limits=UNLIMITED) as url:
        yield url


@pytest.fixture
def workspace(url: str) -> Iterator[Workspace]:
    with Workspace(url) as workspace:
        workspace.reset()
        yield workspace


@pytest.fixture
def client(workspace: Workspace) -> WebClient:
    return WebClient("xoxb-sandbox", base_url=f"{workspace.url}/api/")


def test_a_history_is_newest_first_and_leaves_replies_to_their_threads(
    workspace: Workspace, client: WebClient
) -> None:
    first = workspace.say("alice", "general", "one")
    reply = workspace.say("ben", "general", "a reply", thread_ts=first.ts)
    workspace.say("alice", "general", "two")
    told = client.conversations_history(channel="C0GENERAL")
    assert [message["text"] for message in told["messages"]] == ["two", "one"]
    root = told["messages"][1]
    assert (root["reply_count"], root["latest_reply"]) == (1, reply.ts)


def test_cursors_lead_through_a_history_though_more_is_said_meanwhile(
    workspace: Workspace, client: WebClient
) -> None:
    for number in range(5):
        workspace.say("alice", "general", str(number))
    seen = []
    for page in client.conversations_history(channel="C0GENERAL", limit=2):
        seen += [message["text"] for message in page["messages"]]
        workspace.say("ben", "general", "meanwhile")
    assert seen == ["4", "3", "2", "1", "0"]


def test_the_ends_of_a_range_count_only_when_asked_for(
    workspace: Workspace, client: WebClient
) -> None:
    said = [workspace.say("alice", "general", str(number)) for number in range(3)]
    ends: dict[str, Any] = {"channel": "C0GENERAL", "oldest": said[0].ts, "latest": said[2].ts}
    between = client.conversations_history(**ends)["messages"]
    all_of_them = client.conversations_history(**ends, inclusive=True)["messages"]
    assert ([m["text"] for m in between], len(all_of_them)) == (["1"], 3)


def test_a_thread_is_read_from_a_time_on_and_page_by_page(
    workspace: Workspace, client: WebClient
) -> None:
    root = workspace.say("alice", "general", "root")
    replies = [workspace.say("ben", "general", str(n), thread_ts=root.ts) for n in range(4)]
    pages = client.conversations_replies(
        channel="C0GENERAL", ts=root.ts, oldest=replies[0].ts, limit=2
    )
    assert [[m["text"] for m in page["messages"]] for page in pages] == [["root", "1"], ["2", "3"]]


def test_the_bot_finds_its_channels_and_direct_messages(
    workspace: Workspace, client: WebClient
) -> None:
    direct = workspace.direct("dev", "hello").channel
    found = []
    for page in client.users_conversations(types="public_channel,im", limit=2):
        found += [channel["id"] for channel in page["channels"]]
    assert direct in found
    assert "C0HR" in found
    assert [c["user"] for c in client.conversations_list(types="im")["channels"]] == ["U0DEV"]


def test_what_is_no_cursor_is_refused(client: WebClient) -> None:
    with pytest.raises(SlackApiError) as caught:
        client.conversations_history(channel="C0GENERAL", cursor="tomorrow")
    assert caught.value.response["error"] == "invalid_cursor"


def test_a_message_with_replies_leaves_a_tombstone(workspace: Workspace) -> None:
    root = workspace.say("alice", "general", "one")
    workspace.say("ben", "general", "a reply", thread_ts=root.ts)
    workspace.delete(root)
    event = workspace.state()["deliveries"][-1]["payload"]["event"]
    assert (event["subtype"], event["message"]["subtype"]) == ("message_changed", "tombstone")
    assert len(workspace.thread("general", root.ts)) == 2


def test_what_somebody_looks_at_and_shares_comes_with_the_message(workspace: Workspace) -> None:
    seen = {"entities": [{"type": "slack#/types/channel_id", "value": "C0HR"}]}
    workspace.direct("dev", "what is this about?", app_context=seen, files=["plan.pdf"])
    event = workspace.state()["deliveries"][-1]["payload"]["event"]
    assert (event["app_context"], event["subtype"]) == (seen, "file_share")
    assert event["files"][0]["name"] == "plan.pdf"


def test_more_people_and_channels_are_there_by_order(workspace: Workspace) -> None:
    people, channels = workspace.grow(3, 2)
    said = workspace.say(people[2], channels[1], "hello")
    assert [message.ts for message in workspace.messages(channels[1])] == [said.ts]
