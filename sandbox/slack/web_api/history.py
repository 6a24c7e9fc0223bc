"""What was said, and where: conversations.history, .replies, .list and users.conversations."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections.abc import Iterator, Sequence

from sandbox.slack.web_api.arguments import Arguments
from sandbox.slack.workspace.events import as_slack
from sandbox.slack.workspace.values import Channel, Json, Message, Refused
from sandbox.slack.workspace.world import Sandbox

# docs.slack.dev/reference/methods/conversations.history, …/conversations.list,
# …/users.conversations: "Maximum of 999", "Default: 100"
USUAL, MOST = 100, 999
REPLIES = 1000  # docs.slack.dev/reference/methods/conversations.replies: default and maximum
KINDS = {"public_channel", "private_channel", "mpim", "im"}


def history(sandbox: Sandbox, a: Arguments) -> Json:
    """docs.slack.dev/reference/methods/conversations.history: newest first, without replies."""
    channel = sandbox.team.channel(a.needed("channel", "channel_not_found"))
    said = [m for m in sandbox.team.messages(channel.id) if not m.ephemeral_for]
    found = [m for m in reversed(said) if not m.is_reply and _in_range(m, a)]
    shown, cursor = _page([m.ts for m in found], a, _limit(a, USUAL, MOST))
    messages = [_with_thread(m, said, a) for m in found[shown]]
    return {"messages": messages, "has_more": bool(cursor), "pin_count": 0, **_metadata(cursor)}


def replies(sandbox: Sandbox, a: Arguments) -> Json:
    """docs.slack.dev/reference/methods/conversations.replies: oldest first, the first one too."""
    channel = sandbox.team.channel(a.needed("channel", "channel_not_found"))
    root = a.needed("ts", "thread_not_found")
    thread = [m for m in sandbox.team.thread(channel.id, root) if not m.ephemeral_for]
    # The first message comes along, however old it is.
    found = [m for m in thread if m.ts == root or _in_range(m, a)]
    shown, cursor = _page([m.ts for m in found], a, _limit(a, REPLIES, REPLIES))
    messages = [_with_thread(m, thread, a) for m in found[shown]]
    return {"messages": messages, "has_more": bool(cursor), **_metadata(cursor)}


def channels(sandbox: Sandbox, a: Arguments) -> Json:
    """docs.slack.dev/reference/methods/conversations.list and …/users.conversations.

    They are one here: the bot is in every channel. Archived ones do not exist.
    """
    kinds = set((a.text("types") or "public_channel").replace(" ", "").split(","))
    if not kinds <= KINDS:
        raise Refused("invalid_types")
    found = [c for c in sandbox.team.channels.values() if _kind(c) in kinds]
    shown, cursor = _page([c.id for c in found], a, _limit(a, USUAL, MOST))
    return {"channels": [as_channel(channel) for channel in found[shown]], **_metadata(cursor)}


def as_channel(channel: Channel) -> Json:
    """A channel as docs.slack.dev/reference/objects/conversation-object has it."""
    if channel.is_im:
        return {"id": channel.id, "is_im": True, "user": channel.user, "is_archived": False}
    kind = {
        "is_channel": True,
        "is_im": False,
        "is_private": channel.is_private,
        "is_member": True,
        "is_archived": False,
    }
    where = {
        "is_ext_shared": channel.is_shared,
        "creator": channel.creator,
        "topic": {"value": channel.topic},
    }
    return {"id": channel.id, "name": channel.name, **kind, **where}


def _in_range(message: Message, a: Arguments) -> bool:
    oldest, latest = a.text("oldest") or "0", a.text("latest") or "9999999999.999999"
    at = float(message.ts)
    if a.flag("inclusive"):
        return float(oldest) <= at <= float(latest)
    return float(oldest) < at < float(latest)


def _limit(a: Arguments, usual: int, most: int) -> int:
    limit = a.text("limit") or str(usual)
    if not limit.isdecimal() or int(limit) < 1:
        raise Refused("invalid_limit")
    return min(int(limit), most)


def _page(keys: Sequence[str], a: Arguments, most: int) -> tuple[slice, str]:
    """Which items a page has, and the cursor of the next one; it names an item.

    So what is said meanwhile shifts nothing. docs.slack.dev/apis/web-api/pagination: cursors are
    opaque, and empty at the end.
    """
    first = _place(a.text("cursor") or "", keys)
    following = first + most
    more = following < len(keys)
    return slice(first, following), _encoded(keys[following]) if more else ""


def _place(cursor: str, keys: Sequence[str]) -> int:
    if not cursor:
        return 0
    for place, key in enumerate(keys):
        if _encoded(key) == cursor:
            return place
    raise Refused("invalid_cursor")


def _encoded(key: str) -> str:
    return urlsafe_b64encode(f"next:{key}".encode()).decode()


def _metadata(cursor: str) -> Json:
    return {"response_metadata": {"next_cursor": cursor}}


def _with_thread(message: Message, said: Sequence[Message], a: Arguments) -> Json:
    """A message, with what its first one tells of a thread."""
    shown = as_slack(message, metadata=a.flag("include_all_metadata"))
    answers = [] if message.is_reply else list(_answers(message, said))
    if not answers:
        return shown
    return shown | {
        "thread_ts": message.ts,
        "reply_count": len(answers),
        "reply_users": list(dict.fromkeys(m.user for m in answers)),
        "latest_reply": answers[-1].ts,
    }


def _answers(root: Message, said: Sequence[Message]) -> Iterator[Message]:
    return (m for m in said if m.is_reply and m.root_ts == root.ts)


def _kind(channel: Channel) -> str:
    return "im" if channel.is_im else "public_channel"
