"""The locales of people in Slack, learned where nobody waits for it.

A modal has to be opened within 3 seconds, so nothing is asked before: whoever is unknown then is
spoken to in English, and in their own language the next time.
"""

from __future__ import annotations

import threading

from bot.slack_api.directory import Directory
from bot.slack_api.errors import SlackError
from core import logs
from core.policy import people
from core.storage.database import Database

# What comes later counts the next time: an event is not acknowledged before.
WAIT_S = 0.8

log = logs.get(__name__)


class Locales:
    """Asks Slack once a day for each person."""

    def __init__(self, database: Database, directory: Directory) -> None:
        self._database = database
        self._directory = directory

    def learn(self, team: str, user: str) -> None:
        if people.is_locale_fresh(self._database, team, user):
            return
        asking = threading.Thread(target=self._ask, args=(team, user), name="locale", daemon=True)
        asking.start()
        asking.join(WAIT_S)

    def _ask(self, team: str, user: str) -> None:
        try:
            locale = str(self._directory.user(user).get("locale") or "")
        except SlackError as error:
            log.warning("locale.unknown", user=user, error=str(error))
            locale = people.locale(self._database, team, user)
        people.remember_locale(self._database, team, user, locale)
