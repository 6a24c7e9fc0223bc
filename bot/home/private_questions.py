"""Questions from the slash command or App Home, put off until a speaker asks them in private."""

from __future__ import annotations

from core.access.disclosure import Disclosure
from core.jobs.afterwards import PutOff, put_off
from core.storage.database import Database


class PrivateQuestions:
    """Written down; bot.listeners.direct_messages opens the thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def ask(
        self,
        team: str,
        user: str,
        question: str,
        *,
        shows: Disclosure,
        channel: str = "",
    ) -> None:
        """`channel`: where this person is told if no direct message reaches them."""
        put_off(
            self._database,
            PutOff.ASK,
            team=team,
            user=user,
            question=question,
            shows=shows.as_json(),
            channel=channel,
        )
