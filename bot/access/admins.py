"""Who may decide for a channel, as Slack says it now.

Slack knows no admins of a channel that an app could ask for. Those of the workspace count, and whoever made the channel.
"""

from __future__ import annotations

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from bot.slack_api.errors import CHANNEL_HIDDEN, code


def is_admin(client: WebClient, team: str, user: str, channel: str) -> bool:
    """
    Raises:
        SlackClientError, OSError: Slack does not say.
    """
    return is_admin_of_workspace(client, team, user) or _creator(client, channel) == user


def is_admin_of_workspace(client: WebClient, team: str, user: str) -> bool:
    """Not of another one: in a shared channel, the other company's admins decide nothing here.

    Raises:
        SlackClientError, OSError: Slack does not say.
    """
    who = client.users_info(user=user)["user"]
    here = team in (who.get("team_id"), *(who.get("enterprise_user") or {}).get("teams", ()))
    return here and any(who.get(name) for name in ("is_admin", "is_owner", "is_primary_owner"))


def _creator(client: WebClient, channel: str) -> str:
    """Whoever made the channel; empty where Slack does not show it, such as a private channel without the bot."""
    try:
        return str(client.conversations_info(channel=channel)["channel"].get("creator") or "")
    except SlackApiError as error:
        if code(error) in CHANNEL_HIDDEN:
            return ""
        raise
