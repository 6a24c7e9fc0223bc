"""Signing in to the console with Slack: who is named comes in, once a sign-in, and nobody else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from consoled import Consoled, form_token
from pydantic import SecretStr
from sqlmodel import select
from starlette.testclient import TestClient

from console.app import build
from console.sessions import ConsoleRole
from console.sign_in.begun import VALID_S, SignInsBegun
from console.sign_in.roles import roles
from console.sign_in.slack import SignInRefused, SlackSignIn
from core.errors import SettingsError
from core.policy.audit import Act
from core.settings import Settings
from core.storage.access_tables import AuditRow
from sandbox.slack.serve import running
from sandbox.slack.workspace.values import CLIENT_ID, CLIENT_SECRET, TEAM_ID

URL = "https://console.example"
OPERATOR, VIEWER = f"{TEAM_ID}/U0ALICE", f"{TEAM_ID}/U0BEN"


@pytest.fixture(scope="module")
def slack() -> Iterator[str]:
    with running() as url:
        yield url


def settings(slack: str, **more: str) -> Settings:
    given = {
        "slack_api_url": f"{slack}/api/",
        "console_client_id": CLIENT_ID,
        "console_client_secret": SecretStr(CLIENT_SECRET),
        "console_url": URL,
        "console_operators": OPERATOR,
        "console_viewers": VIEWER,
    }
    return Settings.model_validate(given | more)


@pytest.fixture
def browser(console: Consoled, slack: str) -> TestClient:
    return open_browser(console, slack)


def open_browser(console: Consoled, slack: str) -> TestClient:
    parts = replace(console.parts, settings=settings(slack))
    app = build(parts, console.sessions)
    return TestClient(app, URL, headers={"accept-language": "en"}, follow_redirects=False)


def agreed(asked: str, person: str) -> str:
    """Where Slack sends somebody who has agreed, as an address here."""
    back = httpx.get(f"{asked}&as={person}").headers["location"]
    assert back.startswith(f"{URL}/signed-in?")
    return str(back.removeprefix(URL))


def begin(browser: TestClient) -> str:
    return str(browser.get("/sign-in").headers["location"])


def sign_in(browser: TestClient, person: str) -> Any:
    return browser.get(agreed(begin(browser), person))


def test_an_operator_comes_in_and_the_audit_log_names_them(
    console: Consoled, browser: TestClient
) -> None:
    turn = console.ask("Hotels?", console.write("1", "Travel"))
    assert browser.get("/questions").status_code == 403
    shown = sign_in(browser, "U0ALICE")
    assert shown.status_code == 200
    assert 'http-equiv="refresh"' in shown.text
    assert "Hotels?" in browser.get("/questions").text
    assert browser.get(f"/questions/{turn.id}").status_code == 200
    with console.database.reading() as session:
        rows = session.exec(select(AuditRow)).all()
    done = {(row.act, row.team, row.actor) for row in rows}
    assert (Act.SIGNED_IN, TEAM_ID, "U0ALICE") in done
    assert (Act.LOOKED_INTO, TEAM_ID, "U0ALICE") in done


def test_a_viewer_is_a_viewer(browser: TestClient) -> None:
    sign_in(browser, "U0BEN")
    assert browser.get("/gaps").status_code == 200
    assert browser.get("/questions").status_code == 403


def test_who_is_not_named_stays_outside(console: Consoled, browser: TestClient) -> None:
    refused = sign_in(browser, "U0CHLOE")
    assert refused.status_code == 403
    assert "groundwire-console=" not in str(refused.headers.get_list("set-cookie"))
    assert browser.get("/gaps").status_code == 403
    with console.database.reading() as session:
        (row,) = session.exec(select(AuditRow)).all()
    assert (row.act, row.actor) == (Act.REFUSED, "U0CHLOE")


def test_the_cookie_travels_over_tls_alone(browser: TestClient) -> None:
    cookies = sign_in(browser, "U0ALICE").headers.get_list("set-cookie")
    (own,) = [each for each in cookies if each.startswith("groundwire-console=")]
    assert "Secure" in own
    assert "HttpOnly" in own
    assert "SameSite=strict" in own


def test_a_sign_in_ends_once(browser: TestClient) -> None:
    back = agreed(begin(browser), "U0ALICE")
    assert browser.get(back).status_code == 200
    assert browser.get(back).status_code == 403


def test_it_ends_in_the_browser_that_began_it(browser: TestClient) -> None:
    """Login CSRF: somebody's own code is sent to another browser."""
    back = agreed(begin(browser), "U0ALICE")
    other = TestClient(browser.app, URL, follow_redirects=False)
    assert other.get(back).status_code == 403
    begin(other)
    assert other.get(back).status_code == 403
    assert other.get("/gaps").status_code == 403


