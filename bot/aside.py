"""Aside: what this process does on threads of its own, so that no acknowledgement waits for it.

Only for what cannot be put off to a speaker: it needs a trigger, or the queue is away. It is lost
with the process.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from sqlalchemy.exc import SQLAlchemyError

from core import logs
from core.errors import GroundwireError

THREADS = 4
MOST_WAITING = 100  # while Slack is slow; what comes then is dropped

log = logs.get(__name__)


class Aside:
    """A few threads, and a short line before them."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="aside")
        self._room = threading.Semaphore(THREADS + MOST_WAITING)

    def submit(self, work: Callable[[], object]) -> None:
        if not self._room.acquire(blocking=False):
            log.warning("aside.full")
            return
        self._threads.submit(self._do, work)

    def _do(self, work: Callable[[], object]) -> None:
        try:
            work()
        except (GroundwireError, SQLAlchemyError):
            log.exception("aside.failed")
        finally:
            self._room.release()
