"""Says the first word of an answer when no speaker takes its turn for some seconds.

It is the answer's own message: its place is in SQL, so whichever speaker comes later goes on in it.
"""

from __future__ import annotations

import time

from bot import metrics, voices
from bot.delivery.turn_message import Messages, TurnMessage
from bot.slack_api.errors import SlackError
from core import logs
from core.access.disclosure import NOTHING
from core.jobs.leases import lease
from core.jobs.queue import TaskName
from core.states import PostKind
from core.storage.database import Database
from core.turns import turn_store
from core.turns.upkeep import unattended

AGAIN_S = 60.0  # after a refusal by Slack

log = logs.get(__name__)


class FirstWord:
    """Looks for turns that nobody attends to."""

    def __init__(self, database: Database, messages: Messages) -> None:
        self._database = database
        self._messages = messages
        self._not_before = 0.0

    def say(self, team: str) -> None:
        """Say it for each of them; Slack is left alone for a while when it refuses."""
        if time.monotonic() < self._not_before:
            return
        try:
            for turn_id in unattended.turns(self._database, team):
                self._say_for(turn_id)
        except SlackError as error:
            log.warning("first_word.refused", error=str(error))
            self._not_before = time.monotonic() + AGAIN_S

    def _say_for(self, turn_id: str) -> None:
        with lease(self._database, f"{TaskName.DELIVER}:{turn_id}") as held:
            turn = turn_store.load(self._database, turn_id)
            if held is None or turn is None or turn.delivered or turn.is_forgotten:
                return
            message = TurnMessage(self._database, self._messages, turn, PostKind.ANSWER)
            message.post(voices.about(self._database, turn)("first-word"), shows=NOTHING)
            metrics.FIRST_WORDS.inc()
            log.info("first_word", turn=turn_id)
