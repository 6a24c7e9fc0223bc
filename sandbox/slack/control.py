"""The control API under /sandbox/: what tests, the demo and the workspace page do in the place of people."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from sandbox.slack import people
from sandbox.slack.workspace.events import as_slack
from sandbox.slack.workspace.interactions import as_view
from sandbox.slack.workspace.values import Json, Message, Refused
from sandbox.slack.workspace.world import Fault, Sandbox

Order = Callable[[Sandbox, Json, str], Any]


def say(sandbox: Sandbox, order: Json, base_url: str) -> Json:
    where = "" if order.get("dm") else order["channel"]
    return shown(
        people.say(
            sandbox, order["user"], order["text"], channel=where, thread_ts=order.get("thread_ts")
        )
    )


def edit(sandbox: Sandbox, order: Json, base_url: str) -> Json:
    return shown(people.edit(sandbox, order["user"], order["channel"], order["ts"], order["text"]))


def delete(sandbox: Sandbox, order: Json, base_url: str) -> None:
    people.delete(sandbox, order["user"], order["channel"], order["ts"])


def react(sandbox: Sandbox, order: Json, base_url: str) -> None:
    people.react(sandbox, order["user"], order["channel"], order["ts"], order["name"])


def unreact(sandbox: Sandbox, order: Json, base_url: str) -> None:
    people.unreact(sandbox, order["user"], order["channel"], order["ts"], order["name"])


def click(sandbox: Sandbox, order: Json, base_url: str) -> Json:
    message = people.find(sandbox, order["channel"], order["ts"])
    payload = people.click(
        sandbox, order["user"], message, order["action_id"], order.get("value"), base_url=base_url
    )
    return {"trigger_id": payload["trigger_id"]}


def shortcut(sandbox: Sandbox, order: Json, base_url: str) -> Json:
    message = people.find(sandbox, order["channel"], order["ts"])
    return {
        "trigger_id": people.shortcut(
            sandbox, order["user"], message, order["callback_id"], base_url=base_url
        )["trigger_id"]
    }


async def submit(sandbox: Sandbox, order: Json, base_url: str) -> Json:
    return {
        "answer": await people.submit(
            sandbox, order["user"], order["view_id"], order.get("values", {})
        )
    }


def close(sandbox: Sandbox, order: Json, base_url: str) -> None:
    if sandbox.now.views.pop(order["view_id"], None) is None:
        raise Refused("view_not_found")
    sandbox.changes.tell("view")


def open_direct(sandbox: Sandbox, order: Json, base_url: str) -> Json:
    return {"channel": people.open_direct(sandbox, order["user"])}


def open_home(sandbox: Sandbox, order: Json, base_url: str) -> Json:
    return {"channel": people.open_home(sandbox, order["user"])}


def press(sandbox: Sandbox, order: Json, base_url: str) -> Json:
    payload = people.press(
        sandbox, order["user"], order["view_id"], order["action_id"], order.get("value")
    )
    return {"trigger_id": payload["trigger_id"]}


async def command(sandbox: Sandbox, order: Json, base_url: str) -> Json:
    where = "" if order.get("dm") else order["channel"]
    return await people.command(
        sandbox, order["user"], order["text"], channel=where, base_url=base_url
    )


def stop(sandbox: Sandbox, order: Json, base_url: str) -> None:
    people.stop(sandbox, order["user"], order["channel"], order["thread_ts"])


def expire(sandbox: Sandbox, order: Json, base_url: str) -> Json:
    """Let five minutes pass for every stream."""
    channels = list(sandbox.team.channels)
    return {
        "streams": people.end_streams(
            sandbox, [m for c in channels for m in sandbox.team.messages(c) if m.streaming]
        )
    }


def lack(sandbox: Sandbox, order: Json, base_url: str) -> None:
    """Be an older workspace, without these methods."""
    sandbox.now.lacking = set(order["methods"])


def fault(sandbox: Sandbox, order: Json, base_url: str) -> None:
    sandbox.now.faults.append(Fault(**order))


def redeliver(sandbox: Sandbox, order: Json, base_url: str) -> Json:
    return {"event_id": sandbox.link.repeat(order.get("event_id")).payload["event_id"]}


async def disconnect(sandbox: Sandbox, order: Json, base_url: str) -> Json:
    return {"connections": await sandbox.link.disconnect(order.get("reason", "refresh_requested"))}


async def request_url(sandbox: Sandbox, order: Json, base_url: str) -> None:
    await sandbox.link.call(order["url"])


def reset(sandbox: Sandbox, order: Json, base_url: str) -> None:
    sandbox.reset()


ORDERS: dict[str, Order] = {
    "say": say,
    "edit": edit,
    "delete": delete,
    "react": react,
    "unreact": unreact,
    "click": click,
    "shortcut": shortcut,
    "submit": submit,
    "close": close,
    "open": open_direct,
    "home": open_home,
    "press": press,
    "command": command,
    "stop": stop,
    "expire": expire,
    "lack": lack,
    "faults": fault,
    "redeliver": redeliver,
    "disconnect": disconnect,
    "request_url": request_url,
    "reset": reset,
}


async def obey(request: Request) -> Response:
    """Carry out an order; what it gives comes with ok, what is wrong with it as an error with status 400."""
    order = ORDERS.get(request.path_params["order"])
    # A page of another origin can send a form without asking, but not JSON.
    if order is None or "application/json" not in request.headers.get("content-type", ""):
        return JSONResponse(
            {"ok": False, "error": "unknown_order" if order is None else "not_json"},
            404 if order is None else 415,
        )
    try:
        given = order(
            request.app.state.sandbox,
            json.loads(await request.body() or b"{}"),
            str(request.base_url).rstrip("/"),
        )
        result = await given if isinstance(given, Awaitable) else given
    except (Refused, KeyError, TypeError, ValueError) as error:
        return JSONResponse({"ok": False, "error": _named(error)}, 400)
    return JSONResponse({"ok": True, **(result or {})})


def _named(error: Exception) -> str:
    if isinstance(error, Refused):
        return error.code
    return f"missing: {error.args[0]}" if isinstance(error, KeyError) else f"wrong order: {error}"


def shown(message: Message) -> Json:
    """A message with what only the sandbox knows about it."""
    more = {
        "channel": message.channel,
        "ephemeral_for": message.ephemeral_for,
        "streaming": message.streaming,
    }
    return {**as_slack(message, metadata=True), **more}


async def messages(request: Request) -> Response:
    sandbox: Sandbox = request.app.state.sandbox
    try:
        channel = sandbox.team.channel_named(request.query_params.get("channel", ""))
        thread_ts = request.query_params.get("thread_ts")
        found = (
            sandbox.team.thread(channel.id, thread_ts)
            if thread_ts
            else sandbox.team.messages(channel.id)
        )
    except Refused as refused:
        return JSONResponse({"ok": False, "error": refused.code}, 400)
    return JSONResponse({"ok": True, "messages": [shown(message) for message in found]})


async def received(request: Request) -> Response:
    method = request.query_params.get("method")
    calls = request.app.state.sandbox.now.calls
    return JSONResponse(
        {"ok": True, "calls": [asdict(call) for call in calls if method in (None, call.method)]}
    )


async def state(request: Request) -> Response:
    """Everything else there is to know: who is there, what was delivered, what is open and what the bot says it does."""
    sandbox: Sandbox = request.app.state.sandbox
    now = sandbox.now
    return JSONResponse(
        {
            "ok": True,
            "users": [asdict(user) for user in sandbox.team.users.values()],
            "channels": [asdict(channel) for channel in sandbox.team.channels.values()],
            "connections": sandbox.link.ways,
            "deliveries": [asdict(delivery) for delivery in sandbox.link.deliveries],
            "views": [
                {**as_view(view), "user": view.user, "open": view.open}
                for view in now.views.values()
            ],
            "homes": {user: as_view(view) for user, view in now.homes.items()},
            "statuses": [
                {"channel": c, "thread_ts": ts, **asdict(s)}
                for c, ts in now.statuses
                if (s := sandbox.status(c, ts))
            ],
            "sessions": [
                {"channel": c, "thread_ts": ts, "status": status}
                for (c, ts), status in now.sessions.items()
            ],
            "prompts": now.prompts,
            "faults": [asdict(fault) for fault in now.faults if fault.times > 0],
        }
    )


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
