"""Hands a saved question to speaker and worker; when the queue is away, its message says so."""

from __future__ import annotations

from bot import voices
from bot.aside import Aside
from bot.delivery.turn_message import Messages, TurnMessage
from core.access.disclosure import NOTHING
from core.jobs.leases import lease
from core.jobs.queue import TaskName, enqueue_or_log
from core.states import PostKind, TurnState
from core.storage.database import Database
from core.turns.turn import Turn


class ToWork:
    """Puts turns on the queues."""

    def __init__(self, database: Database, messages: Messages, aside: Aside) -> None:
        self._database = database
        self._messages = messages
        self._aside = aside

    def enqueue(self, turn: Turn) -> None:
        tasks = [TaskName.DELIVER]  # first: the person sees that we are at it
        if turn.state == TurnState.WAITING:
            tasks.append(TaskName.ANSWER if turn.vetted else TaskName.VET)
        if not enqueue_or_log(turn.id, *tasks):
            self._aside.submit(lambda: self._say_queue_is_down(turn))

    def _say_queue_is_down(self, turn: Turn) -> None:
        with lease(self._database, f"{TaskName.DELIVER}:{turn.id}") as held:
            if held is None:
                return  # a delivery began before Redis went away
            message = TurnMessage(self._database, self._messages, turn, PostKind.ANSWER)
            sentence = voices.about(self._database, turn)("queue-down")
            message.post(sentence, shows=NOTHING)
            message.show_progress(sentence, shows=NOTHING)
