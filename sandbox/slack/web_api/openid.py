"""Sign in with Slack: the page on which somebody agrees, and openid.connect.token.

docs.slack.dev/authentication/sign-in-with-slack. ID tokens are signed as Slack's are, with a key of
this process; nobody here asks for its public half.
"""

from __future__ import annotations

import base64
import json
import secrets
import time
from functools import cache
from typing import Any
from urllib.parse import urlencode

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response

from sandbox.slack.web_api.arguments import Arguments
from sandbox.slack.web_api.oauth import POLICY, back, check_client, template
from sandbox.slack.workspace.values import CLIENT_ID, Json, Refused
from sandbox.slack.workspace.world import Sandbox

LIVES_S = 300  # of an ID token
CODE_S = 600.0

_codes: dict[str, tuple[Json, str, float]] = {}  # claims, redirect URI, until


async def authorize(request: Request) -> Response:
    """GET /openid/connect/authorize: who are you? Then back, with a code."""
    asked, home = request.query_params, request.app.state.sandbox
    if asked.get("client_id") != CLIENT_ID:
        return PlainTextResponse("invalid_client_id", 400)
    if "openid" not in asked.get("scope", "").split():
        return PlainTextResponse("invalid_scope", 400)
    people = {user.real_name: user for user in home.team.users.values() if not user.is_bot}
    if "as" in asked:
        code = _code(home, asked["as"], dict(asked), str(request.base_url).rstrip("/"))
        return RedirectResponse(back(asked, code=code), 302)
    links = {name: "?" + urlencode({**asked, "as": user.id}) for name, user in people.items()}
    cancel = back(asked, error="access_denied")
    html = template().render(scope="openid: who you are", links=links, cancel=cancel)
    return HTMLResponse(html, headers={"Content-Security-Policy": POLICY})


def token(sandbox: Sandbox, a: Arguments) -> Json:
    """docs.slack.dev/reference/methods/openid.connect.token: a code works once."""
    check_client(a)
    claims, redirect_uri, until = _codes.pop(a.needed("code", "invalid_code"), ({}, "", 0.0))
    if time.time() >= until:
        raise Refused("invalid_code")
    if a.text("redirect_uri") != redirect_uri:
        raise Refused("bad_redirect_uri")
    access = f"xoxp-{secrets.token_hex(16)}"
    return {"access_token": access, "token_type": "Bearer", "id_token": _signed(claims)}


def _code(sandbox: Sandbox, user: str, asked: dict[str, str], issuer: str) -> str:
    person, now = sandbox.team.user(user), int(time.time())
    claims = {
        "iss": issuer,
        "sub": person.id,
        "aud": CLIENT_ID,
        "exp": now + LIVES_S,
        "iat": now,
        "auth_time": now,
        "nonce": asked.get("nonce", ""),
        "https://slack.com/team_id": sandbox.ids.team,
        "https://slack.com/user_id": person.id,
    }
    code = secrets.token_hex(16)
    _codes[code] = claims, asked.get("redirect_uri", ""), time.time() + CODE_S
    return code


def _signed(claims: Json) -> str:
    """RFC 7515, with RS256."""
    head = _encoded(json.dumps({"alg": "RS256", "typ": "JWT"}).encode())
    said = f"{head}.{_encoded(json.dumps(claims).encode())}"
    signature = _key().sign(said.encode(), padding.PKCS1v15(), hashes.SHA256())
    return f"{said}.{_encoded(signature)}"


@cache
def _key() -> Any:
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


def _encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
