"""Who may decide for a channel: the admins of the workspace, and whoever created the channel.

Slack's API does not know a channel's own admins.
"""

from __future__ import annotations

from bot.slack_api.directory import Directory

ROLES = ("is_admin", "is_owner", "is_primary_owner")


def is_admin(directory: Directory, team: str, user: str, channel: str) -> bool:
    """Whether this person may decide for the channel.

    Raises:
        SlackError: Slack does not say.
    """
    if is_admin_of_workspace(directory, team, user):
        return True
    return directory.creator(channel) == user


def is_admin_of_workspace(directory: Directory, team: str, user: str) -> bool:
    """Not of another one: in a shared channel, the other company's admins have no say.

    Raises:
        SlackError: Slack does not say.
    """
    who = directory.user(user)
    enterprise = who.get("enterprise_user") or {}
    teams = [who.get("team_id"), *enterprise.get("teams", ())]
    if team not in teams:
        return False
    return any(who.get(role) for role in ROLES)
