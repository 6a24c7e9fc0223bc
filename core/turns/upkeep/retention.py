"""Retention: erases old conversations and expired tombstones, every hour, in exactly one program.

It goes batch by batch with a rest in between, so that nobody who asks meanwhile waits for it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from core import logs
from core.access import confirmations
from core.jobs.leases import Lease
from core.policy import audit, spending
from core.storage import clock
from core.storage.database import Database
from core.turns import erasure

EVERY_S = 3600.0
LOOK_S = 60.0  # how often each program looks whether an hour is over
REST_S = 0.2  # between two batches
DAY_S = 86_400.0

log = logs.get(__name__)


@dataclass
class Retention:
    """The hourly round; a lease that is never released makes it one round for all programs."""

    database: Database
    days: int  # 0: conversations are kept
    audit_days: int = 0  # 0: the audit log is kept
    rest: Callable[[float], object] = field(default_factory=lambda: threading.Event().wait)
    _next_look: float = 0.0

    def when_due(self) -> None:
        """Run if no program has run in the last hour."""
        if time.monotonic() < self._next_look:
            return
        self._next_look = time.monotonic() + LOOK_S
        if Lease(self.database, "retention", seconds=EVERY_S).take():
            self.round()

    def round(self) -> int:
        """Erase all that is too old; how many turns there were."""
        old = self._batches(self._forget_old) if self.days else 0
        empty = self._batches(lambda: erasure.drop_empty(self.database))
        spending.drop_old(self.database)
        confirmations.prune(self.database, clock.now())
        if self.audit_days:
            audit.prune(self.database, clock.now() - self.audit_days * DAY_S)
        if old or empty:
            self.database.leave_no_trace()
            log.info(
                "retention.erased",
                turns=old,
                empty_rows=empty,
                days=self.days,
            )
        return old

    def _forget_old(self) -> int:
        return erasure.forget_old(self.database, clock.now() - self.days * DAY_S)

    def _batches(self, step: Callable[[], int]) -> int:
        total = 0
        while done := step():
            total += done
            self.rest(REST_S)
        return total
