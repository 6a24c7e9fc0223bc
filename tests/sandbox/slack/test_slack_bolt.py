"""A real, unpatched Bolt app against the stand-in, in Socket Mode and with a request URL."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qs

import httpx
import pytest
from slack_bolt import App
from slack_bolt.adapter.socket_mode import SocketModeHandler
from slack_sdk import WebClient
from slack_sdk.signature import SignatureVerifier
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from sandbox.http.server import running as serving
from sandbox.slack.client import NothingCame, OrderRefused, Workspace
from sandbox.slack.serve import running
from sandbox.slack.web_api.methods import METHODS
from sandbox.slack.workspace.link import RetryPolicy
from sandbox.slack.workspace.tiers import UNLIMITED
from sandbox.slack.workspace.values import SIGNING_SECRET

FEEDBACK = {
    "type": "context_actions",
    "elements": [
        {
            "type": "feedback_buttons",
            "action_id": "vote",
            "positive_button": {"text": {"type": "plain_text", "text": "👍"}, "value": "up"},
            "negative_button": {"text": {"type": "plain_text", "text": "👎"}, "value": "down"},
        }
    ],
}
MODAL = {
    "type": "modal",
    "callback_id": "reason",
    "title": {"type": "plain_text", "text": "What was wrong?"},
    "submit": {"type": "plain_text", "text": "Send"},
    "blocks": [
        {
            "type": "input",
            "block_id": "why",
            "label": {"type": "plain_text", "text": "Reason"},
            "element": {"type": "plain_text_input", "action_id": "text"},
        }
    ],
}

BUTTON = {
    "type": "button",
    "action_id": "again",
    "value": "v",
    "text": {"type": "plain_text", "text": "Again"},
}
AGAIN = {"type": "actions", "elements": [BUTTON]}

PATIENCE = RetryPolicy(ack_s=0.4, retries_s=(0.0, 0.2, 0.2))


class Bot:
    """A small Bolt app that notes every event; its listeners run before it acknowledges."""

    def __init__(self, url: str) -> None:
        self.app = App(
            client=WebClient("xoxb-sandbox", base_url=f"{url}/api/"), process_before_response=True
        )
        for name in ("message", "app_mention", "reaction_added", "reaction_removed"):
            self.app.event(name)(self._note)
        self.app.action("vote")(self._vote)
        self.app.view("reason")(self._reason)
        self.app.command("/vote")(self._command)
        self.app.event("app_home_opened")(self._home)
        self.app.action("again")(self._again)
        self.forget()

    def forget(self) -> None:
        self.events: list[dict[str, Any]] = []
        self.votes: list[str] = []
        self.reasons: list[str] = []
        self.commands: list[dict[str, Any]] = []
        self.pressed: list[dict[str, Any]] = []
        self.failures = 0
        self.answers = False

    def kinds(self) -> list[str]:
        return [body["event"].get("subtype") or body["event"]["type"] for body in self.events]

    def _note(self, body: dict[str, Any], event: dict[str, Any], client: WebClient) -> None:
        self.events.append(body)
        if self.failures:
            self.failures -= 1
            raise RuntimeError("as ordered by the test")
        if self.answers and event["type"] == "app_mention":
            posted = client.chat_postMessage(
                channel=event["channel"], thread_ts=event["ts"], text="looking…"
            )
            client.chat_update(channel=event["channel"], ts=posted["ts"], text="done")

    def _vote(
        self, ack: Any, action: dict[str, Any], body: dict[str, Any], client: WebClient
    ) -> None:
        self.votes.append(action["value"])
        client.views_open(trigger_id=body["trigger_id"], view=MODAL)
        ack()

    def _reason(self, ack: Any, view: dict[str, Any]) -> None:
        self.reasons.append(view["state"]["values"]["why"]["text"]["value"])
        ack()

    def _command(self, ack: Any, command: dict[str, Any], client: WebClient) -> None:
        self.commands.append(command)
        if self.failures:
            raise RuntimeError("as ordered by the test")
        if command["text"] == "open":
            client.views_open(trigger_id=command["trigger_id"], view=MODAL)
            ack()
        else:
            ack("only you see this")

    def _home(self, event: dict[str, Any], client: WebClient) -> None:
        if event["tab"] == "home":
            client.views_publish(user_id=event["user"], view={"type": "home", "blocks": [AGAIN]})

    def _again(self, ack: Any, body: dict[str, Any]) -> None:
        self.pressed.append(body)
        if self.failures:
            self.failures -= 1
            raise RuntimeError("as ordered by the test")
        ack()


@contextmanager
def connected(workspace: Workspace) -> Iterator[Bot]:
    bot = Bot(workspace.url)
    handler = SocketModeHandler(bot.app, "xapp-sandbox")
    handler.connect()  # type: ignore[no-untyped-call]
    workspace.wait_for_app()
    try:
        yield bot
    finally:
        handler.close()  # type: ignore[no-untyped-call]  # takes 3 s, so most tests share one bot


@pytest.fixture(scope="module")
def shared() -> Iterator[tuple[Workspace, Bot]]:
    with (
        running(PATIENCE, seed=7, limits=UNLIMITED) as url,
        Workspace(url) as workspace,
        connected(workspace) as bot,
    ):
        yield workspace, bot


@pytest.fixture
def workspace(shared: tuple[Workspace, Bot]) -> Workspace:
    shared[0].reset()
    return shared[0]


@pytest.fixture
def bot(shared: tuple[Workspace, Bot], workspace: Workspace) -> Bot:
    shared[1].forget()
    return shared[1]


def test_a_mention_arrives_as_two_events_and_a_direct_message_as_one(
    workspace: Workspace, bot: Bot
) -> None:
    asked = workspace.say("alice", "general", "@groundwire who is on call?")
    workspace.wait_until(lambda: len(bot.events) == 2)
    workspace.direct("ben", "@groundwire and you?")
    workspace.wait_until(lambda: len(bot.events) == 3)

    assert sorted(bot.kinds()[:2]) == ["app_mention", "message"]
    assert {body["event"]["ts"] for body in bot.events[:2]} == {asked.ts}
    assert len({body["event_id"] for body in bot.events}) == 3
    assert bot.events[2]["event"]["channel_type"] == "im"


def test_an_event_that_is_not_acknowledged_comes_again_with_the_same_id(
    workspace: Workspace, bot: Bot
) -> None:
    bot.failures = 2  # Given a bot that fails twice
    workspace.say("alice", "general", "hello")  # When somebody speaks
    workspace.wait_until(
        lambda: workspace.state()["deliveries"][0]["acknowledged"]
    )  # Then the third delivery is the last

    assert workspace.state()["deliveries"][0]["attempts"] == len(bot.events) == 3
    assert len({body["event_id"] for body in bot.events}) == 1


def test_events_wait_while_the_bot_is_away() -> None:
    with running(PATIENCE, limits=UNLIMITED) as url, Workspace(url) as workspace:
        workspace.say("alice", "general", "anybody there?")
        with connected(workspace) as bot:
            workspace.wait_until(lambda: bot.kinds() == ["message"])


def test_an_event_can_be_repeated(workspace: Workspace, bot: Bot) -> None:
    workspace.say("alice", "general", "once")
    workspace.wait_until(lambda: len(bot.events) == 1)
    assert workspace.redeliver() == bot.events[0]["event_id"]
    workspace.wait_until(lambda: len(bot.events) == 2)


def test_a_bot_that_is_sent_away_comes_back(workspace: Workspace, bot: Bot) -> None:
    workspace.disconnect()
    workspace.say("alice", "general", "still there?")
    workspace.wait_until(lambda: bot.kinds() == ["message"])


def test_edits_deletions_and_reactions_are_told(workspace: Workspace, bot: Bot) -> None:
    said = workspace.say("alice", "general", "helo")
    workspace.edit(said, "hello")
    workspace.react("ben", said, "mag")
    workspace.unreact("ben", said, "mag")
    workspace.delete(said)
    workspace.wait_until(lambda: len(bot.events) == 5)

    assert sorted(bot.kinds()) == [
        "message",
        "message_changed",
        "message_deleted",
        "reaction_added",
        "reaction_removed",
    ]
    reaction = next(
        body["event"] for body in bot.events if body["event"]["type"] == "reaction_added"
    )
    assert reaction["item"] == {"type": "message", "channel": said.channel, "ts": said.ts}
    assert reaction["item_user"] == said.user


def test_a_feedback_button_opens_a_modal_whose_values_come_back(
    workspace: Workspace, bot: Bot
) -> None:
    bot.app.client.chat_postMessage(channel="C0GENERAL", text="42", blocks=[FEEDBACK])
    workspace.click("alice", workspace.messages("general")[0], "vote", "down")
    workspace.wait_until(lambda: bool(workspace.views("U0ALICE")))
    workspace.submit("alice", workspace.views("U0ALICE")[0]["id"], {"text": "out of date"})

    assert (bot.votes, bot.reasons, workspace.views("U0ALICE")) == (["down"], ["out of date"], [])


def test_people_press_again_when_slack_says_that_it_failed(workspace: Workspace, bot: Bot) -> None:
    bot.app.client.chat_postMessage(channel="C0GENERAL", text="42", blocks=[AGAIN])
    bot.failures = 1
    workspace.click_until_heard("alice", workspace.messages("general")[0], "again")
    assert len(bot.pressed) == 2
    assert workspace.unheard() == ["interactive"]

    bot.failures = 9
    with pytest.raises(NothingCame, match="pressed again 3 times"):
        workspace.click_until_heard("alice", workspace.messages("general")[0], "again")


def test_a_reply_is_found_once_it_has_settled(workspace: Workspace, bot: Bot) -> None:
    bot.answers = True
    asked = workspace.say("alice", "engineering", "@groundwire how do I deploy?")
    reply = workspace.wait_for_reply(asked, settled=lambda m: m.text == "done")

    assert (reply.thread_ts, reply.edited) == (asked.ts, True)


def test_the_command_serves_socket_mode_where_it_says() -> None:
    command = [sys.executable, "-m", "sandbox.slack", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            url = process.stdout.readline().split()[-1]
            with Workspace(url) as workspace, connected(workspace):
                assert workspace.state()["connections"] == 1
        finally:
            process.terminate()


def test_a_command_is_answered_to_the_person_who_wrote_it(workspace: Workspace, bot: Bot) -> None:
    assert workspace.command("ben", "hr", "/vote  for lunch") == {"text": "only you see this"}
    (command,) = bot.commands
    assert (command["command"], command["text"], command["user_id"], command["channel_name"]) == (
        "/vote",
        "for lunch",
        "U0BEN",
        "hr",
    )
    (shown,) = workspace.messages("hr")
    assert (shown.text, shown.ephemeral_for) == ("only you see this", "U0BEN")
    assert workspace.command("ben", "", "/vote open") == {}
    assert bot.commands[1]["channel_name"] == "directmessage"
    assert len(workspace.views("U0BEN")) == 1


def test_a_command_that_is_not_acknowledged_is_not_delivered_again(
    workspace: Workspace, bot: Bot
) -> None:
    bot.failures = 1
    with pytest.raises(OrderRefused, match="operation_timeout"):
        workspace.command("ben", "hr", "/vote")
    assert len(bot.commands) == 1


def test_the_home_tab_is_of_one_person_and_its_buttons_reach_the_app(
    workspace: Workspace, bot: Bot
) -> None:
    workspace.open_direct("ben")
    workspace.open_home("ben")
    workspace.wait_until(lambda: workspace.home("U0BEN") is not None)
    view = workspace.home("U0BEN")
    assert view is not None
    assert workspace.home("U0ALICE") is None
    workspace.press("ben", view["id"], "again")
    workspace.wait_until(lambda: bool(bot.pressed))
    assert bot.pressed[0]["container"] == {"type": "view", "view_id": view["id"]}
    assert bot.pressed[0]["actions"][0]["value"] == "v"
    with pytest.raises(OrderRefused, match="view_not_found"):
        workspace.press("alice", view["id"], "again")


class Address:
    """A request URL that records requests and answers as configured."""

    def __init__(self) -> None:
        self.statuses: list[int] = []
        self.answer = ""
        self.heard: list[tuple[dict[str, str], str]] = []

    async def __call__(self, request: Request) -> Response:
        body = (await request.body()).decode()
        if '"url_verification"' in body:
            return JSONResponse({"challenge": json.loads(body)["challenge"]})
        self.heard.append((dict(request.headers), body))
        return Response(self.answer, status_code=self.statuses.pop(0) if self.statuses else 200)


@contextmanager
def called(workspace: Workspace) -> Iterator[Address]:
    address = Address()
    with serving(Starlette(routes=[Route("/slack", address.__call__, methods=["POST"])])) as url:
        workspace.request_url(f"{url}/slack")
        yield address


def test_over_http_events_are_signed_and_come_again_with_their_number_and_the_reason() -> None:
    with (
        running(PATIENCE, limits=UNLIMITED) as url,
        Workspace(url) as workspace,
        called(workspace) as address,
    ):
        workspace.wait_for_app()
        address.statuses = [500, 503]
        workspace.say("alice", "general", "hello")
        workspace.wait_until(lambda: workspace.state()["deliveries"][0]["acknowledged"])
        (headers, body), *again = address.heard
        assert SignatureVerifier(SIGNING_SECRET).is_valid_request(body, headers)
        assert "x-slack-retry-num" not in headers
        retries = [(h["x-slack-retry-num"], h["x-slack-retry-reason"], b == body) for h, b in again]
        assert retries == [("1", "http_error", True), ("2", "http_error", True)]


def test_over_http_a_button_comes_as_a_form() -> None:
    with (
        running(PATIENCE, limits=UNLIMITED) as url,
        Workspace(url) as workspace,
        called(workspace) as address,
    ):
        WebClient("xoxb-sandbox", base_url=f"{url}/api/").chat_postMessage(
            channel="C0GENERAL", text="42", blocks=[FEEDBACK]
        )
        workspace.click("alice", workspace.messages("general")[0], "vote", "up")
        workspace.wait_until(lambda: len(address.heard) == 2)
        headers, body = next(each for each in address.heard if each[1].startswith("payload="))
        assert headers["content-type"] == "application/x-www-form-urlencoded"
        assert json.loads(parse_qs(body)["payload"][0])["actions"][0]["value"] == "up"


def test_over_http_a_command_comes_as_a_form_of_its_own_and_is_answered() -> None:
    with (
        running(PATIENCE, limits=UNLIMITED) as url,
        Workspace(url) as workspace,
        called(workspace) as address,
    ):
        address.answer = "only you see this"
        assert workspace.command("ben", "hr", "/vote for lunch") == {"text": "only you see this"}
        ((headers, body),) = address.heard
        assert headers["content-type"] == "application/x-www-form-urlencoded"
        sent = parse_qs(body)
        assert (sent["command"], sent["text"], sent["user_id"]) == (
            ["/vote"],
            ["for lunch"],
            ["U0BEN"],
        )


def test_an_address_that_does_not_answer_the_challenge_is_not_taken() -> None:
    with running(PATIENCE, limits=UNLIMITED) as url, Workspace(url) as workspace:
        with pytest.raises(OrderRefused, match="challenge_failed"):
            workspace.request_url(f"{url}/nowhere")
        with pytest.raises(OrderRefused, match="url_not_reachable"):
            workspace.request_url("http://127.0.0.1:1/slack")
        assert workspace.state()["connections"] == 0


@pytest.mark.parametrize("method", sorted(METHODS))
def test_every_method_can_be_told_to_say_that_there_were_too_many(
    workspace: Workspace, method: str
) -> None:
    workspace.fault(retry_after=7)
    answer = httpx.post(
        f"{workspace.url}/api/{method}", headers={"Authorization": "Bearer xoxb-sandbox"}
    )
    assert (answer.status_code, answer.headers["Retry-After"], answer.json()["error"]) == (
        429,
        "7",
        "ratelimited",
    )
