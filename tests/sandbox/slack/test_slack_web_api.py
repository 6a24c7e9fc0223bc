"""What slack_sdk's WebClient is answered, and what it is refused."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from slack_sdk.http_retry.builtin_handlers import RateLimitErrorRetryHandler

from sandbox.slack.client import OrderRefused, Workspace
from sandbox.slack.serve import running
from sandbox.slack.web_api.files import PROCESSING_S
from sandbox.slack.web_api.methods import METHODS
from sandbox.slack.workspace.tiers import UNLIMITED

BUTTON = {
    "type": "button",
    "action_id": "explain",
    "text": {"type": "plain_text", "text": "Explain"},
    "value": "a1",
}
ACTIONS = {"type": "actions", "elements": [BUTTON]}


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


def section(text: str) -> dict[str, Any]:
    return {"type": "section", "text": {"type": "mrkdwn", "text": text}}


def refused(call: Any, **arguments: Any) -> str:
    with pytest.raises(SlackApiError) as caught:
        call(**arguments)
    return str(caught.value.response["error"])


def test_a_wrong_token_is_refused(workspace: Workspace) -> None:
    stranger = WebClient("xoxb-stolen", base_url=f"{workspace.url}/api/")
    assert refused(stranger.auth_test) == "invalid_auth"


def test_a_token_is_never_recorded(workspace: Workspace, client: WebClient) -> None:
    client.auth_test()
    assert [(call.method, call.ok) for call in workspace.received()] == [("auth.test", True)]
    assert "xoxb" not in str(workspace.received())


OPTION = {"text": {"type": "plain_text", "text": "one"}, "value": "1"}


@pytest.mark.parametrize(
    "blocks",
    [
        pytest.param([{"type": "divider"}] * 51, id="51 blocks"),
        pytest.param([section("x" * 3001)], id="a section of 3,001 characters"),
        pytest.param(
            [{"type": "actions", "elements": [{**BUTTON, "value": "x" * 2001}]}],
            id="a value of 2,001 characters",
        ),
        pytest.param(
            [{"type": "markdown", "text": "x" * 6001}] * 2, id="12,002 characters of markdown"
        ),
        pytest.param(
            [{"type": "divider", "block_id": "a"}, {"type": "divider", "block_id": "a"}],
            id="a block_id twice",
        ),
        pytest.param([{"type": "carousel"}], id="a type that does not exist"),
        pytest.param(
            [
                {
                    "type": "actions",
                    "elements": [{"type": "overflow", "action_id": "o", "options": []}],
                }
            ],
            id="an empty menu",
        ),
        pytest.param(
            [
                {
                    "type": "actions",
                    "elements": [{"type": "overflow", "action_id": "o", "options": [OPTION] * 6}],
                }
            ],
            id="6 in a menu",
        ),
    ],
)
def test_blocks_beyond_the_limits_are_refused(
    client: WebClient, blocks: list[dict[str, Any]]
) -> None:
    assert (
        refused(client.chat_postMessage, channel="C0GENERAL", text="t", blocks=blocks)
        == "invalid_blocks"
    )


def test_fifty_blocks_and_a_section_of_3000_characters_are_accepted(
    workspace: Workspace, client: WebClient
) -> None:
    client.chat_postMessage(
        channel="C0GENERAL", text="t", blocks=[section("x" * 3000), *[{"type": "divider"}] * 49]
    )
    assert len(workspace.messages("general")[0].blocks) == 50


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"channel": "C0NOWHERE", "text": "t"}, "channel_not_found"),
        ({"channel": "C0GENERAL", "text": "x" * 40_001}, "msg_too_long"),
        ({"channel": "C0GENERAL", "text": "t", "thread_ts": "1.000001"}, "thread_not_found"),
    ],
)
def test_a_message_that_cannot_be_posted_is_refused(
    client: WebClient, arguments: dict[str, Any], error: str
) -> None:
    assert refused(client.chat_postMessage, **arguments) == error


def test_a_message_of_nothing_is_refused(client: WebClient) -> None:
    assert (
        refused(client.api_call, api_method="chat.postMessage", json={"channel": "C0GENERAL"})
        == "no_text"
    )


def test_an_unknown_method_is_refused(client: WebClient) -> None:
    assert refused(client.api_call, api_method="chat.shout") == "unknown_method"


def test_only_the_bots_own_known_messages_can_be_updated(
    workspace: Workspace, client: WebClient
) -> None:
    said = workspace.say("alice", "general", "mine")
    assert (
        refused(client.chat_update, channel="C0GENERAL", ts="1.000001", text="t")
        == "message_not_found"
    )
    assert (
        refused(client.chat_update, channel="C0GENERAL", ts=said.ts, text="t")
        == "cant_update_message"
    )


def test_an_update_without_blocks_keeps_them(workspace: Workspace, client: WebClient) -> None:
    ts = client.chat_postMessage(channel="C0GENERAL", text="one", blocks=[section("one")])["ts"]
    client.chat_update(channel="C0GENERAL", ts=ts, text="two")
    assert [(m.text, m.plain()) for m in workspace.messages("general")] == [("two", "one")]


def test_metadata_comes_back_only_when_asked_for(client: WebClient) -> None:
    metadata = {"event_type": "turn", "event_payload": {"id": "t1"}}
    ts = client.chat_postMessage(channel="C0GENERAL", text="t", metadata=metadata)["ts"]
    with_it = client.conversations_replies(channel="C0GENERAL", ts=ts, include_all_metadata=True)[
        "messages"
    ]
    without = client.conversations_replies(channel="C0GENERAL", ts=ts)["messages"]
    assert with_it[0]["metadata"] == metadata
    assert "metadata" not in without[0]


def test_a_trigger_opens_one_modal_and_only_for_three_seconds(
    workspace: Workspace, client: WebClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    modal = {
        "type": "modal",
        "title": {"type": "plain_text", "text": "Why?"},
        "blocks": [section("…")],
    }
    client.chat_postMessage(channel="C0GENERAL", text="t", blocks=[ACTIONS])
    answer = workspace.messages("general")[0]
    first, second = (workspace.click("alice", answer, "explain") for _ in range(2))

    view = client.views_open(trigger_id=first, view=modal)["view"]
    assert refused(client.views_open, trigger_id=first, view=modal) == "exchanged_trigger_id"
    assert workspace.views("U0ALICE")[0]["id"] == view["id"]

    monkeypatch.setattr(time, "monotonic", lambda real=time.monotonic: real() + 3.1)
    assert refused(client.views_open, trigger_id=second, view=modal) == "expired_trigger_id"


def test_a_button_that_is_not_there_cannot_be_clicked(
    workspace: Workspace, client: WebClient
) -> None:
    client.chat_postMessage(channel="C0GENERAL", text="t", blocks=[ACTIONS])
    with pytest.raises(OrderRefused, match="action_not_found"):
        workspace.click("alice", workspace.messages("general")[0], "delete")


def test_a_rate_limit_is_obeyed_by_a_client_that_retries(
    workspace: Workspace, client: WebClient
) -> None:
    workspace.fault("chat.postMessage", retry_after=1)
    client.retry_handlers.append(RateLimitErrorRetryHandler(max_retry_count=1))
    client.chat_postMessage(channel="C0GENERAL", text="t")
    assert [(call.status, call.error) for call in workspace.received("chat.postMessage")] == [
        (429, "ratelimited"),
        (200, ""),
    ]


def test_a_reply_can_get_lost_after_the_message_was_posted(
    workspace: Workspace, client: WebClient
) -> None:
    workspace.fault("chat.postMessage", error="internal_error", after=True)
    assert refused(client.chat_postMessage, channel="C0GENERAL", text="t") == "internal_error"
    assert len(workspace.messages("general")) == 1


def test_a_stream_grows_until_it_is_stopped(workspace: Workspace, client: WebClient) -> None:
    asked = workspace.direct("alice", "why?")
    ts = client.chat_startStream(
        channel=asked.channel, thread_ts=asked.ts, markdown_text="Because "
    )["ts"]
    client.chat_appendStream(channel=asked.channel, ts=ts, markdown_text="of **rain**.")
    client.chat_stopStream(channel=asked.channel, ts=ts, blocks=[ACTIONS])

    assert workspace.wait_for_reply(asked).plain() == "Because of **rain**.\n[Explain]"
    late = refused(client.chat_appendStream, channel=asked.channel, ts=ts, markdown_text="!")
    assert late == "message_not_in_streaming_state"


def test_a_stream_that_grows_is_not_updated_and_one_that_is_over_is(
    workspace: Workspace, client: WebClient
) -> None:
    asked = workspace.direct("alice", "why?")
    ts = client.chat_startStream(
        channel=asked.channel, thread_ts=asked.ts, markdown_text="Because "
    )["ts"]
    assert (
        refused(client.chat_update, channel=asked.channel, ts=ts, text="!")
        == "streaming_state_conflict"
    )
    assert workspace.expire_streams() == [ts]
    for call in (client.chat_appendStream, client.chat_stopStream):
        assert (
            refused(call, channel=asked.channel, ts=ts, markdown_text="!")
            == "message_not_in_streaming_state"
        )
    client.chat_update(channel=asked.channel, ts=ts, text="Rain.")
    assert workspace.wait_for_reply(asked).text == "Rain."


def test_a_stream_makes_a_session_that_can_be_stopped(
    workspace: Workspace, client: WebClient
) -> None:
    asked = workspace.direct("alice", "why?")
    ts = client.chat_startStream(
        channel=asked.channel, thread_ts=asked.ts, markdown_text="Because "
    )["ts"]
    workspace.stop("alice", asked)
    assert (
        refused(client.chat_appendStream, channel=asked.channel, ts=ts, markdown_text="!")
        == "message_not_in_streaming_state"
    )
    event = workspace.state()["deliveries"][-1]["payload"]["event"]
    assert (event["type"], event["user"], event["streaming_message_ts"]) == (
        "agent_session_stopped",
        "U0ALICE",
        [ts],
    )


def test_an_older_workspace_lacks_methods(workspace: Workspace, client: WebClient) -> None:
    asked = workspace.direct("alice", "why?")
    workspace.lack("agents.sessions.setStatus")
    call = client.agents_sessions_setStatus
    assert (
        refused(call, channel_id=asked.channel, thread_ts=asked.ts, status="processing")
        == "unknown_method"
    )
    workspace.reset()


@pytest.mark.parametrize("method", sorted(METHODS))
def test_every_method_can_be_limited(workspace: Workspace, client: WebClient, method: str) -> None:
    workspace.fault(retry_after=7)
    with pytest.raises(SlackApiError) as caught:
        client.api_call(method, json={})
    assert (caught.value.response.status_code, caught.value.response.headers["Retry-After"]) == (
        429,
        "7",
    )


def test_an_ephemeral_message_is_for_one_person(workspace: Workspace, client: WebClient) -> None:
    client.chat_postEphemeral(channel="C0GENERAL", user="U0BEN", text="psst")
    assert [m.ephemeral_for for m in workspace.messages("general")] == ["U0BEN"]


PNG = b"\x89PNG and so on"


def uploaded(client: WebClient) -> str:
    """The id of a picture that Slack has looked at."""
    file_id = str(client.files_upload_v2(filename="a.png", file=PNG)["files"][0]["id"])
    time.sleep(PROCESSING_S)
    return file_id


def picture(**file: str) -> dict[str, Any]:
    return {"type": "image", "slack_file": file, "alt_text": "a chart"}


def test_an_uploaded_picture_is_shown_by_a_block_and_by_nothing_else(
    workspace: Workspace, client: WebClient
) -> None:
    client.chat_postMessage(
        channel="C0GENERAL", text="chart", blocks=[picture(id=uploaded(client))]
    )
    (message,) = workspace.messages("general")
    assert message.plain() == "[image: a chart]"
    methods = [call.method for call in workspace.received()]
    assert methods == [
        "files.getUploadURLExternal",
        "files.completeUploadExternal",
        "chat.postMessage",
    ]


def test_a_picture_cannot_be_shown_before_slack_has_looked_at_it_nor_when_it_was_never_uploaded(
    client: WebClient,
) -> None:
    file_id = str(client.files_upload_v2(filename="a.png", file=PNG)["files"][0]["id"])
    for unready in (file_id, "F0NEVERWAS"):
        assert (
            refused(
                client.chat_postMessage, channel="C0GENERAL", text="x", blocks=[picture(id=unready)]
            )
            == "invalid_blocks"
        )


@pytest.mark.parametrize(
    "file", [{}, {"id": "F0NEVERWAS", "url": "https://x.example"}, {"id": "f1"}]
)
def test_a_picture_has_an_id_or_an_address_in_slacks_form(
    client: WebClient, file: dict[str, str]
) -> None:
    assert (
        refused(client.chat_postMessage, channel="C0GENERAL", text="x", blocks=[picture(**file)])
        == "invalid_blocks"
    )


@pytest.mark.parametrize("method", ["files.getUploadURLExternal", "files.completeUploadExternal"])
def test_an_app_without_the_scope_uploads_nothing(
    workspace: Workspace, client: WebClient, method: str
) -> None:
    workspace.fault(method, error="missing_scope")
    assert refused(client.files_upload_v2, filename="a.png", file=PNG) == "missing_scope"


def test_bytes_that_are_not_as_many_as_was_said_are_refused(client: WebClient) -> None:
    url = client.files_getUploadURLExternal(filename="a.png", length=3)["upload_url"]
    assert httpx.post(url, content=PNG, trust_env=False).status_code == 400


def test_an_upload_is_completed_once_and_only_with_its_bytes(client: WebClient) -> None:
    file_id = client.files_getUploadURLExternal(filename="a.png", length=3)["file_id"]
    assert refused(client.files_completeUploadExternal, files=[{"id": file_id}]) == "file_not_found"
    done = uploaded(client)
    assert refused(client.files_completeUploadExternal, files=[{"id": done}]) == "file_not_found"


def test_an_upload_that_fails_on_the_way_is_told(workspace: Workspace, client: WebClient) -> None:
    workspace.fault("upload", status=500)
    with pytest.raises(OSError, match="500"):
        client.files_upload_v2(filename="a.png", file=PNG)


def test_a_modal_takes_250_kilobytes_and_no_more(workspace: Workspace, client: WebClient) -> None:
    message = workspace.say("alice", "general", "hi")
    client.chat_postMessage(channel="C0GENERAL", thread_ts=message.ts, text="x", blocks=[ACTIONS])
    trigger = workspace.click("alice", workspace.wait_for_reply(message), "explain")
    rich = {
        "type": "rich_text",
        "elements": [
            {"type": "rich_text_preformatted", "elements": [{"type": "text", "text": "x" * 3000}]}
        ],
    }
    view = {
        "type": "modal",
        "title": {"type": "plain_text", "text": "Details"},
        "blocks": [rich] * 90,
    }
    assert refused(client.views_open, trigger_id=trigger, view=view) == "view_too_large"


def test_what_stands_in_a_modal_can_be_read(workspace: Workspace, client: WebClient) -> None:
    message = workspace.say("alice", "general", "hi")
    client.chat_postMessage(channel="C0GENERAL", thread_ts=message.ts, text="x", blocks=[ACTIONS])
    trigger = workspace.click("alice", workspace.wait_for_reply(message), "explain")
    runs = [
        {"type": "text", "text": "old", "style": {"strike": True}},
        {"type": "text", "text": "new", "style": {"bold": True}},
    ]
    rich = {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": runs}]}
    view = {
        "type": "modal",
        "title": {"type": "plain_text", "text": "Details"},
        "blocks": [section("loading"), rich],
    }
    opened = client.views_open(trigger_id=trigger, view=view)
    assert workspace.modal("U0ALICE").splitlines() == ["Details", "loading", "~old~*new*"]
    assert workspace.modal("U0BEN") == ""
    workspace.close_modal(opened["view"]["id"])
    assert workspace.modal("U0ALICE") == ""


@pytest.mark.parametrize(
    ("element", "complaint"),
    [
        ({"options": []}, "must have 1 to 100 items"),
        (
            {"options": [{"text": {"type": "plain_text", "text": "x" * 76}, "value": "x"}]},
            "must be less than 76 characters",
        ),
        (
            {"options": [{"text": {"type": "plain_text", "text": "x"}, "value": ""}]},
            "must have 1 to 150 characters",
        ),
        (
            {"initial_option": {"text": {"type": "plain_text", "text": "y"}, "value": "y"}},
            "must be one of the options",
        ),
    ],
)
def test_a_menu_in_a_modal_has_limits(
    workspace: Workspace, client: WebClient, element: dict[str, Any], complaint: str
) -> None:
    client.chat_postMessage(channel="C0GENERAL", text="t", blocks=[ACTIONS])
    trigger = workspace.click("alice", workspace.messages("general")[0], "explain")
    option = {"text": {"type": "plain_text", "text": "x"}, "value": "x"}
    menu = {"type": "static_select", "action_id": "menu", "options": [option], **element}
    block = {"type": "input", "label": {"type": "plain_text", "text": "Menu"}, "element": menu}
    modal = {"type": "modal", "title": {"type": "plain_text", "text": "Why?"}, "blocks": [block]}
    with pytest.raises(SlackApiError, match=complaint):
        client.views_open(trigger_id=trigger, view=modal)


def test_who_is_an_admin_and_who_made_a_channel_is_told(client: WebClient) -> None:
    assert [client.users_info(user=user)["user"]["is_admin"] for user in ("U0ALICE", "U0BEN")] == [
        True,
        False,
    ]
    assert client.conversations_info(channel="C0ENGINEER")["channel"]["creator"] == "U0BEN"


def test_guests_and_people_of_another_organization_are_told_apart_as_slack_does(
    workspace: Workspace, client: WebClient
) -> None:
    def of(user: str) -> tuple[bool, str]:
        found = client.users_info(user=user)["user"]
        return found["is_restricted"], found["team_id"]

    assert [of(user) for user in ("U0ALICE", "U0GRETA", "U0ERIK")] == [
        (False, "T0SANDBOX"),
        (True, "T0SANDBOX"),
        (False, "T0PARTNER"),
    ]
    assert client.conversations_info(channel="C0PARTNERS")["channel"]["is_ext_shared"]
    with pytest.raises(OrderRefused, match="not_in_channel"):
        workspace.say("erik", "general", "hello?")


def test_a_message_in_a_shared_channel_says_whose_it_is(workspace: Workspace) -> None:
    workspace.say("erik", "fjord-cranes", "@groundwire hello?")
    told = [delivery["payload"] for delivery in workspace.state()["deliveries"]]
    assert [callback["is_ext_shared_channel"] for callback in told] == [True, True]
    assert {callback["event"]["user_team"] for callback in told} == {"T0PARTNER"}


def test_a_file_is_deleted_once(workspace: Workspace, client: WebClient) -> None:
    file = client.files_upload_v2(filename="a.png", content="x")["files"][0]["id"]
    client.files_delete(file=file)
    assert refused(client.files_delete, file=file) == "file_not_found"
