"""Recovery: finds out that questions can be answered again, and enqueues those that could not be.

Runs in a thread of every pool of the worker. That the pool is there, and its queue is empty, says
that questions are answered in time; whether the model answers it is asked, with one word. Nobody is
asked anything as long as no turn waits for that.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from celery.signals import worker_ready, worker_shutting_down
from sqlalchemy.exc import SQLAlchemyError

from core import logs
from core.errors import ModelUnavailable, StoreUnavailable
from core.jobs.leases import lease
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


def start_with_worker(parts: Callable[[], WorkerParts]) -> None:
    """Look as long as this process's Celery pool lives."""
    stop = threading.Event()
    worker_ready.connect(lambda **_: _start(parts(), stop), weak=False)
    worker_shutting_down.connect(lambda **_: stop.set(), weak=False)


def _start(parts: WorkerParts, stop: threading.Event) -> None:
    model = parts.pipeline.generator.model
    recovery = Recovery(parts.database, lambda: says_a_word(model))
    threading.Thread(
        target=_run,
        args=(recovery, stop),
        name="recovery",
        daemon=True,
    ).start()


def _run(recovery: Recovery, stop: threading.Event) -> None:
    while not stop.wait(EVERY_S):
        try:
            recovery.look()
        except StoreUnavailable as error:
            log.warning("recovery.queue_unavailable", error=str(error))
        except SQLAlchemyError:
            log.exception("recovery.database_unavailable")
