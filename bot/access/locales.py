"""The locales of people in Slack, learned by a speaker once somebody is acknowledged.

Whoever is unknown until then is spoken to in English, and in their own language the next time.
"""

from __future__ import annotations

from core.jobs import afterwards
from core.jobs.afterwards import PutOff
from core.policy import people
from core.storage.database import Database


class Locales:
    """Has Slack asked once a day for each person."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def learn(self, team: str, user: str) -> None:
        if not people.is_locale_fresh(self._database, team, user):
            once = f"{team}:{user}"
            afterwards.put_off(self._database, PutOff.LEARN, once=once, team=team, user=user)
