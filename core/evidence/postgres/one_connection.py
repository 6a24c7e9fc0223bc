"""One connection to the database for the many small questions that a search asks it.

A connection is tried out when it is taken, and a transaction begun and ended: three more ways to
the server and back, for a statement that takes one.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection

from core.storage.database import Database


class OneConnection(threading.local):
    """Of one database, in each thread by itself."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._connection: Connection | None = None
        self._depth = 0  # of uses, one within the other

    @contextmanager
    def once(self) -> Iterator[Connection]:
        """For a statement that only reads, which needs no transaction."""
        with self.often():
            if self._connection is None:
                self._connection = self.database.reading_engine("AUTOCOMMIT").connect()
            yield self._connection

    @contextmanager
    def often(self) -> Iterator[None]:
        """All that is asked within is asked over the same connection."""
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1
            if not self._depth and self._connection is not None:
                self._connection.close()
                self._connection = None
