"""What a person has said in Slack, from wherever it was heard: an event, or what was caught up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from slack_bolt import BoltContext

from bot.slack_api.payloads import COUNTED_SUBTYPES, Payload, names, worded
from core.turns.turn import Address


@dataclass(frozen=True)
class Heard:
    """A message of a person's."""

    where: Address
    user: str
    text: str  # as it reads, without the name of this bot
    bot: str  # our id as a user
    direct: bool = False  # only this person and we are there
    mentions_us: bool = False
    has_files: bool = False
    as_written: str = ""  # with the name of this bot where it stands, as `@bot`
    beside: str = ""  # the channel that this person had open beside the direct messages

    @property
    def is_reply(self) -> bool:
        return self.where.ts != self.where.thread_ts


def of_event(event: Payload, context: BoltContext) -> Heard | None:
    """None for what is not said by a person."""
    team = context.team_id or event.get("team", "")
    return read(event, team, context.bot_user_id or "")


def read(message: Payload, team: str, bot: str) -> Heard | None:
    """None for a message of a bot's, ours or another's, for an edit and for a notice.

    `message` is an event, or one of conversations.history with its channel added.
    """
    user = message.get("user")
    if "bot_id" in message or not user or user == bot:
        return None
    if message.get("subtype") not in COUNTED_SUBTYPES:
        return None
    text, ts = message.get("text") or "", message["ts"]
    return Heard(
        where=Address(team, message["channel"], ts, message.get("thread_ts") or ts),
        user=user,
        text=worded(text, bot),
        as_written=worded(text, bot, "@bot"),
        bot=bot,
        direct=message.get("channel_type") == "im",
        mentions_us=names(text, bot),
        has_files=bool(message.get("files")),
        beside=_beside(message),
    )


def read_back(saved: dict[str, Any]) -> Heard:
    """What dataclasses.asdict has made of it, and SQL has kept."""
    return Heard(**saved | {"where": Address(**saved["where"])})


def _beside(message: Payload) -> str:
    """The first channel of what Slack says was open: docs.slack.dev/ai/agent-context-management.

    Only with the event app_context_changed, and only in direct messages; the nearest comes first.
    """
    context = message.get("app_context") or {}
    for entity in context.get("entities") or []:
        if entity.get("type") == "slack#/types/channel_id":
            return str(entity.get("value") or "")
    return ""
