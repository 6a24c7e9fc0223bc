"""Suggestions of an answer: they join it when they are ready, else come by an edit, else not."""

from __future__ import annotations

import contextvars
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from sqlalchemy.exc import SQLAlchemyError

from core import logs
from core.errors import GroundwireError
from core.jobs.queue import TaskName, enqueue_or_log
from core.models import Record
from core.pages import PageKey
from core.policy.acl import Reader
from core.states import TurnState
from core.turns import backpressure, turn_delivery, turn_store
from core.turns.turn import Turn
from worker import budget, confirmation
from worker.bootstrap import WorkerParts
from worker.suggestions.suggested import Suggested

JOIN_S = 0.3  # an answer waits for them
LATE_S = 10.0  # after which nobody looks for them under an answer any more
LOOK_EVERY_S = 0.2  # whether the answer stands in Slack

log = logs.get(__name__)


class Suggesting:
    """A record, and its suggestions, which are looked for in a thread from now on.

    A worker that is killed meanwhile leaves an answer without suggestions.
    """

    def __init__(
        self,
        parts: WorkerParts,
        turn: Turn,
        reader: Reader,
        record: Record,
        find: Callable[[], Suggested],
    ) -> None:
        self.record = record
        self._parts = parts
        self._turn = turn
        self._reader = reader
        self._is_over = False  # they have joined the answer, or there are none
        pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="suggesting")
        self._found = pool.submit(contextvars.copy_context().run, find)
        pool.shutdown(wait=False)

    def joined(self) -> Record:
        """The record, with its suggestions where they are ready in time."""
        found = self._ready(JOIN_S, confirmed=self.record.pages)
        return found.on(self.record) if found else self.record

    def join_later(self) -> None:
        """Edit the answer once it stands in Slack, unless speakers are needed elsewhere."""
        until = time.monotonic() + LATE_S
        found = None if self._is_over else self._ready(LATE_S)
        if found is None or not found.texts:
            return
        turn = self._once_delivered(until)
        if turn is None or turn.record is None or backpressure.others_wait_for_a_speaker():
            return
        if turn_delivery.redeliver(self._parts.database, turn, found.on(turn.record)):
            log.info("suggested_later", count=len(found.texts))
            enqueue_or_log(turn.id, TaskName.DELIVER)

    def _ready(
        self, wait_s: float, *, confirmed: frozenset[PageKey] = frozenset()
    ) -> Suggested | None:
        """What is found by then, if its reader may be shown it; `confirmed`: a moment ago."""
        try:
            found = self._found.result(wait_s)
            self._is_over = True
            self._charge(found)
            if pages := found.pages - confirmed:
                confirmation.require(self._parts, pages, self._reader)
        except TimeoutError:
            return None
        except (GroundwireError, SQLAlchemyError) as error:
            self._is_over = True
            log.warning("suggest.failed", error=str(error))
            return None
        return found

    def _charge(self, found: Suggested) -> None:
        if found.usage.calls:
            model = self._parts.settings.llm_model or ""
            budget.charge(self._parts, self._turn, self._turn.user, found.usage, model=model)

    def _once_delivered(self, until: float) -> Turn | None:
        """The turn as it stands in Slack; None when it has changed, or does not stand in time."""
        while time.monotonic() < until:
            turn = turn_store.load(self._parts.database, self._turn.id)
            if turn is None or turn.state != TurnState.DONE or turn.edition != self._turn.edition:
                return None
            if turn.delivered:
                return turn
            time.sleep(LOOK_EVERY_S)
        return None
