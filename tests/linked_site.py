"""A site for tests of linked accounts: the stand-in with Atlassian's OAuth, and who is there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx

from core.access.linked_accounts import Tokens
from core.access.oauth import AtlassianApp
from core.access.token_keys import new_key
from sandbox.confluence.__main__ import SAMPLE
from sandbox.confluence.app import build_app
from sandbox.confluence.client import Site
from sandbox.confluence.oauth import CLIENT_ID, CLIENT_SECRET
from sandbox.confluence.site.load import load
from sandbox.http.server import running

MARA, DANIEL = "sandbox:mara-lindqvist", "sandbox:daniel-okoye"
KEY = new_key()
PUBLIC_URL = "http://127.0.0.1:9"


@contextmanager
def a_site() -> Iterator[tuple[str, Site]]:
    """Its address, and who orders what happens there."""
    with running(build_app(load(SAMPLE))) as url, Site(url) as site:
        yield url, site


def given(url: str, *, public_url: str = PUBLIC_URL, **more: str) -> dict[str, Any]:
    """The settings of an operator with an app at Atlassian."""
    return {
        "permission_mode": "aware",
        "token_keys": KEY,
        "public_url": public_url,
        "confluence_url": f"{url}/wiki",
        "confluence_flavor": "cloud",
        "atlassian_client_id": CLIENT_ID,
        "atlassian_client_secret": CLIENT_SECRET,
        "atlassian_auth_url": f"{url}",
        "atlassian_api_url": f"{url}",
    } | more


def consent(url: str, account: str) -> str:
    """Where Atlassian sends the browser of somebody who accepts as this account; empty: cancels."""
    reply = httpx.post(url, data={"account": account}, trust_env=False)
    assert reply.status_code == 302, reply.text
    return reply.headers["location"]


def tokens_of(app: AtlassianApp, account: str) -> Tokens:
    """As the whole dance gives them."""
    back = httpx.URL(consent(app.consent_url("state"), account))
    return app.exchange(back.params["code"])
