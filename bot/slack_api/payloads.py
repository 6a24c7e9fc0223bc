"""Slack's payloads read at the edge: the few things that a listener needs to know of an event."""

from __future__ import annotations

import re
from typing import Any

from slack_bolt import BoltContext

from core.turns.turn import Address

COUNTED_SUBTYPES = {
    None,
    "file_share",
    "thread_broadcast",
}  # everything else is an edit, a deletion or Slack's own notice

Payload = dict[str, Any]


def address(event: Payload, context: BoltContext) -> Address:
    """Where the message stands; one outside any thread is the root of its own."""
    return Address(
        team=context.team_id or event.get("team", ""),
        channel=event["channel"],
        ts=event["ts"],
        thread_ts=event.get("thread_ts") or event["ts"],
    )


def is_from_a_person(event: Payload, context: BoltContext) -> bool:
    """Not from a bot, ours or another's, and neither an edit nor a notice."""
    is_bot = "bot_id" in event or event.get("user") in (None, context.bot_user_id)
    return not is_bot and event.get("subtype") in COUNTED_SUBTYPES


def is_direct(event: Payload) -> bool:
    return event.get("channel_type") == "im"


def mentions_us(event: Payload, context: BoltContext) -> bool:
    return re.search(_our_name(context), event.get("text", "")) is not None


def question(event: Payload, context: BoltContext) -> str:
    """The text without our own name; other people's names belong to the question.

    Slack escapes three characters in what people write: docs.slack.dev/messaging/formatting-message-text.
    """
    text = re.sub(_our_name(context), " ", event.get("text", ""))
    for escaped, plain in (("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")):
        text = text.replace(escaped, plain)
    return " ".join(text.split())


def reaction_name(event: Payload) -> str:
    """`+1::skin-tone-3` is a thumb like any other."""
    return str(event["reaction"]).split("::")[0]


def _our_name(context: BoltContext) -> str:
    """A mention of us, which may carry the name as it was when it was written: `<@U123>` or `<@U123|groundwire>`."""
    return rf"<@{context.bot_user_id}(?:\|[^>]*)?>"
