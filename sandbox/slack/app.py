"""The stand-in put together: Web API, Socket Mode, control API and the workspace page."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random

from starlette.applications import Starlette
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket

from sandbox.slack import control
from sandbox.slack.render import page
from sandbox.slack.web_api import api, files, oauth, openid
from sandbox.slack.workspace.link import Link, RetryPolicy
from sandbox.slack.workspace.tiers import PUBLISHED, Limits
from sandbox.slack.workspace.world import App, Sandbox


def build_app(
    retry_policy: RetryPolicy | None = None,
    seed: int | None = None,
    limits: Limits = PUBLISHED,
) -> Starlette:
    """A fresh workspace; with a seed, the two events of a mention always come in the same order.

    `limits` says how often each method may be called: as Slack publishes it, or UNLIMITED.
    """
    app = Starlette(
        routes=[
            Route("/", page.whole),
            Route("/page", page.pieces),
            Mount("/static", StaticFiles(directory=page.FOLDER / "static")),
            Route("/oauth/v2/authorize", oauth.authorize),
            Route("/openid/connect/authorize", openid.authorize),
            Route("/api/{method}", api.call, methods=["GET", "POST"]),
            Route("/response/{id}", api.respond, methods=["POST"]),
            Route("/upload/v1/{id}", files.upload, methods=["POST"]),
            Route("/file/{id}", files.show),
            WebSocketRoute("/link", connect),
            *control.ROUTES,
        ],
        lifespan=_until_the_end,
    )
    link = Link(retry_policy or RetryPolicy())
    app.state.sandbox = Sandbox(App(link, limits, Random(seed)))
    return app


@asynccontextmanager
async def _until_the_end(app: Starlette) -> AsyncIterator[None]:
    yield
    await app.state.sandbox.link.close()


async def connect(websocket: WebSocket) -> None:
    await websocket.app.state.sandbox.link.serve(websocket)
