"""Event payloads: pure functions from values (docs.slack.dev/apis/events-api)."""

from __future__ import annotations

import secrets
import time

from sandbox.slack.workspace.values import (
    APP_ID,
    HOME,
    SHARED,
    Channel,
    Ids,
    Json,
    Message,
    team_of,
)


def callback(event: Json, ids: Ids = HOME) -> Json:
    """The outer part of every event: docs.slack.dev/apis/events-api/#event-type-structure."""
    authorization = {
        "enterprise_id": None,
        "team_id": ids.team,
        "user_id": ids.bot_user,
        "is_bot": True,
        "is_enterprise_install": False,
    }
    return {
        **farewell(event, ids),
        "context_team_id": ids.team,
        "authorizations": [authorization],
        "is_ext_shared_channel": event.get("channel") in SHARED,
        "event_context": "sandbox",
    }


def farewell(event: Json, ids: Ids) -> Json:
    """The same for an event after which no authorization is left, as its page shows it.

    docs.slack.dev/reference/events/app_uninstalled, …/tokens_revoked
    """
    return {
        "token": "sandbox",
        "team_id": ids.team,
        "api_app_id": APP_ID,
        "event": event,
        "type": "event_callback",
        "event_id": "Ev" + secrets.token_hex(5).upper(),
        "event_time": int(time.time()),
    }


def as_slack(message: Message, *, metadata: bool = False) -> Json:
    """A message as the Web API and the events show it: docs.slack.dev/reference/events/message."""
    shown: Json = {
        "type": "message",
        "user": message.user,
        "ts": message.ts,
        "text": message.text,
        "team": team_of(message),
    }
    if message.by_bot:
        ids, bot = message.ids, {"app_id": APP_ID, "name": "groundwire"}
        profile = {"id": ids.bot, **bot, "team_id": ids.team}
        shown |= {"bot_id": ids.bot, "app_id": APP_ID, "bot_profile": profile}
    if message.subtype:
        shown["subtype"] = message.subtype
    if message.files:
        shown["files"] = list(message.files)
    if message.thread_ts:
        shown["thread_ts"] = message.thread_ts
    if message.blocks:
        shown["blocks"] = list(message.blocks)
    if message.edited_ts:
        shown["edited"] = {"user": message.user, "ts": message.edited_ts}
    if message.reactions:
        shown["reactions"] = [
            {"name": r.name, "users": list(r.users), "count": len(r.users)}
            for r in message.reactions
        ]
    if metadata and message.metadata:
        shown["metadata"] = message.metadata
    return shown


def posted(message: Message, channel: Channel) -> Json:
    """docs.slack.dev/reference/events/message.channels, …/message.im; the bot's have a bot_id."""
    return {
        **as_slack(message),
        **_from(message),
        **_looking_at(message),
        "channel": channel.id,
        "channel_type": _kind(channel),
        "event_ts": message.ts,
    }


def _looking_at(message: Message) -> Json:
    """docs.slack.dev/tools/node-slack-sdk/reference/web-api/interfaces/GenericMessageEvent."""
    return {"app_context": message.app_context} if message.app_context else {}


def mentioned(message: Message) -> Json:
    """docs.slack.dev/reference/events/app_mention"""
    return {
        **as_slack(message),
        **_from(message),
        "type": "app_mention",
        "channel": message.channel,
        "event_ts": message.ts,
    }


def changed(message: Message, before: Message, channel: Channel, now: str) -> Json:
    """docs.slack.dev/reference/events/message/message_changed"""
    return {
        **_hidden("message_changed", channel, now),
        "message": as_slack(message),
        "previous_message": as_slack(before),
    }


def deleted(message: Message, channel: Channel, now: str) -> Json:
    """docs.slack.dev/reference/events/message/message_deleted"""
    return {
        **_hidden("message_deleted", channel, now),
        "deleted_ts": message.ts,
        "previous_message": as_slack(message),
    }


def reacted(kind: str, message: Message, user: str, name: str, now: str) -> Json:
    """docs.slack.dev/reference/events/reaction_added, …/reaction_removed: only the place."""
    item = {"type": "message", "channel": message.channel, "ts": message.ts}
    return {
        "type": kind,
        "user": user,
        "reaction": name,
        "item": item,
        "item_user": message.user,
        "event_ts": now,
    }


def home_opened(channel: Channel, now: str, tab: str = "messages") -> Json:
    """docs.slack.dev/reference/events/app_home_opened"""
    return {
        "type": "app_home_opened",
        "user": channel.user,
        "channel": channel.id,
        "tab": tab,
        "event_ts": now,
    }


def joined(channel: Channel, user: str, inviter: str, now: str, ids: Ids) -> Json:
    """docs.slack.dev/reference/events/member_joined_channel"""
    return {
        "type": "member_joined_channel",
        "user": user,
        "channel": channel.id,
        "channel_type": "G" if channel.is_private else "C",
        "team": ids.team,
        "inviter": inviter,
        "event_ts": now,
    }


def session_stopped(channel: str, thread_ts: str, user: str, streams: list[str], now: str) -> Json:
    """docs.slack.dev/reference/events/agent_session_stopped"""
    event = {
        "type": "agent_session_stopped",
        "channel": channel,
        "thread_ts": thread_ts,
        "user": user,
        "event_ts": now,
    }
    return {**event, "streaming_message_ts": streams}


def app_uninstalled() -> Json:
    """docs.slack.dev/reference/events/app_uninstalled"""
    return {"type": "app_uninstalled"}


def tokens_revoked(ids: Ids) -> Json:
    """docs.slack.dev/reference/events/tokens_revoked: whose tokens, not which."""
    return {"type": "tokens_revoked", "tokens": {"oauth": [], "bot": [ids.bot_user]}}


def _from(message: Message) -> Json:
    """The team of an author in a shared channel: docs.slack.dev/apis/slack-connect."""
    team = team_of(message)
    return {"user_team": team, "source_team": team} if message.channel in SHARED else {}


def _hidden(subtype: str, channel: Channel, now: str) -> Json:
    where = {"channel": channel.id, "channel_type": _kind(channel), "ts": now, "event_ts": now}
    return {"type": "message", "subtype": subtype, "hidden": True, **where}


def _kind(channel: Channel) -> str:
    if channel.is_im:
        return "im"
    return "group" if channel.is_private else "channel"
