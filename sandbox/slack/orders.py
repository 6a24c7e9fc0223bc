"""Orders of the control API: what tests, the demo and the workspace page do in place of people."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import Any

from sandbox.slack import people
from sandbox.slack.workspace.events import as_slack
from sandbox.slack.workspace.values import Json, Message, Refused
from sandbox.slack.workspace.world import Fault, Sandbox

Order = Callable[[Sandbox, Json, str], Any]


def say(sandbox: Sandbox, order: Json, base_url: str) -> Json:
    where = "" if order.get("dm") else order["channel"]
    thread_ts = order.get("thread_ts")
    said = people.say(sandbox, order["user"], order["text"], channel=where, thread_ts=thread_ts)
    return shown(said)


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
    return {"answer": await people.submit(sandbox, order["user"], order["view_id"], values)}


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
    messages = chain.from_iterable(map(sandbox.team.messages, list(sandbox.team.channels)))
    streams = [message for message in messages if message.streaming]
    return {"streams": people.end_streams(sandbox, streams)}


def lack(sandbox: Sandbox, order: Json, base_url: str) -> None:
    """Be an older workspace, without these methods."""
    sandbox.now.lacking = set(order["methods"])


def fault(sandbox: Sandbox, order: Json, base_url: str) -> None:
    sandbox.now.faults.append(Fault(**order))


def redeliver(sandbox: Sandbox, order: Json, base_url: str) -> Json:
    return {"event_id": sandbox.link.repeat(order.get("event_id")).payload["event_id"]}


def lose(sandbox: Sandbox, order: Json, base_url: str) -> None:
    """Give up every delivery that is on its way, as Slack does after the last retry."""
    sandbox.link.forget()


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
    "lose": lose,
    "disconnect": disconnect,
    "request_url": request_url,
    "reset": reset,
}


def shown(message: Message) -> Json:
    """A message with what only the sandbox knows about it."""
    more = {
        "channel": message.channel,
        "ephemeral_for": message.ephemeral_for,
        "streaming": message.streaming,
    }
    return {**as_slack(message, metadata=True), **more}
