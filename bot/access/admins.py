"""Who may decide for a channel: the admins of the workspace, and whoever created the channel.

Slack's API does not know a channel's own admins. `Admins` asks Slack, and SQL keeps what it says;
the functions know what SQL knows, for whoever has to acknowledge.
"""

from __future__ import annotations

from bot.access.ranks import is_admin_of
from bot.slack_api.directory import Directory
from core.policy import people
from core.storage.database import Database


class Admins:
    """Asks Slack."""

    def __init__(self, database: Database, directory: Directory) -> None:
        self._database = database
        self._directory = directory

    def is_admin(self, team: str, user: str, channel: str) -> bool:
        """Whether this person may decide for the channel.

        Raises:
            SlackError: Slack does not say.
        """
        if is_admin_of(self._directory.user(user), team):
            return True
        creator = self._directory.creator(channel)
        people.remember_creator(self._database, team, channel, creator)
        return creator == user


def known_admin(database: Database, team: str, user: str, channel: str) -> bool | None:
    """The same as SQL knows it; None when it does not."""
    of_workspace = people.is_admin(database, team, user)
    creator = people.creator(database, team, channel)
    if of_workspace or creator == user:
        return True
    return None if of_workspace is None or creator is None else False
