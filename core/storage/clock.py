"""The database's clock, by which leases run out and patience ends, whatever other clocks say.

Each host has a clock of its own, and one of them may be off. What is saved, and what is compared
with what another program has saved, is told by the one clock that all of them share. SQL asks it
with `now_of`. Everybody else asks `now`: a measurement, and the time that has passed since. Until
the first one that is the host's own clock.
"""

from __future__ import annotations

import math
import time
from datetime import UTC, datetime

from sqlalchemy import ColumnElement, Float, literal_column
from sqlmodel import Session, select

EVERY_S = 30.0  # between two measurements
# What a measurement cannot tell: SQLite's clock has milliseconds.
RESOLUTION_S = 0.002

# Julian day 2440587.5 is 1970-01-01: sqlite.org/lang_datefunc.html
_SQLITE = "(julianday('now') - 2440587.5) * 86400.0"
# now() would be the time at which the transaction began.
_POSTGRES = "extract(epoch from clock_timestamp())"


def now_of(session: Session) -> ColumnElement[float]:
    """Seconds since 1970, as an expression of SQL."""
    is_sqlite = session.get_bind().dialect.name == "sqlite"
    return literal_column(_SQLITE if is_sqlite else f"({_POSTGRES})::float", Float())


def measure(session: Session) -> None:
    """Learn what time it is by the database."""
    connection = session.connection()  # or the time that it takes to connect would count
    asked_at = time.monotonic()
    told = float(connection.execute(select(now_of(session))).scalar_one())
    shared.learn(told, asked_at, time.monotonic())


class Clock:
    """Seconds since 1970 by another clock than our own."""

    def __init__(self) -> None:
        self._measured_at = -math.inf
        self._own = self._shared = time.time() - time.monotonic()

    def now(self) -> float:
        return time.monotonic() + self._shared

    def is_due(self) -> bool:
        """Whether to measure: after a while, and when our own clock was set or our host slept."""
        passed = time.monotonic() - self._measured_at
        own = time.time() - time.monotonic()
        return passed >= EVERY_S or abs(own - self._own) > RESOLUTION_S * EVERY_S

    def learn(self, told: float, asked_at: float, answered_at: float) -> None:
        """The shared clock said `told` at some time between these two of our monotonic clock.

        What is within the error of a measurement changes nothing, so that time goes on evenly.
        """
        shared = told - (asked_at + answered_at) / 2
        if abs(shared - self._shared) > (answered_at - asked_at) / 2 + RESOLUTION_S:
            self._shared = shared
        self._measured_at = answered_at
        self._own = time.time() - time.monotonic()

    def skew_s(self) -> float:
        """How far this host's own clock is ahead of the shared one."""
        return time.time() - self.now()


# One for a process, which has one database.
shared = Clock()
now = shared.now


def today() -> str:
    """The day in UTC, as ISO 8601: as Confluence counts."""
    return f"{datetime.fromtimestamp(now(), UTC):%Y-%m-%d}"
