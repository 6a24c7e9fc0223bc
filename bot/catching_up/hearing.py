"""Beats while Slack reaches the bot, and has caught up what was said while it did not."""

from __future__ import annotations

import threading
from collections.abc import Callable

from sqlalchemy.exc import SQLAlchemyError

from bot.catching_up.catch_up import CatchUp
from bot.catching_up.first_word import FirstWord
from bot.slack_api.errors import SlackError
from bot.slack_api.threads.history import SlackHistory
from core import logs
from core.errors import LeaseLost
from core.jobs import gaps
from core.storage.database import Database

EVERY_S = 2.0

log = logs.get(__name__)


class Hearing:
    """Threads that beat, catch up and say the first word; none keeps an event waiting."""

    def __init__(
        self,
        database: Database,
        history: SlackHistory,
        catch_up: CatchUp,
        first_word: FirstWord,
        *,
        most_s: float,
        stop: threading.Event,
    ) -> None:
        """What was said more than `most_s` seconds ago is left alone; 0: all of it."""
        self._database = database
        self._history = history
        self._catch_up = catch_up
        self._first_word = first_word
        self._most_s = most_s
        self._stop = stop
        self._anew = threading.Event()
        self._us: tuple[str, str] | None = None

    def begin(self, connected: Callable[[], bool]) -> None:
        """From now on; `connected` says whether Slack reaches us."""
        self._start("first_word", self.say_first_words)
        if self._most_s:
            self._start("beat", lambda: self.beat(connected=connected()))
            self._start("catch_up", self.catch_up)

    def connected_anew(self) -> None:
        """A connection was made: nobody knows what was said before it."""
        self._anew.set()

    def end(self) -> None:
        """The app is not installed in this workspace any more."""
        self._stop.set()

    def beat(self, *, connected: bool) -> None:
        """Raises SlackError, SQLAlchemyError."""
        if not connected:
            return
        team, _ = self._who_we_are()
        anew = self._anew.is_set()
        self._anew.clear()
        try:
            gaps.beat(self._database, team, most_s=self._most_s, anew=anew)
        except SQLAlchemyError:
            self._anew.set()
            raise

    def catch_up(self) -> None:
        """Raises SlackError, SQLAlchemyError, LeaseLost."""
        self._catch_up.close_gaps(*self._who_we_are())

    def say_first_words(self) -> None:
        """Raises SlackError, SQLAlchemyError."""
        team, _ = self._who_we_are()
        self._first_word.say(team)

    def _start(self, name: str, look: Callable[[], None]) -> None:
        threading.Thread(target=self._repeat, args=(look,), name=name, daemon=True).start()

    def _who_we_are(self) -> tuple[str, str]:
        self._us = self._us or self._history.who_we_are()
        return self._us

    def _repeat(self, look: Callable[[], None]) -> None:
        while not self._stop.wait(EVERY_S):
            try:
                look()
            except (SlackError, SQLAlchemyError, LeaseLost) as error:
                log.warning("hearing.failed", error=str(error))
