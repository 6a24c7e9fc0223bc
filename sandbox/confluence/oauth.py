"""Atlassian's OAuth 2.0 of the stand-in: consent, tokens that rotate, sites, who somebody is.

In place of auth.atlassian.com and api.atlassian.com:
developer.atlassian.com/cloud/confluence/oauth-2-3lo-apps/ and
developer.atlassian.com/cloud/oauth/getting-started/refresh-tokens/. Left out: scopes, and the days
after which an unused refresh token dies. `accounts` is the gateway, where the tokens work.
"""

from __future__ import annotations

import secrets
from html import escape
from typing import Any
from urllib.parse import parse_qsl, urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from sandbox.confluence.accounts import USERNAME
from sandbox.confluence.api.datacenter_shapes import BASE
from sandbox.confluence.api.paging import sent_json
from sandbox.confluence.site.content import Content, Person

CLIENT_ID, CLIENT_SECRET = "sandbox-client", "sandbox-client-secret"
CLOUD_ID = "5a4d0b0c-0000-4000-8000-sandboxcloud"
GATEWAY = f"/ex/confluence/{CLOUD_ID}"
LIFETIME_S = 3600
INDEXER = Person("sandbox:indexer", "Groundwire", USERNAME)


class Grants:
    """Who has allowed what; `tokens` has the account of each token that works right now."""

    def __init__(self, tokens: dict[str, str]) -> None:
        self.tokens = tokens
        self.clear()

    def clear(self) -> None:
        self.tokens.clear()
        self.lifetime_s = LIFETIME_S
        self.site = ""  # another one than this stand-in
        self.exchanges = 0  # of refresh tokens that were good
        self._codes: dict[str, tuple[str, str]] = {}  # account and callback
        self._families: dict[str, str] = {}  # by refresh token, also of dead ones
        self._alive: dict[str, tuple[str, str]] = {}  # by family: account and its refresh token
        self._access: dict[str, str] = {}  # by family: its access token

    def code(self, account: str, callback: str) -> str:
        code = secrets.token_urlsafe(16)
        self._codes[code] = (account, callback)
        return code

    def of_code(self, code: str, callback: str) -> dict[str, Any] | None:
        account, known = self._codes.pop(code, ("", ""))
        if not account or known != callback:
            return None
        return self._issued(secrets.token_hex(8), account)

    def of_refresh_token(self, token: str) -> dict[str, Any] | None:
        """A dead one that is used again ends what came of it, too: somebody has stolen it."""
        family = self._families.get(token, "")
        account, alive = self._alive.get(family, ("", ""))
        if token != alive:
            self._end(family)
            return None
        self.exchanges += 1
        return self._issued(family, account)

    def expire(self) -> None:
        """Access tokens do not work any more, refresh tokens do."""
        for token in self._access.values():
            self.tokens.pop(token, None)

    def revoke(self, account: str) -> None:
        """As a person does it at Atlassian, under *Connected apps*."""
        for family, (owner, _) in list(self._alive.items()):
            if owner == account:
                self._end(family)

    def _issued(self, family: str, account: str) -> dict[str, Any]:
        access, refresh = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
        self.tokens.pop(self._access.get(family, ""), None)
        self.tokens[access] = account
        self._access[family] = access
        self._families[refresh] = family
        self._alive[family] = (account, refresh)
        return {
            "access_token": access,
            "refresh_token": refresh,
            "expires_in": self.lifetime_s,
            "token_type": "Bearer",
            "scope": "",
        }

    def _end(self, family: str) -> None:
        self._alive.pop(family, None)
        self.tokens.pop(self._access.pop(family, ""), None)


async def get_consent(request: Request) -> Response:
    """Whoever looks at it chooses who they are."""
    asked = request.query_params
    if asked.get("client_id") != CLIENT_ID or asked.get("response_type") != "code":
        raise HTTPException(400, "Atlassian does not know this app")
    people = _content(request).people.values()
    rows = [_choice(person.account_id, f"Accept as {person.name}") for person in people]
    buttons = "".join([*rows, _choice("", "Cancel")])
    page = f"<h1>An app wants to read as you</h1><form method=post>{buttons}</form>"
    return HTMLResponse(page)


