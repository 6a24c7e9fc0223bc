"""The control API under /sandbox/: carries out orders, and tells the state of the workspace."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Iterator
from dataclasses import asdict

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from sandbox.slack.orders import ORDERS, shown
from sandbox.slack.workspace.interactions import as_view
from sandbox.slack.workspace.values import Json, Refused, View
from sandbox.slack.workspace.world import Sandbox


async def obey(request: Request) -> Response:
    """Carry out an order; its result comes with ok, what is wrong as an error with status 400."""
    order = ORDERS.get(request.path_params["order"])
    # A page of another origin can send a form without asking, but not JSON.
    if order is None:
        return JSONResponse({"ok": False, "error": "unknown_order"}, 404)
    if "application/json" not in request.headers.get("content-type", ""):
        return JSONResponse({"ok": False, "error": "not_json"}, 415)
    try:
        sent = json.loads(await request.body() or b"{}")
        sandbox = request.app.state.sandbox.in_team(sent.pop("team", ""))
        given = order(sandbox, sent, str(request.base_url).rstrip("/"))
        result = await given if isinstance(given, Awaitable) else given
    except (Refused, KeyError, TypeError, ValueError) as error:
        return JSONResponse({"ok": False, "error": _named(error)}, 400)
    return JSONResponse({"ok": True, **(result or {})})


def _named(error: Exception) -> str:
    if isinstance(error, Refused):
        return error.code
    return f"missing: {error.args[0]}" if isinstance(error, KeyError) else f"wrong order: {error}"


async def messages(request: Request) -> Response:
    try:
        sandbox = _workspace(request)
        channel = sandbox.team.channel_named(request.query_params.get("channel", ""))
        thread_ts = request.query_params.get("thread_ts")
        if thread_ts:
            found = sandbox.team.thread(channel.id, thread_ts)
        else:
            found = sandbox.team.messages(channel.id)
    except Refused as refused:
        return JSONResponse({"ok": False, "error": refused.code}, 400)
    return JSONResponse({"ok": True, "messages": [shown(message) for message in found]})


async def received(request: Request) -> Response:
    method = request.query_params.get("method")
    calls = _workspace(request).now.calls
    shown_ = [asdict(call) for call in calls if method in (None, call.method)]
    return JSONResponse({"ok": True, "calls": shown_})


async def state(request: Request) -> Response:
    """Users, channels, open views, statuses, sessions, prompts and faults; all deliveries."""
    sandbox = _workspace(request)
    now = sandbox.now
    return JSONResponse(
        {
            "ok": True,
            "team": asdict(sandbox.ids) | {"is_installed": sandbox.is_installed},
            "users": [asdict(user) for user in sandbox.team.users.values()],
            "channels": [asdict(channel) for channel in sandbox.team.channels.values()],
            "connections": sandbox.link.ways,
            "deliveries": [asdict(delivery) for delivery in sandbox.link.deliveries],
            "views": [_view(view) for view in now.views.values()],
            "homes": {user: as_view(view) for user, view in now.homes.items()},
            "statuses": list(_statuses(sandbox)),
            "sessions": list(_sessions(sandbox)),
            "prompts": now.prompts,
            "faults": [asdict(fault) for fault in now.faults if fault.times > 0],
        }
    )


def _workspace(request: Request) -> Sandbox:
    """The one that was asked for by name or id, else the first."""
    home: Sandbox = request.app.state.sandbox
    return home.in_team(request.query_params.get("team", ""))


def _view(view: View) -> Json:
    return {**as_view(view), "user": view.user, "open": view.open}


def _statuses(sandbox: Sandbox) -> Iterator[Json]:
    for channel, ts in list(sandbox.now.statuses):
        if status := sandbox.status(channel, ts):
            yield {"channel": channel, "thread_ts": ts, **asdict(status)}


def _sessions(sandbox: Sandbox) -> Iterator[Json]:
    for (channel, ts), status in sandbox.now.sessions.items():
        yield {"channel": channel, "thread_ts": ts, "status": status}


async def news(request: Request) -> Response:
    """Server-sent events: one for each change, without its content."""
    stream = request.app.state.sandbox.changes.stream()
    return StreamingResponse(
        stream, media_type="text/event-stream", headers={"Cache-Control": "no-store"}
    )


ROUTES = [
    Route("/sandbox/messages", messages),
    Route("/sandbox/received", received),
    Route("/sandbox/state", state),
    Route("/sandbox/events", news),
    Route("/sandbox/{order}", obey, methods=["POST"]),
]
