"""What Slack calls somebody, so that they recognize themselves outside Slack."""

from __future__ import annotations

from bot.slack_api.directory import Directory
from bot.slack_api.errors import SlackError
from core import logs

log = logs.get(__name__)


class PersonNames:
    """Names with e-mails, since anybody may choose a name."""

    def __init__(self, directory: Directory) -> None:
        self._directory = directory

    def of(self, team: str, user: str) -> str:
        """The id where Slack does not say."""
        try:
            profile = self._directory.user(user).get("profile") or {}
        except SlackError as error:
            log.warning("name.unknown", team=team, user=user, error=str(error))
            return user
        name, email = str(profile.get("real_name") or user), profile.get("email")
        return f"{name} ({email})" if email else f"{name} ({user})"
