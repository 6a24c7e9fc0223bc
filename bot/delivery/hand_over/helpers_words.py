"""Reads what a helper has said in the thread, once they say that a page should say it."""

from __future__ import annotations

from typing import Protocol

from bot.slack_api.errors import SlackRefused
from core import logs
from core.storage.database import Database
from core.turns.hand_over import said
from core.turns.hand_over.requests import HandOver
from core.turns.turn import Address, Turn

log = logs.get(__name__)


class ReadThreads(Protocol):
    """See bot.slack_api.threads.talk; may raise SlackError."""

    def said_by(self, where: Address, user: str, *, since: float) -> str: ...


class KnownChannels(Protocol):
    """See bot.slack_api.directory; may raise SlackError."""

    def is_open(self, channel: str) -> bool: ...


class HelpersWords:
    """Only of channels that everybody may read, and only where a digest may be drafted from it."""

    def __init__(
        self, database: Database, threads: ReadThreads, channels: KnownChannels, *, wanted: bool
    ) -> None:
        self._database = database
        self._threads = threads
        self._channels = channels
        self._wanted = wanted

    def keep(self, turn: Turn, hand_over: HandOver) -> None:
        """Raises SlackError: to be tried again."""
        if not (self._wanted and hand_over.should_say and hand_over.resolved_by):
            return
        if turn.private or not self._channels.is_open(turn.address.channel):
            return
        try:
            text = self._threads.said_by(
                turn.address, hand_over.resolved_by, since=hand_over.asked_at
            )
        except SlackRefused as error:
            log.info("hand_over.not_read", turn=turn.id, error=error.code)
            return
        said.keep(self._database, turn.id, text)
