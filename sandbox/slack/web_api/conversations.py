"""auth.test, conversations.open, .info and .members, what users.* tell, and reactions.*."""

from __future__ import annotations

from sandbox.slack.web_api.arguments import Arguments
from sandbox.slack.web_api.history import as_channel
from sandbox.slack.workspace.values import Json, Message, Refused, User
from sandbox.slack.workspace.world import Sandbox


def auth_test(sandbox: Sandbox, a: Arguments) -> Json:
    """docs.slack.dev/reference/methods/auth.test: whose token it is, and of which workspace."""
    ids = sandbox.ids
    who = {
        "url": f"https://{ids.domain}.slack.com/",
        "team": ids.name,
        "user": "groundwire",
        "is_enterprise_install": False,
    }
    return {**who, "team_id": ids.team, "user_id": ids.bot_user, "bot_id": ids.bot}


def open_direct(sandbox: Sandbox, a: Arguments) -> Json:
    """docs.slack.dev/reference/methods/conversations.open, for one person; groups are left out."""
    user = sandbox.team.users.get(a.needed("users", "users_list_not_supplied"))
    if user is None:
        raise Refused("user_not_found")
    return {"channel": {"id": sandbox.team.direct(user).id}}


def info(sandbox: Sandbox, a: Arguments) -> Json:
    return {"channel": as_channel(sandbox.team.channel(a.needed("channel", "channel_not_found")))}


def user_info(sandbox: Sandbox, a: Arguments) -> Json:
    user = sandbox.team.users.get(a.needed("user", "user_not_found"))
    if user is None:
        raise Refused("user_not_found")
    locale = {"locale": user.locale} if a.flag("include_locale") else {}
    return {"user": _as_user(user) | locale}


def by_email(sandbox: Sandbox, a: Arguments) -> Json:
    """docs.slack.dev/reference/methods/users.lookupByEmail"""
    address = a.needed("email", "users_not_found")
    for user in sandbox.team.users.values():
        if _email(user) == address.lower() and not user.is_bot:
            return {"user": _as_user(user)}
    raise Refused("users_not_found")


def members(sandbox: Sandbox, a: Arguments) -> Json:
    """Everybody here is in every channel: docs.slack.dev/reference/methods/conversations.members"""
    channel = sandbox.team.channel(a.needed("channel", "channel_not_found"))
    there = [channel.user] if channel.is_im else list(sandbox.team.users)
    return {"members": there, "response_metadata": {"next_cursor": ""}}


def _email(user: User) -> str:
    return f"{user.name}@{user.email_domain}".lower()


def _as_user(user: User) -> Json:
    profile = {
        "real_name": user.real_name,
        "display_name": user.name,
        "title": user.title,
        "email": _email(user),
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
    (message, name), bot = _reacted(sandbox, a), sandbox.ids.bot_user
    sandbox.reacted("reaction_added", sandbox.team.react(message, bot, name), bot, name)
    return {}


def remove_reaction(sandbox: Sandbox, a: Arguments) -> Json:
    (message, name), bot = _reacted(sandbox, a), sandbox.ids.bot_user
    sandbox.reacted("reaction_removed", sandbox.team.unreact(message, bot, name), bot, name)
    return {}


def _reacted(sandbox: Sandbox, a: Arguments) -> tuple[Message, str]:
    channel = sandbox.team.channel(a.needed("channel", "channel_not_found"))
    message = sandbox.team.message(channel.id, a.needed("timestamp", "bad_timestamp"))
    return message, a.needed("name", "invalid_name").strip(":")
