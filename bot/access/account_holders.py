"""Who in Slack an account of the site belongs to: by what they have linked, then by e-mail."""

from __future__ import annotations

from bot.access.membership import standing_of
from bot.slack_api.directory import Directory
from bot.slack_api.errors import SlackError
from core import logs
from core.policy import preferences
from core.policy.people import Standing
from core.storage.database import Database
from core.turns.hand_over import owners

log = logs.get(__name__)


class AccountHolders:
    """Asks SQL, then Slack; what Slack does not say is nobody."""

    def __init__(self, database: Database, directory: Directory) -> None:
        self._database = database
        self._directory = directory

    def of(self, team: str, account: str) -> str:
        """The id of the person in this workspace; empty for nobody."""
        if linked := owners.linked(self._database, team, account):
            return linked[0]
        address = owners.email(self._database, account)
        if not address:
            return ""
        known = owners.with_email(self._database, team, address)
        return known or self._looked_up(address)

    def is_member(self, team: str, user: str) -> bool:
        """Whether they are in the workspace now, and neither a guest nor a program.

        Raises:
            SlackError: Slack does not say.
        """
        found = self._directory.user(user)
        standing = standing_of(found, team, self._directory.enterprise)
        is_there = not found.get("deleted") and not found.get("is_bot")
        return is_there and standing is Standing.MEMBER

    def _looked_up(self, address: str) -> str:
        try:
            return self._directory.with_email(address)
        except SlackError as error:
            log.warning("owner.unknown", error=str(error))
            return ""


class DigestReaders:
    """Whom a digest goes to, and what may be told there."""

    def __init__(self, database: Database, directory: Directory) -> None:
        self._database = database
        self._directory = directory
        self._holders = AccountHolders(database, directory)

    def owner(self, team: str, account: str) -> str:
        """The owner of pages in Slack, who has not said no; empty for nobody.

        Raises:
            SlackError: Slack does not say.
        """
        user = self._holders.of(team, account)
        if not user or preferences.load(self._database, team, user).no_digest:
            return ""
        return user if self._holders.is_member(team, user) else ""

    def is_open(self, channel: str) -> bool:
        """Whether everybody in the workspace may read this channel.

        Raises:
            SlackError: Slack does not say.
        """
        return self._directory.is_open(channel)
