"""Lanes of what Slack sends: which message may hold a question, told from its payload.

Slack sends every message of the channels to which the bot was invited. Most of them say by
themselves that they are not for it. Only a reply in a thread needs SQL, for which it has threads of
its own: a busy channel never keeps a mention waiting.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from bot.slack_api.payloads import COUNTED_SUBTYPES

# What happened to a message that may have been a question of ours.
CHANGES = ("message_changed", "message_deleted")


class Lane(StrEnum):
    """Who takes up what Slack sends."""

    NOBODY = "nobody"  # acknowledged at once
    CHATTER = "chatter"  # a reply in a thread: SQL knows whether it is one of ours
    OURS = "ours"


def lane(body: dict[str, Any]) -> Lane:
    """In doubt it is ours: a false "nobody" would lose a question.

    >>> message = {"type": "message", "channel_type": "channel", "user": "U1", "ts": "1.0"}
    >>> lane({"event": message}), lane({"event": message | {"thread_ts": "0.5"}})
    (<Lane.NOBODY: 'nobody'>, <Lane.CHATTER: 'chatter'>)
    >>> lane({"event": message | {"type": "app_mention"}})
    <Lane.OURS: 'ours'>
    """
    event = body.get("event")
    if not isinstance(event, dict) or event.get("type") != "message":
        return Lane.OURS
    if event.get("subtype") in CHANGES:
        return _lane_of_change(event)
    if "bot_id" in event or not event.get("user"):
        return Lane.NOBODY
    if event.get("subtype") not in COUNTED_SUBTYPES:
        return Lane.NOBODY
    if event.get("channel_type") == "im":
        return Lane.OURS
    return Lane.CHATTER if event.get("thread_ts") else Lane.NOBODY


def _lane_of_change(event: dict[str, Any]) -> Lane:
    """Bots change their messages all the time, ours with every piece of an answer."""
    changed = event.get("message") or event.get("previous_message") or {}
    return Lane.NOBODY if "bot_id" in changed else Lane.CHATTER
