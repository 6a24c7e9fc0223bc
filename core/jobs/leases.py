"""Leases: one worker at a time on one piece of work, and free again soon after that worker died.

A lease is a row with an owner and a time. Its holder renews it from a thread while the work goes
on; a killed holder renews nothing, so after `seconds` anybody may take over.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import ColumnElement
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlmodel import Session, col, delete, update

from core import logs
from core.errors import LeaseLost
from core.storage.database import Database
from core.storage.tables import LeaseRow, new_id

SECONDS = 10.0  # a third of it is the time between renewals, so one slow renewal loses nothing

log = logs.get(__name__)


class Lease:
    """The right to do one piece of work, as long as it is renewed."""

    def __init__(
        self,
        database: Database,
        key: str,
        *,
        seconds: float = SECONDS,
    ) -> None:
        self.database = database
        self.key = key
        self.owner = new_id()
        self._seconds = seconds
        self._held_until = 0.0
        self._stop = threading.Event()

    def take(self) -> bool:
        """Take the lease when it is free or has run out."""
        until = time.time() + self._seconds
        try:
            taken = self._take(until)
        except IntegrityError:
            return False  # the row exists and is held by a living owner
        self._held_until = until
        return taken

    def check(self) -> None:
        """Raise LeaseLost unless the lease is still ours; call it before saving what took long.

        It stands where others compare a fencing token: who lost the lease may not save.
        """
        if time.time() > self._held_until:
            raise LeaseLost(self.key)

    def release(self) -> None:
        ours = (
            col(LeaseRow.key) == self.key,
            col(LeaseRow.owner) == self.owner,
        )
        with self.database.session() as session:
            session.exec(delete(LeaseRow).where(*ours))

    def keep(self) -> None:
        """Renew until stopped; runs in a thread."""
        while not self._stop.wait(self._seconds / 3):
            until = time.time() + self._seconds
            try:
                if not self._renewed(until):
                    return
            except SQLAlchemyError:
                log.warning("lease.renewal_failed", key=self.key, exc_info=True)
                continue  # the next renewal may succeed; if none does in time, check() says so
            self._held_until = until

    def stop(self) -> None:
        self._stop.set()

    def _take(self, until: float) -> bool:
        """One transaction for both ways: writers wait for one another."""
        with self.database.session() as session:
            is_over = col(LeaseRow.until) < time.time()
            if not self._updated(session, until, is_over):
                session.add(
                    LeaseRow(
                        key=self.key,
                        owner=self.owner,
                        until=until,
                    )
                )
        return True

    def _renewed(self, until: float) -> bool:
        with self.database.session() as session:
            return self._updated(session, until, col(LeaseRow.owner) == self.owner)

    def _updated(
        self,
        session: Session,
        until: float,
        condition: ColumnElement[bool],
    ) -> bool:
        row = update(LeaseRow).where(
            col(LeaseRow.key) == self.key,
            condition,
        )
        updated = session.exec(row.values(owner=self.owner, until=until))
        return updated.rowcount == 1


def once(database: Database, key: str, seconds: float) -> bool:
    """Whether nobody has done this for so long; from now on somebody has.

    What is over of the same kind, the part of the key before its colon, is cleared away.
    """
    kind = key.partition(":")[0]
    over = (col(LeaseRow.key).startswith(f"{kind}:"), col(LeaseRow.until) < time.time())
    with database.session() as session:
        session.exec(delete(LeaseRow).where(*over))
    return Lease(database, key, seconds=seconds).take()


@contextmanager
def lease(
    database: Database,
    key: str,
    *,
    seconds: float = SECONDS,
) -> Iterator[Lease | None]:
    """Hold the lease for the length of the block; None when somebody else holds it."""
    held = Lease(database, key, seconds=seconds)
    if not held.take():
        yield None
        return
    thread = threading.Thread(
        target=held.keep,
        name=f"lease-{key}",
        daemon=True,
    )
    thread.start()
    try:
        yield held
    finally:
        held.stop()
        thread.join()
        held.release()