@pytest.mark.parametrize("made_up", ["", "?code=x", "?state=x&code=y"])
def test_what_nobody_began_ends_nothing(browser: TestClient, made_up: str) -> None:
    begin(browser)
    assert browser.get(f"/signed-in{made_up}").status_code == 403
    assert browser.get("/gaps").status_code == 403


def test_a_code_of_another_sign_in_is_none_here(browser: TestClient) -> None:
    """Its ID token has another nonce."""
    other = TestClient(browser.app, URL, follow_redirects=False)
    code = parse_qs(urlsplit(agreed(begin(browser), "U0ALICE")).query)["code"][0]
    state = parse_qs(urlsplit(begin(other)).query)["state"][0]
    assert other.get(f"/signed-in?state={state}&code={code}").status_code == 403
    assert other.get("/gaps").status_code == 403


def test_a_session_of_before_does_not_live_on(console: Consoled, browser: TestClient) -> None:
    """Session fixation."""
    sign_in(browser, "U0BEN")
    old = browser.cookies["groundwire-console"]
    sign_in(browser, "U0ALICE")
    assert console.sessions.find(old) is None
    assert browser.cookies["groundwire-console"] != old


def test_slack_that_does_not_answer_lets_nobody_in() -> None:
    away = SlackSignIn(CLIENT_ID, CLIENT_SECRET, "http://127.0.0.1:1/api/", URL)
    with pytest.raises(SignInRefused, match="does not answer"):
        away.who("code", "nonce")


def test_a_wrong_secret_lets_nobody_in(slack: str) -> None:
    wrong = SlackSignIn(CLIENT_ID, "wrong", f"{slack}/api/", URL)
    back = agreed(wrong.consent_url("state", "nonce"), "U0ALICE")
    code = parse_qs(urlsplit(back).query)["code"][0]
    with pytest.raises(SignInRefused, match="bad_client_secret") as refused:
        wrong.who(code, "nonce")
    assert code not in str(refused.value)


def test_sign_ins_end_by_themselves_and_are_not_without_number() -> None:
    now = [0.0]
    begun = SignInsBegun(lambda: now[0])
    state, nonce = begun.begin()
    assert begun.end(state) == nonce
    assert begun.end(state) is None
    late, _ = begun.begin()
    now[0] = VALID_S
    assert begun.end(late) is None
    first, _ = begun.begin()
    for _ in range(1_000):
        begun.begin()
    assert begun.end(first) is None


def test_without_an_address_nobody_signs_in(console: Consoled) -> None:
    outside = console.outside()
    assert outside.get("/sign-in").status_code == 403
    assert "/sign-in" not in outside.get("/").text


def test_forms_of_those_who_signed_in_carry_their_own_token(browser: TestClient) -> None:
    sign_in(browser, "U0ALICE")
    page = browser.get("/gaps").text
    sent = browser.post("/out", data={"form_token": form_token(page)}, headers={"origin": URL})
    assert sent.status_code == 200
    assert 'href="/sign-in"' in sent.text
    assert browser.get("/gaps").status_code == 403


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"console_operators": "U0ALICE"}, "TEAM/USER"),
        ({"console_url": "http://console.example"}, "https://HOST"),
        ({"console_url": "https://console.example/x"}, "https://HOST"),
        ({"console_operators": "", "console_viewers": ""}, "nobody may sign in"),
        ({"console_client_id": ""}, "CONSOLE_CLIENT_ID"),
    ],
)
def test_what_is_half_set_is_said_with_its_cure(
    slack: str, more: dict[str, str], says: str
) -> None:
    with pytest.raises(SettingsError, match=says):
        roles(settings(slack, **more))


def test_who_is_named_twice_is_an_operator(slack: str) -> None:
    twice = roles(settings(slack, console_viewers=OPERATOR))
    assert twice == {OPERATOR: ConsoleRole.OPERATOR}
