"""Who may decide for a channel: the admins of the workspace, and whoever created the channel.

Slack's API does not know a channel's own admins.
"""

from __future__ import annotations

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from bot.slack_api.errors import CHANNEL_HIDDEN, code

ROLES = ("is_admin", "is_owner", "is_primary_owner")


def is_admin(client: WebClient, team: str, user: str, channel: str) -> bool:
    """Whether this person may decide for the channel.

    Raises:
        SlackClientError, OSError: Slack does not say.
    """
    if is_admin_of_workspace(client, team, user):
        return True
    return _creator(client, channel) == user


def is_admin_of_workspace(client: WebClient, team: str, user: str) -> bool:
    """Not of another one: in a shared channel, the other company's admins have no say.

    Raises:
        SlackClientError, OSError: Slack does not say.
    """
    who = client.users_info(user=user)["user"]
    enterprise = who.get("enterprise_user") or {}
    teams = [who.get("team_id"), *enterprise.get("teams", ())]
    if team not in teams:
        return False
    return any(who.get(role) for role in ROLES)


def _creator(client: WebClient, channel: str) -> str:
    """Whoever created the channel; empty where Slack does not show the channel to us."""
    try:
        found = client.conversations_info(channel=channel)["channel"]
    except SlackApiError as error:
        if code(error) in CHANNEL_HIDDEN:
            return ""
        raise
    return str(found.get("creator") or "")
