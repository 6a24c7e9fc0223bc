"""Who asks: the account of the indexer, or a person of the site by a token; else HTTP 401.

https://developer.atlassian.com/cloud/confluence/basic-auth-for-rest-apis/: e-mail and API token.
https://developer.atlassian.com/cloud/confluence/oauth-2-3lo-apps/: tokens of OAuth work at the
gateway alone, https://api.atlassian.com/ex/confluence/{cloudId}/wiki.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from secrets import compare_digest

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from sandbox.confluence.api.datacenter_shapes import BASE
from sandbox.confluence.api.shapes import error_json
from sandbox.confluence.site.content import Content

USERNAME = "sandbox@example.com"
TOKEN = "sandbox-token"
AUTHORIZATION = "Basic " + b64encode(f"{USERNAME}:{TOKEN}".encode()).decode()
ACCESS_TOKEN = "sandbox-access-token"  # personal, of the same site as a Data Center

_GATEWAY = re.compile(r"/ex/confluence/[^/]+(?=/wiki/)")
_API = ("/wiki/api/", "/wiki/rest/", "/wiki/download/", BASE)


def is_api(path: str) -> bool:
    return path_on_site(path).startswith(_API)


def path_on_site(path: str) -> str:
    """The path without the gateway."""
    return _GATEWAY.sub("", path, count=1)


class RequireToken:
    """Notes who asks in `request.state.account`, None for the indexer; people need no token."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not is_api(scope["path"]):
            await self._app(scope, receive, send)
            return
        known, account = _asker(Request(scope))
        if not known:
            await JSONResponse(error_json(401, "Unauthorized"), 401)(scope, receive, send)
            return
        path, state = path_on_site(scope["path"]), scope.get("state", {})
        there = {} if path == scope["path"] else {"path": path, "raw_path": path.encode()}
        asked = {**scope, **there, "state": {**state, "account": account}}
        await self._app(asked, receive, send)


def _asker(request: Request) -> tuple[bool, str | None]:
    """Whether somebody is known by what was sent, and who it is."""
    sent, path = request.headers.get("authorization", ""), request.url.path
    on_server, at_gateway = path.startswith(BASE), path_on_site(path) != path
    indexers = f"Bearer {ACCESS_TOKEN}" if on_server else AUTHORIZATION
    if compare_digest(sent.encode(), indexers.encode()):
        return True, None
    content: Content = request.app.state.content
    scheme, _, token = sent.partition(" ")
    account: str | None = None
    if scheme == "Bearer" and (on_server or at_gateway):
        account = content.tokens.get(token)
    elif scheme == "Basic" and not on_server:
        account = _by_email(content, token)
    return account is not None, account


def _by_email(content: Content, sent: str) -> str | None:
    try:
        email, _, token = b64decode(sent).decode().partition(":")
    except ValueError:
        return None
    account = content.tokens.get(token)
    person = content.people.get(account or "")
    return account if person and email and person.email == email else None
