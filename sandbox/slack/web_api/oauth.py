"""Installing the app: the page that asks for consent, oauth.v2.access, auth.revoke, apps.uninstall.

docs.slack.dev/authentication/installing-with-oauth. No redirect URL is configured here, so any is
taken, and each flow has to name its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from urllib.parse import urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response

from sandbox.slack.render.page import FOLDER
from sandbox.slack.web_api.arguments import Arguments
from sandbox.slack.workspace import events
from sandbox.slack.workspace.grants import Consent, Token
from sandbox.slack.workspace.values import APP_ID, CLIENT_ID, CLIENT_SECRET, Json, Refused
from sandbox.slack.workspace.world import Sandbox

POLICY = "default-src 'self'; frame-ancestors 'none'; base-uri 'none'"


async def authorize(request: Request) -> Response:
    """GET /oauth/v2/authorize: in which workspace? Then back, with a code or access_denied."""
    asked, home = request.query_params, request.app.state.sandbox
    try:
        if "deny" in asked:
            return RedirectResponse(refused(asked), 302)
        if "allow" in asked:
            where = home.in_team(asked["allow"])
            return RedirectResponse(allowed(where, asked, asked.get("user", "alice")), 302)
        check(asked)
    except Refused as refusal:
        return PlainTextResponse(refusal.code, 400)
    workspaces = [each.ids for each in home.app.workspaces.values()]
    meant = [ids for ids in workspaces if ids.team == asked.get("team")] or workspaces
    links = {ids.name: "?" + urlencode({**asked, "allow": ids.team}) for ids in meant}
    cancel = "?" + urlencode({**asked, "deny": "1"})
    html = template().render(scope=asked["scope"], links=links, cancel=cancel)
    return HTMLResponse(html, headers={"Content-Security-Policy": POLICY})


def allowed(sandbox: Sandbox, asked: Mapping[str, str], user: str) -> str:
    """Where a person's browser goes who allowed the app in this workspace: code and state.

    Raises:
        Refused: user_not_found, or what is wrong with what was asked
    """
    check(asked)
    person = sandbox.team.user(user)
    consent = Consent(sandbox.ids, person.id, asked["scope"], asked["redirect_uri"])
    return back(asked, code=sandbox.app.grants.allow(consent))


def refused(asked: Mapping[str, str]) -> str:
    """Where a person's browser goes who cancelled: RFC 6749, 4.1.2.1."""
    check(asked)
    return back(asked, error="access_denied")


def check(asked: Mapping[str, str]) -> None:
    """Check what the app asks for.

    Raises:
        Refused: invalid_client_id, no_scopes, bad_redirect_uri
    """
    if asked.get("client_id") != CLIENT_ID:
        raise Refused("invalid_client_id")
    if not asked.get("scope"):
        raise Refused("no_scopes")
    if not asked.get("redirect_uri", "").startswith(("http://", "https://")):
        raise Refused("bad_redirect_uri")


def back(asked: Mapping[str, str], **answer: str) -> str:
    given = answer | ({"state": asked["state"]} if "state" in asked else {})
    url = asked["redirect_uri"]
    return f"{url}{'&' if '?' in url else '?'}{urlencode(given)}"


@cache
def template() -> Template:
    loader = FileSystemLoader(FOLDER / "templates")
    environment = Environment(loader=loader, autoescape=True, undefined=StrictUndefined)
    return environment.get_template("authorize.html")


def access(sandbox: Sandbox, a: Arguments) -> Json:
    """docs.slack.dev/reference/methods/oauth.v2.access: for a code, or for a refresh token."""
    check_client(a)
    grants, kind = sandbox.app.grants, a.text("grant_type") or "authorization_code"
    if kind == "authorization_code":
        redirect_uri = a.text("redirect_uri") or ""
        return _issued(grants.exchange(a.needed("code", "invalid_code"), redirect_uri))
    if kind == "refresh_token":
        return _issued(grants.refresh(a.needed("refresh_token", "invalid_refresh_token")))
    raise Refused("invalid_grant_type")


def _issued(token: Token) -> Json:
    consent = token.consent
    lives = {"expires_in": token.lives_s, "refresh_token": token.refresh} if token.refresh else {}
    return {
        "access_token": token.access,
        "token_type": "bot",
        "scope": consent.scope,
        "bot_user_id": consent.ids.bot_user,
        "app_id": APP_ID,
        **lives,
        "team": {"id": consent.ids.team, "name": consent.ids.name},
        "enterprise": None,
        "is_enterprise_install": False,
        "authed_user": {"id": consent.user},
    }


def revoke(sandbox: Sandbox, a: Arguments) -> Json:
    """docs.slack.dev/reference/methods/auth.revoke: one token, and with the last one the app."""
    if a.flag("test"):
        return {"revoked": False}
    sandbox.app.grants.revoke(a.token)
    gone = [] if sandbox.is_installed else [events.app_uninstalled()]
    sandbox.take_leave(events.tokens_revoked(sandbox.ids), *gone)
    return {"revoked": True}


def uninstall(sandbox: Sandbox, a: Arguments) -> Json:
    """docs.slack.dev/reference/methods/apps.uninstall: all tokens of this workspace."""
    check_client(a)
    remove(sandbox)
    return {}


def remove(sandbox: Sandbox) -> None:
    """Uninstall the app here, by its own wish or that of an administrator.

    Raises:
        Refused: it is not installed
    """
    if not sandbox.is_installed:
        raise Refused("not_installed")
    sandbox.app.grants.remove(sandbox.ids.team)
    sandbox.take_leave(events.app_uninstalled(), events.tokens_revoked(sandbox.ids))


def check_client(a: Arguments) -> None:
    if a.text("client_id") != CLIENT_ID:
        raise Refused("invalid_client_id")
    if a.text("client_secret") != CLIENT_SECRET:
        raise Refused("bad_client_secret")
