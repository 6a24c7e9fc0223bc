"""Leases: one worker at a time on one piece of work, and free again soon after that worker died.

A lease is a row with an owner and a time. Its holder renews it from a thread while the work goes
on; a killed holder renews nothing, so after `seconds` anybody may take over. Only the database's
clock counts, so that the clocks of the machines need not agree.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from sqlalchemy import ColumnElement, exists
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlmodel import Session, col, delete, insert, select, update

from core import logs, metrics
from core.errors import LeaseLost
from core.storage.clock import now_of
from core.storage.database import Database
from core.storage.outages import sentence
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
        self._stop = threading.Event()

    def take(self) -> bool:
        """Take the lease when it is free or has run out."""
        try:
            return self._take()
        except IntegrityError:
            return False  # the row exists and is held by a living owner

    def check(self) -> None:
        """Raise LeaseLost unless the lease is still ours; call it while work takes long."""
        with self.database.reading() as session:
            if session.exec(self._ours(session)).first() is None:
                metrics.LEASES_LOST.inc()
                raise LeaseLost(self.key)

    def hold(self, session: Session) -> None:
        """As `check`; on top of that nobody else can take it before this transaction ends."""
        ours = self._ours(session).with_for_update()
        if session.exec(ours).first() is None:
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
            try:
                if not self._renewed():
                    return
            except SQLAlchemyError as error:
                why = sentence(error) or type(error).__name__
                log.warning("lease.renewal_failed", key=self.key, error=why)
                continue  # the next renewal may succeed; if none does in time, check() says so

    def stop(self) -> None:
        self._stop.set()

    def _ours(self, session: Session) -> Any:
        return select(LeaseRow.key).where(
            col(LeaseRow.key) == self.key,
            col(LeaseRow.owner) == self.owner,
            col(LeaseRow.until) >= now_of(session),
        )

    def _take(self) -> bool:
        """One transaction for both ways: writers wait for one another."""
        with self.database.session() as session:
            is_over = col(LeaseRow.until) < now_of(session)
            if not self._updated(session, is_over):
                until = now_of(session) + self._seconds
                row = insert(LeaseRow).values(key=self.key, owner=self.owner, until=until)
                session.exec(row)
        return True

    def _renewed(self) -> bool:
        with self.database.session() as session:
            return self._updated(session, col(LeaseRow.owner) == self.owner)

    def _updated(self, session: Session, condition: ColumnElement[bool]) -> bool:
        row = update(LeaseRow).where(
            col(LeaseRow.key) == self.key,
            condition,
        )
        until = now_of(session) + self._seconds
        updated = session.exec(row.values(owner=self.owner, until=until))
        return updated.rowcount == 1


# Those that this thread works under.
_HELD: ContextVar[tuple[Lease, ...]] = ContextVar("held", default=())


def check_held() -> None:
    """Raise LeaseLost unless every lease that this thread works under is still its own.

    For whoever is about to do what cannot be taken back, such as a call to Slack.
    """
    for held in _HELD.get():
        held.check()


def are_held() -> bool:
    """Whether `check_held` has nothing to say."""
    try:
        check_held()
    except LeaseLost:
        return False
    return True


@contextmanager
def fenced(database: Database, serial: str = "") -> Iterator[Session]:
    """A transaction that counts only if every lease that this thread works under is its own.

    It stands where others compare a fencing token: who was cut off, and was replaced, saves
    nothing. With `serial` it takes turns with others of that name.

    Raises:
        LeaseLost: somebody else works on this by now; nothing is saved.
    """
    opened = database.one_at_a_time(serial) if serial else database.session()
    with opened as session:
        yield session
        for held in _HELD.get():
            held.hold(session)


def is_held(session: Session, key: ColumnElement[str]) -> ColumnElement[bool]:
    """Whether somebody holds the lease of this key now, for a condition of SQL."""
    return exists().where(col(LeaseRow.key) == key, col(LeaseRow.until) > now_of(session))


def once(database: Database, key: str, seconds: float) -> bool:
    """Whether nobody has done this for so long; from now on somebody has.

    What is over of the same kind, the part of the key before its colon, is cleared away.
    """
    kind = key.partition(":")[0]
    with database.session() as session:
        over = (col(LeaseRow.key).startswith(f"{kind}:"), col(LeaseRow.until) < now_of(session))
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
    before = _HELD.set((*_HELD.get(), held))
    try:
        yield held
    finally:
        _HELD.reset(before)
        held.stop()
        thread.join()
        held.release()
