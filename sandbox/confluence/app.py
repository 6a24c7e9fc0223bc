"""The stand-in as one app: REST API, pages for people, control API, authentication, faults."""

from __future__ import annotations

from base64 import b64encode
from html import escape
from secrets import compare_digest
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from sandbox.confluence import control, oauth
from sandbox.confluence.api import cloud, datacenter
from sandbox.confluence.api.datacenter_shapes import BASE
from sandbox.confluence.api.shapes import error_json
from sandbox.confluence.pages import reading
from sandbox.confluence.site.content import Content
from sandbox.http.faults import FaultMiddleware, FaultPlan

USERNAME = "sandbox@example.com"
TOKEN = "sandbox-token"
# https://developer.atlassian.com/cloud/confluence/basic-auth-for-rest-apis/: e-mail and API token
AUTHORIZATION = "Basic " + b64encode(f"{USERNAME}:{TOKEN}".encode()).decode()
ACCESS_TOKEN = "sandbox-access-token"  # personal, of the same site as a Data Center


class RecordRequests:
    """Remembers method, path and query of every API request, whatever becomes of it."""

    def __init__(self, app: ASGIApp, received: list[dict[str, Any]]) -> None:
        self._app = app
        self._received = received

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and is_api(scope["path"]):
            request = Request(scope)
            url = request.url
            call = {"method": request.method, "path": url.path, "query": url.query}
            self._received.append(call)
        await self._app(scope, receive, send)


class RequireToken:
    """Basic authentication for Cloud's API, a bearer token for Data Center's; none for people."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        reply = self._app
        is_call = scope["type"] == "http" and is_api(scope["path"])
        if is_call and not _authorized(Request(scope)):
            reply = JSONResponse(error_json(401, "Unauthorized"), 401)
        await reply(scope, receive, send)


def _authorized(request: Request) -> bool:
    if oauth.is_own_token(request):
        return True
    sent = request.headers.get("authorization", "")
    expected = AUTHORIZATION
    if request.url.path.startswith(BASE):
        expected = f"Bearer {ACCESS_TOKEN}"
    return compare_digest(sent.encode(), expected.encode())


def is_api(path: str) -> bool:
    return path.startswith(("/wiki/api/", "/wiki/rest/", "/wiki/download/", BASE))


async def show_error(request: Request, error: Exception) -> Response:
    """Errors as JSON, in the shape of the v2 API; people get a sentence."""
    assert isinstance(error, HTTPException)
    if not is_api(request.url.path) and not request.url.path.startswith("/sandbox/"):
        page = f'<p>{escape(error.detail)} <a href="/wiki">All spaces</a></p>'
        return HTMLResponse(page, error.status_code)
    return JSONResponse(error_json(error.status_code, error.detail), error.status_code)


def build_app(content: Content, *, has_scan: bool = True, cap: int = 1000) -> Starlette:
    """The stand-in for a site with this content: Cloud under /wiki, Data Center under /confluence.

    `has_scan` is off for a Data Center before 7.18; `cap` is the most that a listing of v1 shows
    at once, whatever it is asked for.
    """
    plan, received = FaultPlan(), list[dict[str, Any]]()
    middleware = [
        Middleware(oauth.Gateway),
        Middleware(RecordRequests, received=received),
        Middleware(FaultMiddleware, plan=plan, error_body=error_json),
        Middleware(RequireToken),
    ]
    routes = [*cloud.ROUTES, *datacenter.ROUTES, *control.ROUTES, *reading.ROUTES, *oauth.ROUTES]
    app = Starlette(
        routes=routes, middleware=middleware, exception_handlers={HTTPException: show_error}
    )
    app.state.content, app.state.faults, app.state.received = content, plan, received
    app.state.has_scan, app.state.cap = has_scan, cap
    app.state.tokens = {}  # the account of each access token of a person
    app.state.grants = oauth.Grants(app.state.tokens)
    return app
