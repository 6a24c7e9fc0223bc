"""Reads Slack's payloads at the edge: the few things that a listener needs to know of an event."""

from __future__ import annotations

import re
from typing import Any

from slack_bolt import BoltContext

from core.dialogue.folding import in_lines
from core.turns.turn_access import Actor

# Every other subtype is an edit, a deletion or Slack's own notice.
COUNTED_SUBTYPES = {None, "file_share", "thread_broadcast"}

Payload = dict[str, Any]


def user_id(body: Payload) -> str:
    """Who pressed the button or sent the form."""
    return str(body["user"]["id"])


def team_id(body: Payload) -> str:
    """The workspace in which somebody pressed a button or sent a form.

    A modal opened in a shared channel names ours apart from the workspace of whoever sends it:
    docs.slack.dev/reference/interaction-payloads/view-interactions-payload
    """
    ours = (body.get("view") or {}).get("app_installed_team_id")
    return str(ours or (body.get("team") or {}).get("id") or "")


def actor(body: Payload) -> Actor:
    """Who pressed a button, chose from a menu or sent a form, and on which message."""
    message = body.get("container") or {}
    return Actor(
        team=team_id(body),
        user=user_id(body),
        channel=str(message.get("channel_id") or ""),
        ts=str(message.get("message_ts") or ""),
        thread_ts=str(message.get("thread_ts") or ""),
        ephemeral=bool(message.get("is_ephemeral")),
    )


def actor_at(body: Payload) -> Actor:
    """Who chose a shortcut of a message, and which one."""
    return Actor(team_id(body), user_id(body), body["channel"]["id"], body["message_ts"])


def reactor(event: Payload, context: BoltContext) -> Actor | None:
    """Who reacted to which message; None when it was no message."""
    item = event.get("item", {})
    if item.get("type") != "message":
        return None
    return Actor(context.team_id or "", event["user"], item["channel"], item["ts"])


def worded(text: str, bot: str, named: str = " ") -> str:
    """What somebody has written, as it reads, line by line, with `named` for the name of this bot.

    Other people's names belong to it. Slack escapes three characters in what people write:
    docs.slack.dev/messaging/formatting-message-text
    """
    text = re.sub(_name(bot), named, text)
    text = text.replace("&lt;", "<")
    text = text.replace("&gt;", ">")
    text = text.replace("&amp;", "&")
    return in_lines(text)


def names(text: str, bot: str) -> bool:
    """Whether a text mentions this bot."""
    return re.search(_name(bot), text) is not None


def reaction_name(event: Payload) -> str:
    """`+1::skin-tone-3` is a thumb like any other."""
    return str(event["reaction"]).split("::")[0]


def _name(bot: str) -> str:
    """A mention of us, `<@U123>` or, with the name at that time, `<@U123|groundwire>`."""
    return rf"<@{bot}(?:\|[^>]*)?>"
