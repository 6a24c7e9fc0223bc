"""Records the body of every request, also of those that a fault answers, but never headers."""

from __future__ import annotations

import json
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send


class RecordBodies:
    """Keeps `{path, body}` of every request under /v1/."""

    def __init__(self, app: ASGIApp, received: list[dict[str, Any]]) -> None:
        self._app = app
        self._received = received

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope["path"].startswith("/v1/"):
            await self._app(scope, receive, send)
            return
        messages = await _all(receive)
        sent = b"".join(message.get("body", b"") for message in messages)
        self._received.append({"path": scope["path"], "body": _readable(sent)})
        await self._app(scope, _again(messages, receive), send)


async def _all(receive: Receive) -> list[Message]:
    messages = [await receive()]
    while messages[-1].get("more_body"):
        messages.append(await receive())
    return messages


def _again(messages: list[Message], receive: Receive) -> Receive:
    """The messages that were read, once more, then whatever follows them."""
    waiting = list(messages)

    async def replay() -> Message:
        return waiting.pop(0) if waiting else await receive()

    return replay


def _readable(sent: bytes) -> Any:
    """The body as JSON; what is no JSON is kept as text."""
    try:
        return json.loads(sent) if sent else None
    except ValueError:
        return sent.decode(errors="replace")