async def post_consent(request: Request) -> Response:
    sent = dict(parse_qsl((await request.body()).decode(), keep_blank_values=True))
    asked, account = request.query_params, sent.get("account", "")
    callback, state = asked["redirect_uri"], asked["state"]
    if not account:
        refused = {"error": "access_denied", "state": state}
        return RedirectResponse(f"{callback}?{urlencode(refused)}", 302)
    if account not in _content(request).people:
        raise HTTPException(404, "nobody of that name")
    code = _grants(request).code(account, callback)
    return RedirectResponse(f"{callback}?{urlencode({'code': code, 'state': state})}", 302)


async def post_token(request: Request) -> Response:
    sent = await sent_json(request)
    client = sent.get("client_id"), sent.get("client_secret")
    if client != (CLIENT_ID, CLIENT_SECRET):
        return JSONResponse({"error": "access_denied", "error_description": "Unauthorized"}, 401)
    grants = _grants(request)
    if sent.get("grant_type") == "authorization_code":
        issued = grants.of_code(str(sent.get("code")), str(sent.get("redirect_uri")))
        wrong = "Invalid authorization code"
    else:
        issued = grants.of_refresh_token(str(sent.get("refresh_token")))
        wrong = "Unknown or invalid refresh token."
    if issued is None:
        return JSONResponse({"error": "invalid_grant", "error_description": wrong}, 403)
    return JSONResponse(issued)


async def get_resources(request: Request) -> Response:
    _person(request)
    url = _grants(request).site or str(request.base_url).rstrip("/")
    return JSONResponse([{"id": CLOUD_ID, "name": "sandbox", "url": url, "scopes": []}])


async def get_me(request: Request) -> Response:
    person = _person(request)
    return JSONResponse(
        {"account_id": person.account_id, "email": person.email, "name": person.name}
    )


async def get_current_user(request: Request) -> Response:
    """Of both APIs."""
    account = request.state.account
    person = _content(request).people[account] if account else INDEXER
    found = {"type": "known", "displayName": person.name}
    if request.url.path.startswith(BASE):
        return JSONResponse(found | {"userKey": person.key, "username": person.username})
    return JSONResponse(found | {"accountId": person.account_id})


async def post_order(request: Request) -> Response:
    """What happens to tokens: `lifetime_s`, `site`, `expire`, `revoke` of an account."""
    sent, grants = await sent_json(request), _grants(request)
    grants.lifetime_s = int(sent.get("lifetime_s", grants.lifetime_s))
    grants.site = str(sent.get("site", grants.site))
    if sent.get("expire"):
        grants.expire()
    if sent.get("revoke"):
        grants.revoke(str(sent["revoke"]))
    return JSONResponse({"ok": True, "exchanges": grants.exchanges})


def _choice(account: str, label: str) -> str:
    value = escape(account, quote=True)
    return f'<p><button name=account value="{value}">{escape(label)}</button></p>'


def _person(request: Request) -> Person:
    """Whose access token it is."""
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    content = _content(request)
    account = content.tokens.get(token) if kind == "Bearer" else None
    if account is None:
        raise HTTPException(401, "Unauthorized")
    return content.people[account]


def _content(request: Request) -> Content:
    content: Content = request.app.state.content
    return content


def _grants(request: Request) -> Grants:
    grants: Grants = request.app.state.grants
    return grants


ROUTES = [
    Route("/authorize", get_consent),
    Route("/authorize", post_consent, methods=["POST"]),
    Route("/oauth/token", post_token, methods=["POST"]),
    Route("/oauth/token/accessible-resources", get_resources),
    Route("/me", get_me),
    Route("/wiki/rest/api/user/current", get_current_user),
    Route(f"{BASE}/rest/api/user/current", get_current_user),
    Route("/sandbox/oauth", post_order, methods=["POST"]),
]
