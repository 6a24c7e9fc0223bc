"""Fault injection: a test orders error statuses, delays, login pages, cut or broken replies.

Orders are used up in the sequence they came. The control API under /sandbox/ is never disturbed.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOGIN_PAGE = (
    "<!DOCTYPE html><html><head><title>Log in</title></head>"
    "<body><h1>Log in to continue</h1></body></html>"
)


@dataclass
class Fault:
    """One order: what goes wrong, with which paths, and how many times."""

    path_contains: str = ""
    status: int | None = None
    retry_after: int | None = None  # seconds, sent with `status`
    delay_s: float = 0.0
    login_page: bool = False  # HTML with status 200, as a proxy sends when the session is over
    garbage: bool = False  # status 200 with a body that is no JSON
    truncate: bool = False  # the first half of the real body, as if it were complete
    drop: bool = False  # the first half of the real body, then the connection closes
    short: bool = False  # a listing without the second half of its results, nor a link to more
    empty: bool = False  # a listing without results
    times: int = 1

    @classmethod
    def from_json(cls, order: dict[str, Any]) -> Fault:
        """Read an order.

        Raises:
            ValueError: it has a field that no fault knows.
        """
        unknown = set(order) - {field.name for field in fields(cls)}
        if unknown:
            raise ValueError(f"unknown fault: {', '.join(sorted(unknown))}")
        return cls(**order)


# What can go wrong by chance, by the names that `chaos` takes.
CHAOS: dict[str, Fault] = {
    "429": Fault(status=429, retry_after=0),
    "500": Fault(status=500),
    "503": Fault(status=503),
    "login page": Fault(login_page=True),
    "garbage": Fault(garbage=True),
    "truncated": Fault(truncate=True),
    "dropped": Fault(drop=True),
    "short": Fault(short=True),
    "empty": Fault(empty=True),
}


class FaultPlan:
    """The orders that are still to be carried out, and what happens by chance."""

    def __init__(self) -> None:
        self._orders: list[Fault] = []
        self._rate = 0.0
        self._kinds: list[str] = []
        self._random = random.Random()

    def chaos(self, rate: float, seed: int, kinds: list[str]) -> None:
        """From now on let this part of all requests fail, in one of these ways."""
        self._rate, self._kinds, self._random = rate, kinds, random.Random(seed)

    def add(self, fault: Fault) -> None:
        self._orders.append(fault)

    def clear(self) -> None:
        self._orders.clear()
        self._rate = 0.0

    def take(self, path: str) -> Fault | None:
        """The first order that fits this path, counted down."""
        for fault in self._orders:
            if fault.times > 0 and fault.path_contains in path:
                fault.times -= 1
                return fault
        if self._rate and self._random.random() < self._rate:
            return CHAOS[self._random.choice(self._kinds)]
        return None


class FaultMiddleware:
    """Carries out the ordered faults around an application."""

    def __init__(
        self, app: ASGIApp, plan: FaultPlan, error_body: Callable[[int], dict[str, Any]]
    ) -> None:
        self._app = app
        self._plan = plan
        self._error_body = error_body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        ours = scope["type"] == "http" and not scope["path"].startswith("/sandbox/")
        fault = self._plan.take(scope["path"]) if ours else None
        if fault is None:
            await self._app(scope, receive, send)
            return
        await asyncio.sleep(fault.delay_s)
        await self._disturbed(fault, scope, receive, send)

    async def _disturbed(self, fault: Fault, scope: Scope, receive: Receive, send: Send) -> None:
        if fault.drop or fault.truncate:
            await send_half(await collect(self._app, scope, receive), send, complete=fault.truncate)
            return
        if fault.short or fault.empty:
            part = 0.0 if fault.empty else 0.5
            await send_short(await collect(self._app, scope, receive), send, part=part)
            return
        reply = self._replacement(fault)
        await (self._app if reply is None else reply)(scope, receive, send)

    def _replacement(self, fault: Fault) -> Response | None:
        if fault.status is not None:
            headers = {} if fault.retry_after is None else {"Retry-After": str(fault.retry_after)}
            return JSONResponse(self._error_body(fault.status), fault.status, headers)
        if fault.login_page:
            return HTMLResponse(LOGIN_PAGE)
        if fault.garbage:
            return Response('{"results": [{"id": ', media_type="application/json")
        return None


async def collect(app: ASGIApp, scope: Scope, receive: Receive) -> list[Message]:
    """Everything that the application would have sent."""
    messages: list[Message] = []

    async def keep(message: Message) -> None:
        messages.append(message)

    await app(scope, receive, keep)
    return messages


async def send_half(messages: list[Message], send: Send, *, complete: bool) -> None:
    """The first half of a reply; unless `complete`, the server then closes the connection."""
    await send(_without_length(messages[0]))
    body = _body_of(messages)
    half = body[: len(body) // 2]
    await send({"type": "http.response.body", "body": half, "more_body": not complete})


async def send_short(messages: list[Message], send: Send, *, part: float) -> None:
    """A listing with only a part of its results and no link to more; anything else as it is."""
    body = _body_of(messages)
    try:
        reply = json.loads(body)
    except ValueError:
        reply = None
    if isinstance(reply, dict) and isinstance(reply.get("results"), list):
        shown = reply["results"][: int(len(reply["results"]) * part)]
        links = {name: link for name, link in reply.get("_links", {}).items() if name != "next"}
        body = json.dumps({**reply, "results": shown, "_links": links}).encode()
    await send(_without_length(messages[0]))
    await send({"type": "http.response.body", "body": body})


def _body_of(messages: list[Message]) -> bytes:
    return b"".join(message.get("body", b"") for message in messages[1:])


def _without_length(start: Message) -> Message:
    headers = [header for header in start["headers"] if header[0].lower() != b"content-length"]
    return {**start, "headers": headers}
