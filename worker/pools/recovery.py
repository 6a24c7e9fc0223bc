"""Recovery: finds out that questions can be answered again, and enqueues those that could not be.

A chore of every pool of the worker. That the pool is there, and its queue is empty, says
that questions are answered in time; whether the model answers it is asked, with one word. Nobody is
asked anything as long as no turn waits for that.
"""

from __future__ import annotations

from collections.abc import Callable

from core import logs
from core.errors import ModelUnavailable
from core.jobs.leases import lease
from core.jobs.pool import Chore
from core.jobs.queue import QUEUES, TaskName, enqueue, length
from core.storage import clock
from core.storage.database import Database
from core.turns.anew import taking_up
from worker.bootstrap import WorkerParts
from worker.generation.chat_model import ChatModel

EVERY_S = 5.0
MOST = 20  # are enqueued at once; new questions wait behind no more than these
WORD_S = 10.0  # within which a model that is up says its first word

log = logs.get(__name__)


class Recovery:
    """`is_up`: whether the model answers, asked only when a turn waits for that."""

    def __init__(self, database: Database, is_up: Callable[[], bool]) -> None:
        self._database = database
        self._is_up = is_up

    def look(self) -> int:
        """Enqueue what can be answered now; how many turns that are.

        Nothing while questions wait for a worker: theirs is the first turn. One process asks the
        model at a time.

        Raises:
            StoreUnavailable: Redis does not answer; a later look finds them again.
        """
        due = taking_up.due(self._database, MOST)
        if not due or length(QUEUES[TaskName.ANSWER]):
            return 0
        with lease(self._database, "recovery") as held:
            if held is None or not self._is_up():
                return 0
        ours = [each for each in due if taking_up.mark_enqueued(self._database, each)]
        for turn_id in ours:
            enqueue(TaskName.TAKE_UP, turn_id)
        log.info("recovered", turns=len(ours))
        return len(ours)


class _Enough(Exception):
    """The model has said a word."""


def says_a_word(model: ChatModel | None) -> bool:
    """Whether the model begins to write; it is interrupted then. Where there is none, it is so."""
    if model is None:
        return True

    def interrupt(_piece: str) -> None:
        raise _Enough

    try:
        model.written("Say: yes", pages=(), deadline=clock.now() + WORD_S, on_text=interrupt)
    except ModelUnavailable:
        return False
    except _Enough:
        return True
    return True


def chore(parts: WorkerParts) -> Chore:
    """To look every few seconds."""
    model = parts.pipeline.generator.model
    recovery = Recovery(parts.database, lambda: says_a_word(model))
    return Chore("recovery", EVERY_S, recovery.look)
