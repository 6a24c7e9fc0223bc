"""What people do in modals, in the Home tab and in the tab of direct messages."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from sandbox.slack.workspace import events, interactions
from sandbox.slack.workspace.values import Json, Refused, View
from sandbox.slack.workspace.world import Sandbox


def press(
    sandbox: Sandbox, user: str, view_id: str, action_id: str, value: str | None = None
) -> Json:
    """Press a button in an open modal or in the Home tab."""
    person = sandbox.team.user(user)
    views = [*sandbox.now.views.values(), *sandbox.now.homes.values()]
    view = next(
        (view for view in views if view.id == view_id and view.open and view.user == person.id),
        None,
    )
    if view is None:
        raise Refused("view_not_found")
    block_id, element = interactions.find_element(view.content["blocks"], action_id, value)
    choice = interactions.chosen(element, value)
    action = {
        "action_id": action_id,
        "block_id": block_id,
        "type": element["type"],
        **choice,
        "action_ts": sandbox.team.new_ts(),
    }
    payload = interactions.view_actions(person, view, action, sandbox.new_trigger(person.id))
    sandbox.link.deliver("interactive", payload)
    return payload


async def submit(sandbox: Sandbox, user: str, view_id: str, values: Json) -> Json:
    """Submit a modal, apply the app's answer: docs.slack.dev/surfaces/modals#response_actions."""
    view = sandbox.now.views.get(view_id)
    person = sandbox.team.user(user)
    if view is None or not view.open or view.user != person.id:
        raise Refused("view_not_found")
    payload = interactions.view_submission(person, view, values, sandbox.new_trigger(person.id))
    answer = await asyncio.shield(sandbox.link.deliver("interactive", payload))
    if answer is None:
        raise Refused("not_acknowledged")
    _follow(sandbox, view, answer)
    return answer


def _follow(sandbox: Sandbox, view: View, answer: Json) -> None:
    action = answer.get("response_action", "clear")
    if action == "update":
        sandbox.now.views[view.id] = replace(
            view, content=answer["view"], hash=sandbox.team.new_ts()
        )
    elif action != "errors":
        sandbox.now.views[view.id] = replace(view, open=False)
    sandbox.changes.tell("view")


def open_direct(sandbox: Sandbox, user: str) -> str:
    """Open the direct messages with the bot, which sends app_home_opened every time."""
    channel = sandbox.team.direct(sandbox.team.user(user))
    sandbox.announce(events.home_opened(channel, sandbox.team.new_ts()))
    return channel.id


def invite(sandbox: Sandbox, inviter: str, channel: str, invited: str = "") -> None:
    """Somebody joins a channel, by default the bot; everybody here reads all channels anyway."""
    where = sandbox.team.channel_named(channel)
    who = sandbox.team.user(invited).id if invited else sandbox.ids.bot_user
    by = sandbox.team.user(inviter).id
    sandbox.announce(events.joined(where, who, by, sandbox.team.new_ts(), sandbox.ids))


def make_private(sandbox: Sandbox, channel: str) -> None:
    """Let only those read the channel who were invited to it, as its owner can in Slack."""
    where = sandbox.team.channel_named(channel)
    sandbox.team.channels[where.id] = replace(where, is_private=True)


def open_home(sandbox: Sandbox, user: str) -> str:
    """Open the Home tab of the app, which sends app_home_opened too."""
    channel = sandbox.team.direct(sandbox.team.user(user))
    sandbox.announce(events.home_opened(channel, sandbox.team.new_ts(), tab="home"))
    return channel.id
