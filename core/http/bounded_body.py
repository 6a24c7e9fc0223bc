"""A body has at most so many bytes: more is refused (413) before it is read, or while it comes.

A caller who leaves in the middle of a body gets nothing, and leaves no traceback.
"""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_BYTES = 1_000_000  # Slack's and Confluence's own are a few thousand
CLOSE = {"Connection": "close"}  # or the rest of the body would be read, to be thrown away


class BoundedBody:
    """Middleware around all routes of a server."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if _declared(scope) > MOST_BYTES:
            await _too_large()(scope, receive, send)
            return
        try:
            await self._app(scope, _counted(receive), send)
        except ClientDisconnect:
            return


def _declared(scope: Scope) -> int:
    """What Content-Length says, which the server has checked to be a number; 0 without it."""
    headers = dict(scope.get("headers", ()))
    return int(headers.get(b"content-length", 0))


def _counted(receive: Receive) -> Receive:
    come = 0

    async def bounded() -> Message:
        nonlocal come
        message = await receive()
        come += len(message.get("body", b""))
        if come > MOST_BYTES:
            raise HTTPException(413, "too large", CLOSE)
        return message

    return bounded


def _too_large() -> PlainTextResponse:
    return PlainTextResponse("too large", 413, CLOSE)
