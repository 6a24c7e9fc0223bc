"""The stand-in's OAuth: as Atlassian's documentation says it, and as people choose."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from linked_site import DANIEL, MARA, a_site

from sandbox.confluence.client import Site
from sandbox.confluence.oauth import CLIENT_ID, CLIENT_SECRET, GATEWAY

APP = {"client_id": CLIENT_ID, "client_secret": CLIENT_SECRET}
BACK = "http://127.0.0.1:9/link/callback"
ASKED = {
    "client_id": CLIENT_ID,
    "response_type": "code",
    "redirect_uri": BACK,
    "state": "my state",
}


@pytest.fixture(scope="module")
def running() -> Iterator[tuple[str, Site]]:
    with a_site() as found:
        yield found


@pytest.fixture
def http(running: tuple[str, Site]) -> Iterator[httpx.Client]:
    running[1].reset()
    with httpx.Client(base_url=running[0], trust_env=False) as client:
        yield client


def granted(http: httpx.Client, account: str = MARA) -> dict[str, Any]:
    chosen = http.post("/authorize", params=ASKED, data={"account": account})
    code = httpx.URL(chosen.headers["location"]).params["code"]
    asked = {"grant_type": "authorization_code", "code": code, "redirect_uri": BACK}
    found: dict[str, Any] = http.post("/oauth/token", json=APP | asked).json()
    return found


def refreshed(http: httpx.Client, token: str) -> httpx.Response:
    asked = {"grant_type": "refresh_token", "refresh_token": token}
    return http.post("/oauth/token", json=APP | asked)


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def test_people_choose_who_they_are_or_cancel(http: httpx.Client) -> None:
    page = http.get("/authorize", params=ASKED)
    assert "Accept as Mara Lindqvist" in page.text
    reply = http.post("/authorize", params=ASKED, data={"account": ""})
    assert dict(httpx.URL(reply.headers["location"]).params) == {
        "error": "access_denied",
        "state": "my state",
    }


def test_an_app_that_nobody_knows_is_refused(http: httpx.Client) -> None:
    assert http.get("/authorize", params=ASKED | {"client_id": "x"}).status_code == 400
    asked = {"client_id": CLIENT_ID, "client_secret": "x", "grant_type": "refresh_token"}
    reply = http.post("/oauth/token", json=asked)
    assert (reply.status_code, reply.json()["error"]) == (401, "access_denied")


def test_a_code_is_for_the_callback_that_asked_for_it(http: httpx.Client) -> None:
    chosen = http.post("/authorize", params=ASKED, data={"account": MARA})
    code = httpx.URL(chosen.headers["location"]).params["code"]
    asked = {"grant_type": "authorization_code", "code": code, "redirect_uri": "http://else"}
    reply = http.post("/oauth/token", json=APP | asked)
    assert (reply.status_code, reply.json()["error"]) == (403, "invalid_grant")


def test_refresh_tokens_rotate_and_a_dead_one_ends_its_grant_alone(http: httpx.Client) -> None:
    first, other = granted(http), granted(http, DANIEL)
    second = refreshed(http, first["refresh_token"]).json()
    assert http.get("/me", headers=bearer(first["access_token"])).status_code == 401
    me = http.get("/me", headers=bearer(second["access_token"])).json()
    assert me["account_id"] == MARA
    assert refreshed(http, first["refresh_token"]).status_code == 403
    assert refreshed(http, second["refresh_token"]).status_code == 403
    assert http.get("/me", headers=bearer(second["access_token"])).status_code == 401
    assert refreshed(http, other["refresh_token"]).status_code == 200


def test_the_gateway_takes_an_access_token_until_it_is_expired_or_revoked(
    http: httpx.Client, running: tuple[str, Site]
) -> None:
    def look(token: str) -> int:
        return http.get(f"{GATEWAY}/wiki/api/v2/pages", headers=bearer(token)).status_code

    tokens = granted(http)
    assert look(tokens["access_token"]) == 200
    assert look("made-up") == 401
    running[1].oauth(expire=True)
    assert look(tokens["access_token"]) == 401
    tokens = refreshed(http, tokens["refresh_token"]).json()
    assert look(tokens["access_token"]) == 200
    running[1].oauth(revoke=MARA)
    assert look(tokens["access_token"]) == 401


def test_the_life_of_a_token_and_the_site_are_ordered(
    http: httpx.Client, running: tuple[str, Site]
) -> None:
    running[1].oauth(lifetime_s=5, site="https://x.atlassian.net")
    tokens = granted(http)
    assert tokens["expires_in"] == 5
    where = "/oauth/token/accessible-resources"
    (resource,) = http.get(where, headers=bearer(tokens["access_token"])).json()
    assert resource["url"] == "https://x.atlassian.net"
    running[1].reset()
    assert http.get(where, headers=bearer(tokens["access_token"])).status_code == 401
