"""Several workspaces: who installs the app, whose token it is, and how tokens end."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx
import pytest
from slack_bolt import App
from slack_bolt.adapter.socket_mode import SocketModeHandler
from slack_bolt.authorization import AuthorizeResult
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from slack_sdk.web import SlackResponse

from sandbox.slack.client import OrderRefused, Workspace
from sandbox.slack.serve import running
from sandbox.slack.workspace.values import APP_TOKEN, BOT_TOKEN, CLIENT_ID, CLIENT_SECRET, TEAM_ID

BACK = "https://groundwire.example.com/slack/oauth_redirect"


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with running() as url:
        yield url


@pytest.fixture
def home(url: str) -> Iterator[Workspace]:
    with Workspace(url) as home:
        home.reset()
        yield home


@pytest.fixture
def other(home: Workspace) -> Workspace:
    return home.add_team("B", guests=["Ben"], email_domain="b.example.com")


def asking(**changed: str) -> str:
    asked = {"client_id": CLIENT_ID, "scope": "chat:write", "redirect_uri": BACK, "state": "s1"}
    return "https://slack.com/oauth/v2/authorize?" + urlencode(asked | changed)


def code_of(address: str) -> str:
    return parse_qs(urlsplit(address).query)["code"][0]


def access(workspace: Workspace, **given: Any) -> SlackResponse:
    known = {"client_id": CLIENT_ID, "client_secret": CLIENT_SECRET}
    return client(workspace, None).oauth_v2_access(**(known | given))


def install(workspace: Workspace) -> SlackResponse:
    return access(workspace, code=code_of(workspace.allow("Alice", asking())), redirect_uri=BACK)


def client(workspace: Workspace, token: str | None) -> WebClient:
    return WebClient(token, base_url=f"{workspace.url}/api/")


def refused(call: Any, **arguments: Any) -> str:
    with pytest.raises(SlackApiError) as caught:
        call(**arguments)
    return str(caught.value.response["error"])


def test_consent_leads_back_with_a_code_and_the_state(other: Workspace) -> None:
    back = urlsplit(other.allow("Alice", asking()))
    assert f"{back.scheme}://{back.netloc}{back.path}" == BACK
    assert parse_qs(back.query)["state"] == ["s1"]
    assert parse_qs(urlsplit(other.deny(asking())).query)["error"] == ["access_denied"]


def test_the_page_offers_each_workspace_and_takes_consent(other: Workspace) -> None:
    page = httpx.get(f"{other.url}/oauth/v2/authorize?{urlsplit(asking()).query}")
    assert "Allow in Sandbox" in page.text
    assert "Allow in B" in page.text
    chosen = f"{other.url}/oauth/v2/authorize?{urlsplit(asking()).query}&allow=T0B"
    issued = access(other, code=code_of(httpx.get(chosen).headers["Location"]), redirect_uri=BACK)
    assert issued["team"] == {"id": "T0B", "name": "B"}


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        ({"client_id": "9.9"}, "invalid_client_id"),
        ({"scope": ""}, "no_scopes"),
        ({"redirect_uri": "javascript:1"}, "bad_redirect_uri"),
    ],
)
def test_a_wrong_request_is_not_consented_to(
    other: Workspace, changed: dict[str, str], error: str
) -> None:
    with pytest.raises(OrderRefused, match=error):
        other.allow("Alice", asking(**changed))


def test_a_code_gives_the_token_of_its_workspace_once(other: Workspace) -> None:
    code = code_of(other.allow("Alice", asking()))
    issued = access(other, code=code, redirect_uri=BACK)
    assert (issued["token_type"], issued["scope"]) == ("bot", "chat:write")
    assert issued["authed_user"] == {"id": "U0ALICE"}
    assert "refresh_token" not in issued.data
    who = client(other, issued["access_token"]).auth_test()
    assert (who["team_id"], who["user_id"]) == ("T0B", issued["bot_user_id"])
    assert refused(access, workspace=other, code=code, redirect_uri=BACK) == "invalid_code"


def test_every_reply_tells_the_scopes_that_were_granted(home: Workspace) -> None:
    """As Slack does, in X-OAuth-Scopes; those of the manifest, unless somebody allowed fewer."""
    assert "app_mentions:read" in granted(home)
    home.scopes("chat:write", "commands")
    assert granted(home) == {"chat:write", "commands"}
    home.reset()
    assert "app_mentions:read" in granted(home)


def granted(workspace: Workspace) -> set[str]:
    headers = client(workspace, BOT_TOKEN).auth_test().headers
    return set(
        {name.lower(): value for name, value in headers.items()}["x-oauth-scopes"].split(",")
    )


def test_an_exchange_is_checked(other: Workspace) -> None:
    def code() -> str:
        return code_of(other.allow("Alice", asking()))

    wrong: list[tuple[dict[str, str], str]] = [
        ({"client_id": "9.9", "code": code()}, "invalid_client_id"),
        ({"client_secret": "guessed", "code": code()}, "bad_client_secret"),
        ({"code": code(), "redirect_uri": "https://elsewhere.example.com/"}, "bad_redirect_uri"),
        ({"code": code()}, "bad_redirect_uri"),
        ({"code": "guessed"}, "invalid_code"),
        ({"grant_type": "password"}, "invalid_grant_type"),
        ({"grant_type": "refresh_token", "refresh_token": "xoxe-1-x"}, "invalid_refresh_token"),
    ]
    for given, error in wrong:
        assert refused(access, workspace=other, **given) == error


def test_the_same_ids_are_other_people_channels_and_messages(
    home: Workspace, other: Workspace
) -> None:
    here, there = client(home, BOT_TOKEN), client(other, install(other)["access_token"])
    asked = home.say("Ben", "general", "here")
    told = other.say("Ben", "general", "there", ts=asked.ts)
    assert (asked.channel, asked.ts, asked.user) == (told.channel, told.ts, told.user)
    for each, text in ((here, "here"), (there, "there")):
        (message,) = each.conversations_history(channel=asked.channel)["messages"]
        assert message["text"] == text
    ben, his_namesake = (each.users_info(user=asked.user)["user"] for each in (here, there))
    assert (ben["team_id"], his_namesake["team_id"]) == (TEAM_ID, "T0B")
    assert (ben["is_restricted"], his_namesake["is_restricted"]) == (False, True)
    assert his_namesake["profile"]["email"] == "ben@b.example.com"


def test_what_the_bot_writes_stays_in_its_workspace(home: Workspace, other: Workspace) -> None:
    there = client(other, install(other)["access_token"])
    posted = there.chat_postMessage(channel="C0GENERAL", text="hello")
    assert posted["message"]["bot_profile"]["team_id"] == "T0B"
    assert [message.bot for message in other.messages("general")] == [True]
    assert home.messages("general") == []
    assert [call.method for call in other.received()] == ["chat.postMessage"]


def test_each_workspace_has_a_budget_of_its_own(home: Workspace, other: Workspace) -> None:
    here, there = client(home, BOT_TOKEN), client(other, install(other)["access_token"])
    for _ in range(5):
        here.chat_postMessage(channel="C0GENERAL", text="hello")
    assert refused(here.chat_postMessage, channel="C0GENERAL", text="hello") == "ratelimited"
    assert there.chat_postMessage(channel="C0GENERAL", text="hello")["ok"]


def test_an_app_that_is_not_installed_hears_nothing(home: Workspace, other: Workspace) -> None:
    other.say("Alice", "general", "@groundwire hello")
    assert home.state()["deliveries"] == []
    install(other)
    other.say("Alice", "general", "@groundwire hello")
    payloads = [each["payload"] for each in home.state()["deliveries"]]
    assert {each["team_id"] for each in payloads} == {"T0B"}
    assert {each["authorizations"][0]["user_id"] for each in payloads} == {"U0BOTB"}
    assert {each["event"]["type"] for each in payloads} == {"message", "app_mention"}


def test_one_connection_carries_the_events_of_all_workspaces(
    home: Workspace, other: Workspace
) -> None:
    tokens = {"T0B": install(other)["access_token"], TEAM_ID: BOT_TOKEN}

    def authorize(team_id: str) -> AuthorizeResult:
        who = client(home, tokens[team_id]).auth_test()
        return AuthorizeResult.from_auth_test_response(
            auth_test_response=who, bot_token=tokens[team_id]
        )

    app = App(client=client(home, None), authorize=authorize, signing_secret="unused")

    @app.event("app_mention")
    def answer(event: dict[str, str], say: Any) -> None:
        say(text=f"you are in {event['team']}", thread_ts=event["ts"])

    @app.event("message")
    def ignore() -> None: ...

    handler = SocketModeHandler(app, APP_TOKEN)
    handler.connect()  # type: ignore[no-untyped-call]
    try:
        home.wait_for_app()
        for workspace, team in ((home, TEAM_ID), (other, "T0B")):
            asked = workspace.say("Alice", "general", "@groundwire where am I?")
            assert workspace.wait_for_reply(asked).text == f"you are in {team}"
        assert len(home.messages("general")) == len(other.messages("general")) == 2
    finally:
        handler.close()  # type: ignore[no-untyped-call]


def test_a_rotating_token_is_refreshed_and_its_refresh_token_works_once(other: Workspace) -> None:
    other.rotate()
    first = install(other)
    assert first["expires_in"] == 43_200
    assert other.expire_tokens() == 1
    assert refused(client(other, first["access_token"]).auth_test) == "token_expired"
    again = {"grant_type": "refresh_token", "refresh_token": first["refresh_token"]}
    second = access(other, **again)
    assert client(other, second["access_token"]).auth_test()["team_id"] == "T0B"
    assert refused(access, workspace=other, **again) == "invalid_refresh_token"


def test_a_token_lives_as_long_as_was_ordered(other: Workspace) -> None:
    other.rotate(expires_in=1)
    there = client(other, install(other)["access_token"])
    assert there.auth_test()["ok"]
    time.sleep(1.1)
    assert refused(there.auth_test) == "token_expired"


def test_the_third_active_token_ends_the_first(other: Workspace) -> None:
    other.rotate()
    issued = [install(other) for _ in range(3)]
    assert refused(client(other, issued[0]["access_token"]).auth_test) == "token_revoked"
    assert all(client(other, each["access_token"]).auth_test()["ok"] for each in issued[1:])


def farewells(workspace: Workspace) -> set[tuple[str, str]]:
    told = (each["payload"] for each in workspace.state()["deliveries"])
    return {(each["team_id"], each["event"]["type"]) for each in told}


def test_an_administrator_removes_the_app_from_one_workspace(
    home: Workspace, other: Workspace
) -> None:
    there = client(other, install(other)["access_token"])
    other.uninstall()
    assert refused(there.auth_test) == "account_inactive"
    assert farewells(home) == {("T0B", "app_uninstalled"), ("T0B", "tokens_revoked")}
    assert client(home, BOT_TOKEN).auth_test()["ok"]
    with pytest.raises(OrderRefused, match="not_installed"):
        other.uninstall()
    assert client(other, install(other)["access_token"]).auth_test()["ok"]


def test_the_app_uninstalls_itself_with_its_secret_only(home: Workspace, other: Workspace) -> None:
    there = client(other, install(other)["access_token"])
    guess = {"client_id": CLIENT_ID, "client_secret": "guessed"}
    assert refused(there.apps_uninstall, **guess) == "bad_client_secret"
    home.reset()
    other = home.add_team("C")
    there = client(other, install(other)["access_token"])
    assert there.apps_uninstall(client_id=CLIENT_ID, client_secret=CLIENT_SECRET)["ok"]
    assert ("T0C", "app_uninstalled") in farewells(home)


def test_a_revoked_token_takes_the_installation_along_unless_tokens_rotate(
    home: Workspace, other: Workspace
) -> None:
    there = client(other, install(other)["access_token"])
    assert there.auth_revoke(test=True)["revoked"] is False
    assert there.auth_revoke()["revoked"] is True
    assert refused(there.auth_test) == "token_revoked"
    assert farewells(home) == {("T0B", "app_uninstalled"), ("T0B", "tokens_revoked")}
    home.rotate()
    client(other, install(other)["access_token"]).auth_revoke()
    assert other.state()["team"]["is_installed"]


def test_a_button_and_a_command_name_their_workspace(home: Workspace, other: Workspace) -> None:
    there = client(other, install(other)["access_token"])
    button = {"type": "button", "action_id": "go", "text": {"type": "plain_text", "text": "Go"}}
    there.chat_postMessage(
        channel="C0GENERAL", text="press", blocks=[{"type": "actions", "elements": [button]}]
    )
    (message,) = other.messages("general")
    other.click("Ben", message, "go")
    payload = home.state()["deliveries"][-1]["payload"]
    assert (payload["team"]["id"], payload["user"]["team_id"]) == ("T0B", "T0B")
    httpx.post(payload["response_url"], json={"text": "pressed"})
    assert [each.text for each in other.messages("general")] == ["press", "pressed"]
    assert home.messages("general") == []


def test_a_reset_leaves_one_workspace_with_its_first_token(
    home: Workspace, other: Workspace
) -> None:
    install(other)
    home.uninstall()
    home.reset()
    assert client(home, BOT_TOKEN).auth_test()["team_id"] == TEAM_ID
    with pytest.raises(OrderRefused, match="team_not_found"):
        other.messages("general")


def test_the_page_shows_the_workspace_of_its_address(home: Workspace, other: Workspace) -> None:
    home.say("Alice", "general", "only here")
    assert "only here" in httpx.get(f"{home.url}/").text
    assert "only here" not in httpx.get(f"{home.url}/?team=B").text
