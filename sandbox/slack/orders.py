"""Orders of the control API: what tests, the demo and the workspace page do in place of people."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import Any

from sandbox.slack import installations, people, surfaces
from sandbox.slack.workspace.events import as_slack
from sandbox.slack.workspace.state import Fault
from sandbox.slack.workspace.values import Json, Message, Refused
from sandbox.slack.workspace.world import Sandbox

Order = Callable[[Sandbox, Json, str], Any]


def say(sandbox: Sandbox, order: Json, base_url: str) -> Json:
    where = "" if order.get("dm") else order["channel"]
    thread_ts = order.get("thread_ts")
    said = people.say(
        sandbox,
        order["user"],
        order["text"],
        channel=where,
        thread_ts=thread_ts,
        files=_files(order.get("files", [])),
        app_context=order.get("app_context"),
        ts=order.get("ts"),
    )
    return shown(said)


def _files(names: list[str]) -> tuple[Json, ...]:
    """docs.slack.dev/reference/objects/file-object, with what every file has."""
    return tuple({"id": f"F0SHARED{n}", "name": name} for n, name in enumerate(names))


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
    payload = people.shortcut(
        sandbox, order["user"], message, order["callback_id"], base_url=base_url
    )
    return {"trigger_id": payload["trigger_id"]}


async def submit(sandbox: Sandbox, order: Json, base_url: str) -> Json:
    values = order.get("values", {})
    return {"answer": await surfaces.submit(sandbox, order["user"], order["view_id"], values)}


def close(sandbox: Sandbox, order: Json, base_url: str) -> None:
    if sandbox.now.views.pop(order["view_id"], None) is None:
        raise Refused("view_not_found")
    sandbox.changes.tell("view")


def open_direct(sandbox: Sandbox, order: Json, base_url: str) -> Json:
    return {"channel": surfaces.open_direct(sandbox, order["user"])}


def open_home(sandbox: Sandbox, order: Json, base_url: str) -> Json:
    return {"channel": surfaces.open_home(sandbox, order["user"])}


def invite(sandbox: Sandbox, order: Json, base_url: str) -> None:
    surfaces.invite(sandbox, order["user"], order["channel"], order.get("invited", ""))


def make_private(sandbox: Sandbox, order: Json, base_url: str) -> None:
    surfaces.make_private(sandbox, order["channel"])


def press(sandbox: Sandbox, order: Json, base_url: str) -> Json:
    payload = surfaces.press(
        sandbox, order["user"], order["view_id"], order["action_id"], order.get("value")
    )
    return {"trigger_id": payload["trigger_id"]}


async def command(sandbox: Sandbox, order: Json, base_url: str) -> Json:
    where = "" if order.get("dm") else order["channel"]
    return await people.command(
        sandbox,
        order["user"],
        order["text"],
        channel=where,
        base_url=base_url,
        without=order.get("without", ()),
    )


def grow(sandbox: Sandbox, order: Json, base_url: str) -> Json:
    """Let more people join, and make more channels; gives their names."""
    people_, channels = sandbox.team.grow(order.get("people", 0), order.get("channels", 0))
    sandbox.changes.tell("team")
    return {"people": people_, "channels": channels}


def stop(sandbox: Sandbox, order: Json, base_url: str) -> None:
    people.stop(sandbox, order["user"], order["channel"], order["thread_ts"])


def expire(sandbox: Sandbox, order: Json, base_url: str) -> Json:
    """Let five minutes pass for every stream."""
    messages = chain.from_iterable(map(sandbox.team.messages, list(sandbox.team.channels)))
    streams = [message for message in messages if message.streaming]
    return {"streams": people.end_streams(sandbox, streams)}


def lack(sandbox: Sandbox, order: Json, base_url: str) -> None:
    """Be an older workspace, without these methods."""
    sandbox.now.lacking = set(order["methods"])


def fault(sandbox: Sandbox, order: Json, base_url: str) -> None:
    sandbox.now.faults.append(Fault(**order))


def give_up(sandbox: Sandbox, order: Json, base_url: str) -> None:
    """Deliver nothing any more of what waits, as Slack does after its last retry."""
    sandbox.link.forget()


def mend(sandbox: Sandbox, order: Json, base_url: str) -> None:
    """Take back every fault that was ordered."""
    sandbox.now.faults.clear()


def redeliver(sandbox: Sandbox, order: Json, base_url: str) -> Json:
    return {"event_id": sandbox.link.repeat(order.get("event_id")).payload["event_id"]}


async def disconnect(sandbox: Sandbox, order: Json, base_url: str) -> Json:
    return {"connections": await sandbox.link.disconnect(order.get("reason", "refresh_requested"))}


def sever(sandbox: Sandbox, order: Json, base_url: str) -> Json:
    """Reset connections of Socket Mode, without a word: the last ones, or all."""
    return {"connections": sandbox.link.sever(order.get("connections"))}


def mute(sandbox: Sandbox, order: Json, base_url: str) -> Json:
    """Let the connections of Socket Mode stay open and dead."""
    return {"connections": sandbox.link.mute()}


async def request_url(sandbox: Sandbox, order: Json, base_url: str) -> None:
    await sandbox.link.call(order["url"])


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
    "invite": invite,
    "make_private": make_private,
    "press": press,
    "command": command,
    "stop": stop,
    "expire": expire,
    "lack": lack,
    "faults": fault,
    "give_up": give_up,
    "mend": mend,
    "grow": grow,
    "redeliver": redeliver,
    "disconnect": disconnect,
    "sever": sever,
    "mute": mute,
    "request_url": request_url,
    **installations.ORDERS,
}


def shown(message: Message) -> Json:
    """A message with what only the sandbox knows about it."""
    more = {
        "channel": message.channel,
        "ephemeral_for": message.ephemeral_for,
        "streaming": message.streaming,
    }
    return {**as_slack(message, metadata=True), **more}
