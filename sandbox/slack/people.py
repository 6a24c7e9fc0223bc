"""What people do in the workspace, with the events and interactions that the app receives."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import replace

from sandbox.slack.web_api.block_kit import accept
from sandbox.slack.workspace import events, interactions
from sandbox.slack.workspace.team import Team
from sandbox.slack.workspace.values import Json, Message, Refused
from sandbox.slack.workspace.world import Sandbox

TOKEN = re.compile(r"<@[UW]\w+>|@(?P<name>[\w.-]+)|https?://[^\s<>]+|[&<>]")
ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}


def say(
    sandbox: Sandbox,
    user: str,
    text: str,
    *,
    channel: str = "",
    thread_ts: str | None = None,
    files: tuple[Json, ...] = (),
    app_context: Json | None = None,
    ts: str | None = None,
) -> Message:
    """Write a message, without a channel to the bot directly; `@name` becomes a mention.

    `ts` is its timestamp, if it is to be that of a message in another workspace.
    """
    team = sandbox.team
    author = team.user(user)
    where = team.channel_named(channel) if channel else team.direct(author)
    if author.team_id != sandbox.ids.team and not (where.is_shared or where.is_im):
        raise Refused("not_in_channel")
    message = team.post(
        where.id,
        author.id,
        compose(text, team),
        thread_ts=thread_ts,
        files=files,
        subtype="file_share" if files else "",
        app_context=app_context,
        ts=ts,
    )
    # A mention in a channel is both events; there is no app_mention in direct messages:
    # docs.slack.dev/reference/events/app_mention
    if not where.is_im and f"<@{sandbox.ids.bot_user}>" in message.text:
        return sandbox.posted(message, events.mentioned(message))
    return sandbox.posted(message)


def compose(text: str, team: Team) -> str:
    """What was typed, the way Slack sends it: docs.slack.dev/messaging/formatting-message-text."""
    return TOKEN.sub(lambda match: _composed(match, team), text)


def _composed(match: re.Match[str], team: Team) -> str:
    token = match[0]
    if token in ENTITIES:
        return ENTITIES[token]
    if token.startswith("http"):
        return f"<{token}>"
    known = next((user.id for user in team.users.values() if user.name == match["name"]), None)
    return f"<@{known}>" if known else token


def edit(sandbox: Sandbox, user: str, channel: str, ts: str, text: str) -> Message:
    before = _own(sandbox, user, channel, ts)
    composed = compose(text, sandbox.team)
    after = replace(before, text=composed, edited_ts=sandbox.team.new_ts())
    return sandbox.changed(before, after)


def delete(sandbox: Sandbox, user: str, channel: str, ts: str) -> None:
    sandbox.deleted(_own(sandbox, user, channel, ts))


def _own(sandbox: Sandbox, user: str, channel: str, ts: str) -> Message:
    message = find(sandbox, channel, ts)
    if message.user != sandbox.team.user(user).id:
        raise Refused("not_the_author")
    return message


def find(sandbox: Sandbox, channel: str, ts: str) -> Message:
    return sandbox.team.message(sandbox.team.channel_named(channel).id, ts)


def react(sandbox: Sandbox, user: str, channel: str, ts: str, name: str) -> None:
    person = sandbox.team.user(user).id
    message = sandbox.team.react(find(sandbox, channel, ts), person, name)
    sandbox.reacted("reaction_added", message, person, name)


def unreact(sandbox: Sandbox, user: str, channel: str, ts: str, name: str) -> None:
    person = sandbox.team.user(user).id
    message = sandbox.team.unreact(find(sandbox, channel, ts), person, name)
    sandbox.reacted("reaction_removed", message, person, name)


def click(
    sandbox: Sandbox,
    user: str,
    message: Message,
    action_id: str,
    value: str | None = None,
    *,
    base_url: str,
) -> Json:
    """Press a button of a message, or choose one of its options."""
    person, channel = sandbox.team.user(user), sandbox.team.channel(message.channel)
    block_id, element = interactions.find_element(message.blocks, action_id, value)
    choice = interactions.chosen(element, value)
    if element["type"] == "feedback_buttons":
        sandbox.now.choices[person.id, message.ts, action_id] = choice["value"]
        sandbox.changes.tell("message", message.channel, message.ts)
    action = {
        "action_id": action_id,
        "block_id": block_id,
        "type": element["type"],
        **choice,
        "action_ts": sandbox.team.new_ts(),
    }
    payload = interactions.block_actions(
        person, message, channel, action, sandbox.new_trigger(person.id)
    )
    payload["response_url"] = sandbox.response_url(
        base_url, (message.channel, message.ts, person.id)
    )
    sandbox.link.deliver("interactive", payload)
    return payload


async def command(
    sandbox: Sandbox,
    user: str,
    typed: str,
    *,
    channel: str = "",
    base_url: str,
    without: Sequence[str] = (),
) -> Json:
    """Write a slash command; the app's acknowledgement may hold an ephemeral message.

    `without` names fields that Slack is to leave out of its payload.
    """
    person = sandbox.team.user(user)
    where = sandbox.team.channel_named(channel) if channel else sandbox.team.direct(person)
    name, _, text = typed.strip().partition(" ")
    payload = interactions.slash_command(
        person, where, name, text.strip(), sandbox.new_trigger(person.id), ids=sandbox.ids
    )
    for field in without:
        del payload[field]
    payload["response_url"] = sandbox.response_url(base_url, (where.id, "", person.id))
    answer = await asyncio.shield(sandbox.link.deliver("slash_commands", payload))
    if answer is None:
        raise Refused("operation_timeout")
    if answer.get("text") or answer.get("blocks"):
        shown = accept(answer.get("blocks") or [])
        message = sandbox.team.post(
            where.id,
            sandbox.ids.bot_user,
            answer.get("text") or "",
            blocks=shown,
            ephemeral_for=person.id,
        )
        sandbox.changes.tell("message", where.id, message.ts)
    return {"trigger_id": payload["trigger_id"], "answer": answer}


def shortcut(
    sandbox: Sandbox, user: str, message: Message, callback_id: str, *, base_url: str
) -> Json:
    """Choose one of the app's message shortcuts."""
    person, channel = sandbox.team.user(user), sandbox.team.channel(message.channel)
    payload = interactions.shortcut(
        person, message, channel, callback_id, sandbox.new_trigger(person.id)
    )
    payload["response_url"] = sandbox.response_url(
        base_url, (message.channel, message.ts, person.id)
    )
    sandbox.link.deliver("interactive", payload)
    return payload


def stop(sandbox: Sandbox, user: str, channel: str, thread_ts: str) -> None:
    """Press Stop in an agent session, which ends its streams: docs.slack.dev/ai/agent-sessions."""
    where = sandbox.team.channel_named(channel).id
    if sandbox.now.sessions.get((where, thread_ts)) != "processing":
        raise Refused("nothing_to_stop")
    streams = [m for m in sandbox.team.thread(where, thread_ts) if m.streaming]
    stopped = end_streams(sandbox, streams)
    person, now = sandbox.team.user(user).id, sandbox.team.new_ts()
    sandbox.announce(events.session_stopped(where, thread_ts, person, stopped, now))


def end_streams(sandbox: Sandbox, streams: list[Message]) -> list[str]:
    """End these streams, as Slack does with one that was stopped, or open for too long."""
    for message in streams:
        ended = sandbox.team.keep(replace(message, streaming=False))
        sandbox.changes.tell("message", message.channel, ended.ts)
    return [message.ts for message in streams]
