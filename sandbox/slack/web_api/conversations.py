"""auth.test, conversations.*, users.info and reactions.*."""

from __future__ import annotations

from sandbox.slack.web_api.arguments import Arguments
from sandbox.slack.workspace.events import as_slack
from sandbox.slack.workspace.values import (
    BOT_ID,
    BOT_USER_ID,
    TEAM_ID,
    Channel,
    Json,
    Message,
    Refused,
    User,
)
from sandbox.slack.workspace.world import Sandbox


def auth_test(sandbox: Sandbox, a: Arguments) -> Json:
    who = {
        "url": "https://sandbox.slack.com/",
        "team": "Sandbox",
        "user": "groundwire",
        "is_enterprise_install": False,
    }
    return {**who, "team_id": TEAM_ID, "user_id": BOT_USER_ID, "bot_id": BOT_ID}


def replies(sandbox: Sandbox, a: Arguments) -> Json:
    """docs.slack.dev/reference/methods/conversations.replies, with cursors; metadata on request."""
    channel = sandbox.team.channel(a.needed("channel", "channel_not_found"))
    root, oldest = a.needed("ts", "thread_not_found"), a.text("oldest") or "0"
    thread = [m for m in sandbox.team.thread(channel.id, root) if not m.ephemeral_for]
    found = [
        m for m in thread if m.ts == root or m.ts > oldest
    ]  # the first message comes along, however old it is
    first, most = int(a.text("cursor") or 0), min(int(a.text("limit") or 1000), 1000)
    shown = [
        as_slack(m, metadata=a.flag("include_all_metadata")) for m in found[first : first + most]
    ]
    if first == 0:
        shown[0] |= _about_thread(found)
    more = first + most < len(found)
    cursor = {"next_cursor": str(first + most) if more else ""}
    return {"messages": shown, "has_more": more, "response_metadata": cursor}


def _about_thread(messages: list[Message]) -> Json:
    answers = messages[1:]
    if not answers:
        return {}
    users = list(dict.fromkeys(m.user for m in answers))
    return {
        "thread_ts": messages[0].ts,
        "reply_count": len(answers),
        "reply_users": users,
        "latest_reply": answers[-1].ts,
    }


def open_direct(sandbox: Sandbox, a: Arguments) -> Json:
    """docs.slack.dev/reference/methods/conversations.open, for one person; groups are left out."""
    user = sandbox.team.users.get(a.needed("users", "users_list_not_supplied"))
    if user is None:
        raise Refused("user_not_found")
    return {"channel": {"id": sandbox.team.direct(user).id}}


def info(sandbox: Sandbox, a: Arguments) -> Json:
    return {"channel": _as_slack(sandbox.team.channel(a.needed("channel", "channel_not_found")))}


def _as_slack(channel: Channel) -> Json:
    if channel.is_im:
        return {"id": channel.id, "is_im": True, "user": channel.user, "is_archived": False}
    kind = {
        "is_channel": True,
        "is_im": False,
        "is_private": False,
        "is_member": True,
        "is_archived": False,
    }
    where = {
        "is_ext_shared": channel.is_shared,
        "creator": channel.creator,
        "topic": {"value": channel.topic},
    }
    return {"id": channel.id, "name": channel.name, **kind, **where}


def user_info(sandbox: Sandbox, a: Arguments) -> Json:
    user = sandbox.team.users.get(a.needed("user", "user_not_found"))
    if user is None:
        raise Refused("user_not_found")
    locale = {"locale": user.locale} if a.flag("include_locale") else {}
    return {"user": _as_user(user) | locale}


def _as_user(user: User) -> Json:
    profile = {
        "real_name": user.real_name,
        "display_name": user.name,
        "title": user.title,
        "email": f"{user.name}@example.com",
    }
    kind = {
        "is_bot": user.is_bot,
        "deleted": False,
        "is_restricted": user.is_guest,
        "is_ultra_restricted": False,
        "is_stranger": False,
    }
    rank = {"is_admin": user.is_admin, "is_owner": False, "is_primary_owner": False}
    return {
        "id": user.id,
        "team_id": user.team_id,
        "name": user.name,
        "real_name": user.real_name,
        "profile": profile,
        **kind,
        **rank,
    }


def add_reaction(sandbox: Sandbox, a: Arguments) -> Json:
    message, name = _reacted(sandbox, a)
    sandbox.reacted(
        "reaction_added", sandbox.team.react(message, BOT_USER_ID, name), BOT_USER_ID, name
    )
    return {}


def remove_reaction(sandbox: Sandbox, a: Arguments) -> Json:
    message, name = _reacted(sandbox, a)
    sandbox.reacted(
        "reaction_removed", sandbox.team.unreact(message, BOT_USER_ID, name), BOT_USER_ID, name
    )
    return {}


def _reacted(sandbox: Sandbox, a: Arguments) -> tuple[Message, str]:
    channel = sandbox.team.channel(a.needed("channel", "channel_not_found"))
    message = sandbox.team.message(channel.id, a.needed("timestamp", "bad_timestamp"))
    return message, a.needed("name", "invalid_name").strip(":")
