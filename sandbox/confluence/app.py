"""The stand-in as one app: REST API, pages for people, control API, authentication, faults."""

from __future__ import annotations

from html import escape
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from sandbox.confluence import control, oauth
from sandbox.confluence.accounts import ACCESS_TOKEN, TOKEN, USERNAME, RequireToken, is_api
from sandbox.confluence.api import cloud, datacenter
from sandbox.confluence.api.shapes import error_json
from sandbox.confluence.pages import reading
from sandbox.confluence.site.content import Content
from sandbox.confluence.webhooks import Subscription
from sandbox.http.faults import FaultMiddleware, FaultPlan

__all__ = ["ACCESS_TOKEN", "TOKEN", "USERNAME", "build_app"]


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


async def show_error(request: Request, error: Exception) -> Response:
    """Errors as JSON, in the shape of the v2 API; people get a sentence."""
    assert isinstance(error, HTTPException)
    if not is_api(request.url.path) and not request.url.path.startswith("/sandbox/"):
        page = f'<p>{escape(error.detail)} <a href="/wiki">All spaces</a></p>'
        return HTMLResponse(page, error.status_code)
    return JSONResponse(error_json(error.status_code, error.detail), error.status_code)


def build_app(
    content: Content, *, has_scan: bool = True, no_scan: int = 404, cap: int = 1000
) -> Starlette:
    """The stand-in for a site with this content: Cloud under /wiki, Data Center under /confluence.

    Cloud is at the gateway, too, under /ex/confluence/{cloudId}/wiki, for whatever id.

    `has_scan` is off for a Data Center before 7.18, which then answers `no_scan`; `cap` is the most
    that a listing of v1 shows at once, whatever it is asked for.
    """
    plan, received = FaultPlan(), list[dict[str, Any]]()
    middleware = [
        Middleware(RecordRequests, received=received),
        Middleware(FaultMiddleware, plan=plan, error_body=error_json),
        Middleware(RequireToken),
    ]
    routes = [*cloud.ROUTES, *datacenter.ROUTES, *control.ROUTES, *reading.ROUTES, *oauth.ROUTES]
    app = Starlette(
        routes=routes, middleware=middleware, exception_handlers={HTTPException: show_error}
    )
    app.state.content, app.state.faults, app.state.received = content, plan, received
    app.state.has_scan, app.state.no_scan, app.state.cap = has_scan, no_scan, cap
    app.state.subscriptions = list[Subscription]()
    app.state.grants = oauth.Grants(content.tokens)
    return app
