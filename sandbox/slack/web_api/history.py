"""conversations.history and users.conversations."""

from __future__ import annotations

from sandbox.slack.web_api.arguments import Arguments
from sandbox.slack.workspace.events import as_slack
from sandbox.slack.workspace.values import Channel, Json, Message
from sandbox.slack.workspace.world import Sandbox


def history(sandbox: Sandbox, a: Arguments) -> Json:
    """docs.slack.dev/reference/methods/conversations.history: the newest first, without replies."""
    channel = sandbox.team.channel(a.needed("channel", "channel_not_found"))
    oldest, latest = float(a.text("oldest") or 0), float(a.text("latest") or "inf")
    said = [m for m in sandbox.team.messages(channel.id) if not m.ephemeral_for]
    top = [m for m in reversed(said) if not m.is_reply and oldest < float(m.ts) < latest]
    first, most = int(a.text("cursor") or 0), min(int(a.text("limit") or 100), 999)
    shown = [as_slack(m) | _replies(said, m) for m in top[first : first + most]]
    more = first + most < len(top)
    cursor = {"next_cursor": str(first + most) if more else ""}
    return {"messages": shown, "has_more": more, "response_metadata": cursor}


def _replies(said: list[Message], root: Message) -> Json:
    replies = [m for m in said if m.is_reply and m.thread_ts == root.ts]
    if not replies:
        return {}
    return {
        "thread_ts": root.ts,
        "reply_count": len(replies),
        "latest_reply": replies[-1].ts,
    }


def of_bot(sandbox: Sandbox, a: Arguments) -> Json:
    """docs.slack.dev/reference/methods/users.conversations: the bot is in every channel here."""
    kinds = (a.text("types") or "public_channel").split(",")
    found = [c for c in sandbox.team.channels.values() if _kind(c) in kinds]
    shown = [{"id": c.id, "is_im": c.is_im, "is_archived": False} for c in found]
    return {"channels": shown, "response_metadata": {"next_cursor": ""}}


def _kind(channel: Channel) -> str:
    return "im" if channel.is_im else "public_channel"
