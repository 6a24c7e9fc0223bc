"""Installations against the stand-in: who may install, whose token a call has, how tokens end."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from cryptography.fernet import Fernet
from desk import settings
from slack_bolt import BoltRequest
from slack_sdk.errors import SlackApiError
from sqlmodel import select
from starlette.applications import Starlette
from starlette.testclient import TestClient

from bot.installing import removal
from bot.installing.install_pages import CALLBACK, INSTALL
from bot.slack_api.calls import slack_call
from bot.slack_api.client import client
from bot.slack_api.errors import PlaceGone
from bot.wiring.installed import Installed, OneWorkspace, install_routes, workspaces
from bot.workspaces import Workspaces
from core.errors import SettingsError
from core.policy import people
from core.settings import Settings
from core.storage.access_tables import TokenRow
from core.storage.database import Database
from core.storage.tables import TurnRow
from sandbox.slack.client import Workspace
from sandbox.slack.workspace.values import CLIENT_ID, CLIENT_SECRET

PUBLIC_URL = "https://groundwire.example.com"
RED, BLUE, GREY = "T0RED", "T0BLUE", "T0GREY"
LATER = 4e9  # long after any installation of a test


@pytest.fixture
def chosen(tmp_path: Path, workspace: Workspace, redis_url: str) -> Settings:
    several = {
        "slack_bot_token": None,
        "slack_oauth_client_id": CLIENT_ID,
        "slack_oauth_client_secret": CLIENT_SECRET,
        "slack_workspaces": f"{RED}, {BLUE}",
        "public_url": PUBLIC_URL,
        "token_keys": Fernet.generate_key().decode(),
    }
    for name in ("Red", "Blue", "Grey"):
        workspace.add_team(name, admins=["Alice"])
    return settings(tmp_path, workspace.url, redis_url, **several)


@pytest.fixture
def installed(chosen: Settings, database: Database) -> Installed:
    found = workspaces(chosen, database)
    assert isinstance(found, Installed)
    return found


@pytest.fixture
def browser(chosen: Settings, database: Database, installed: Installed) -> TestClient:
    pages = Starlette(routes=install_routes(chosen, database, installed))
    return TestClient(pages, base_url=PUBLIC_URL, follow_redirects=False)


def install(browser: TestClient, workspace: Workspace, name: str) -> Any:
    began = browser.get(INSTALL)
    back = urlsplit(workspace.team(name).allow("Alice", began.headers["location"]))
    return browser.get(f"{back.path}?{back.query}")


def who(chosen: Settings, installed: Installed, team: str) -> str:
    """The workspace that Slack takes our token for."""
    with slack_call():
        return str(client(chosen, installed.of(team)).auth_test()["team_id"])


def test_each_workspace_is_spoken_to_by_its_own_token(
    chosen: Settings, installed: Installed, browser: TestClient, workspace: Workspace
) -> None:
    for name in ("Red", "Blue"):
        assert install(browser, workspace, name).status_code == 200
    assert [who(chosen, installed, team) for team in (RED, BLUE)] == [RED, BLUE]


def test_a_token_lies_sealed_in_sql(
    database: Database, installed: Installed, browser: TestClient, workspace: Workspace
) -> None:
    install(browser, workspace, "Red")
    tokens = installed.installations.tokens(RED)
    assert tokens
    with database.reading() as session:
        rows = session.exec(select(TokenRow)).all()
    assert [row.owner for row in rows] == [f"slack:{RED}"]
    assert tokens.access.encode() not in rows[0].sealed
    assert tokens.access not in repr(tokens)


def test_a_workspace_that_is_not_named_keeps_nothing_and_the_app_is_removed_there(
    chosen: Settings, installed: Installed, browser: TestClient, workspace: Workspace
) -> None:
    assert install(browser, workspace, "Grey").status_code == 403
    assert installed.installations.find(GREY) is None
    assert workspace.team("Grey").received("apps.uninstall")
    with pytest.raises(PlaceGone):
        who(chosen, installed, GREY)


def test_a_workspace_that_is_not_named_any_more_is_not_spoken_to(
    chosen: Settings, database: Database, browser: TestClient, workspace: Workspace
) -> None:
    install(browser, workspace, "Red")
    changed = chosen.model_copy(update={"slack_workspaces": BLUE})
    now = workspaces(changed, database)
    assert isinstance(now, Installed)
    with pytest.raises(PlaceGone):
        who(changed, now, RED)


def test_a_state_is_good_for_one_browser_and_once(
    browser: TestClient, workspace: Workspace
) -> None:
    began = browser.get(INSTALL)
    back = urlsplit(workspace.team("Red").allow("Alice", began.headers["location"]))
    address = f"{back.path}?{back.query}"
    other = TestClient(browser.app, base_url=PUBLIC_URL)
    assert other.get(address).status_code == 403
    assert browser.get(address).status_code == 200
    assert browser.get(address).status_code == 403


def test_whoever_cancels_installs_nothing(browser: TestClient, workspace: Workspace) -> None:
    began = browser.get(INSTALL)
    back = urlsplit(workspace.team("Red").deny(began.headers["location"]))
    assert browser.get(f"{back.path}?{back.query}").status_code == 403


def test_slack_is_asked_for_the_scopes_of_the_manifest(browser: TestClient) -> None:
    asked = parse_qs(urlsplit(browser.get(INSTALL).headers["location"]).query)
    assert "users:read.email" in asked["scope"][0].split(",")
    assert asked["redirect_uri"] == [PUBLIC_URL + CALLBACK]


def test_of_many_that_find_a_token_expired_one_uses_the_refresh_token(
    chosen: Settings, installed: Installed, browser: TestClient, workspace: Workspace
) -> None:
    workspace.rotate()
    install(browser, workspace, "Red")
    workspace.team("Red").expire_tokens()
    found: list[str] = []
    threads = [
        threading.Thread(target=lambda: found.append(who(chosen, installed, RED))) for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [RED] * 6
    exchanged = [call.arguments for call in workspace.received("oauth.v2.access")]
    assert sum(each.get("grant_type") == "refresh_token" for each in exchanged) == 1


def test_a_revoked_token_is_marked_and_others_work_on(
    chosen: Settings, installed: Installed, browser: TestClient, workspace: Workspace
) -> None:
    for name in ("Red", "Blue"):
        install(browser, workspace, name)
    tokens = installed.installations.tokens(RED)
    assert tokens
    client(chosen.model_copy(update={"slack_bot_token": None})).auth_revoke(token=tokens.access)
    for _ in range(2):
        with pytest.raises(PlaceGone):
            who(chosen, installed, RED)
    marked = installed.installations.find(RED)
    assert marked
    assert marked.refused == "token_revoked"
    assert who(chosen, installed, BLUE) == BLUE


def test_a_workspace_that_was_marked_by_mistake_works_again_once_slack_says_so(
    chosen: Settings, installed: Installed, browser: TestClient, workspace: Workspace
) -> None:
    install(browser, workspace, "Red")
    installed.installations.mark(RED, "invalid_auth")
    installed.rotation.try_again(RED)
    assert who(chosen, installed, RED) == RED


def event(team: str, of: dict[str, Any], **more: Any) -> BoltRequest:
    body = {
        "type": "event_callback",
        "team_id": team,
        "authorizations": [{"team_id": team, "user_id": "U0BOT"}],
        "event": of,
        "event_time": 1,
        **more,
    }
    return BoltRequest(body=body, mode="socket_mode")


def mention(ts: str, text: str) -> dict[str, Any]:
    said = {"type": "app_mention", "user": "U0ALICE", "channel": "C0GEN", "channel_type": "channel"}
    return said | {"ts": ts, "text": text}


def asked(database: Database) -> list[tuple[str, str]]:
    with database.reading() as session:
        rows = session.exec(select(TurnRow).order_by(TurnRow.team)).all()
    return [(row.team, row.ts) for row in rows]


def test_the_same_ids_in_two_workspaces_are_two_questions(
    chosen: Settings,
    database: Database,
    installed: Installed,
    browser: TestClient,
    workspace: Workspace,
) -> None:
    app = Workspaces(chosen, database, installed)
    for name, team in (("Red", RED), ("Blue", BLUE)):
        install(browser, workspace, name)
        found = installed.installations.find(team)
        assert found
        asks = mention("1.5", f"<@{found.bot}> who is on call?")
        assert app.dispatch(event(team, asks)).status == 200
    assert asked(database) == [(BLUE, "1.5"), (RED, "1.5")]


def test_a_message_of_a_channel_that_two_workspaces_share_is_one_question(
    chosen: Settings,
    database: Database,
    installed: Installed,
    browser: TestClient,
    workspace: Workspace,
) -> None:
    app, shared = Workspaces(chosen, database, installed), {"is_ext_shared_channel": True}
    for name in ("Red", "Blue"):
        install(browser, workspace, name)
    red = installed.installations.find(RED)
    assert red
    said = mention("1.5", f"<@{red.bot}> who is on call?")
    for team in (RED, BLUE):  # Slack names any of them
        assert app.dispatch(event(team, said, **shared)).status == 200
    assert [team for team, _ in asked(database)] == [RED]


def test_what_comes_from_a_workspace_without_the_app_is_acknowledged_and_asks_nothing(
    chosen: Settings, database: Database, installed: Installed
) -> None:
    app = Workspaces(chosen, database, installed)
    assert app.dispatch(event(GREY, mention("1.5", "<@U0BOT> who is on call?"))).status == 200
    assert asked(database) == []


def test_uninstalling_erases_the_workspace_at_once_and_another_keeps_everything(
    chosen: Settings,
    database: Database,
    installed: Installed,
    browser: TestClient,
    workspace: Workspace,
) -> None:
    app = Workspaces(chosen, database, installed)
    for name, team in (("Red", RED), ("Blue", BLUE)):
        install(browser, workspace, name)
        people.remember_locale(database, team, "U0ALICE", "de-DE")
    gone = {"type": "app_uninstalled"}
    for of in (gone, {"type": "tokens_revoked", "tokens": {"bot": ["U0BOT"]}}, gone):
        assert app.dispatch(event(RED, of, event_time=LATER)).status == 200
    assert installed.installations.find(RED) is None
    assert installed.installations.tokens(RED) is None
    assert [people.locale(database, team, "U0ALICE") for team in (RED, BLUE)] == ["", "de-DE"]
    assert who(chosen, installed, BLUE) == BLUE


def test_an_event_of_an_earlier_installation_does_not_end_a_new_one(
    database: Database, installed: Installed, browser: TestClient, workspace: Workspace
) -> None:
    install(browser, workspace, "Red")
    removal.uninstalled(database, RED, at=1.0)
    removal.revoked(database, RED, at=1.0)
    assert installed.installations.tokens(RED)


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"slack_bot_token": "xoxb-1"}, "SLACK_BOT_TOKEN and SLACK_OAUTH_CLIENT_ID are both set"),
        ({"slack_workspaces": ""}, "SLACK_WORKSPACES not set"),
        ({"token_keys": None}, "TOKEN_KEYS not set"),
        ({"public_url": "http://groundwire.example.com"}, "PUBLIC_URL is not https"),
        ({"slack_oauth_client_id": ""}, "count only beside SLACK_OAUTH_CLIENT_ID"),
    ],
)
def test_settings_that_cannot_work_together_are_refused(
    chosen: Settings, database: Database, changed: dict[str, Any], named: str
) -> None:
    wrong = Settings.model_validate(chosen.model_dump() | changed)
    with pytest.raises(SettingsError, match=named):
        workspaces(wrong, database)


def test_one_workspace_needs_its_token_and_no_row(tmp_path: Path, database: Database) -> None:
    alone = settings(tmp_path, "http://127.0.0.1:1", "redis://127.0.0.1:1")
    assert isinstance(workspaces(alone, database), OneWorkspace)


def test_a_wrong_token_of_the_only_workspace_is_told_as_ever(chosen: Settings) -> None:
    alone = Settings.model_validate(chosen.model_dump() | {"slack_bot_token": "xoxb-nobody"})
    with pytest.raises(SlackApiError, match="invalid_auth"):
        client(alone).auth_test()
