"""Says in a sentence what an error of the database or a disk means, and its cure.

No text of a driver is in it: that may hold an address or a value.
"""

from __future__ import annotations

import errno
import sqlite3
from typing import Any

from sqlalchemy.exc import InterfaceError, OperationalError, SQLAlchemyError, TimeoutError

from core.errors import GroundwireError, LeaseLost

# What may be lost and come back; everything else is a defect of this program.
OUTAGES = (GroundwireError, SQLAlchemyError, OSError)

FULL = "the disk is full: free some space where DATA_DIR and the database are"
READ_ONLY = (
    "the database cannot be written: give its file and folder to this account, "
    "and see that the disk is not mounted read-only"
)
LOCKED = (
    "the database is locked: another program has been writing for too long; end it, "
    "such as a shell of sqlite3 or a copy that is being made"
)
DAMAGED = "the files of the database are damaged: stop all programs and put its backup in place"
DISK = (
    "the files of the database cannot be read or written: is the disk full or read-only, "
    "and is DATA_DIR right?"
)
SILENT = (
    "the database does not answer: is DATABASE_URL right, is it running, "
    "and does it take one more connection (max_connections)?"
)
CROWDED = (
    "the database takes no more connections: raise max_connections, "
    "or run fewer programs; each opens up to 15"
)
POOL = (
    "all connections of this program to the database are in use: it answers slowly, "
    "or fewer threads are to work at once (ANSWER_CONCURRENCY, SPEAK_CONCURRENCY)"
)
REFUSED = (
    "the database refuses this account: give the one of DATABASE_URL all rights on its "
    "database and the schema public"
)
SLOW = (
    "the database took longer for a statement than its own settings allow: "
    "raise statement_timeout and lock_timeout, or find what keeps it busy"
)
TOGETHER = "two programs waited for each other in the database; what was begun is tried again"
MEMORY = "the database has no memory left: give its server more, or lower work_mem"

_SQLITE = {
    sqlite3.SQLITE_FULL: FULL,
    sqlite3.SQLITE_READONLY: READ_ONLY,
    sqlite3.SQLITE_PERM: READ_ONLY,
    sqlite3.SQLITE_BUSY: LOCKED,
    sqlite3.SQLITE_LOCKED: LOCKED,
    sqlite3.SQLITE_CORRUPT: DAMAGED,
    sqlite3.SQLITE_NOTADB: DAMAGED,
    sqlite3.SQLITE_IOERR: DISK,
    sqlite3.SQLITE_CANTOPEN: DISK,
}
# By SQLSTATE: postgresql.org/docs/current/errcodes-appendix.html
_POSTGRES = {
    "25006": READ_ONLY,
    "40P01": TOGETHER,
    "42501": REFUSED,
    "28000": REFUSED,
    "28P01": REFUSED,
    "53100": FULL,
    "53200": MEMORY,
    "53300": CROWDED,
    "55P03": SLOW,
    "57014": SLOW,
    "XX001": DAMAGED,
    "XX002": DAMAGED,
}
_AWAY = (OperationalError, InterfaceError)
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def sentence(error: BaseException) -> str:
    """Cause and cure; empty for what nobody foresaw, which needs its traceback."""
    if isinstance(error, LeaseLost):
        return f"another indexer has taken over ({error})"
    if isinstance(error, GroundwireError):
        return str(error)
    if isinstance(error, SQLAlchemyError):
        return _of_database(error)
    if isinstance(error, OSError):
        return _of_disk(error)
    return ""


def _of_database(error: SQLAlchemyError) -> str:
    cause: Any = getattr(error, "orig", None)
    if isinstance(cause, sqlite3.Error):
        return _SQLITE.get(getattr(cause, "sqlite_errorcode", 0) & 0xFF, "")
    if known := _POSTGRES.get(getattr(cause, "sqlstate", None) or ""):
        return known
    if isinstance(error, TimeoutError):
        return POOL
    return SILENT if isinstance(error, _AWAY) else ""


def _of_disk(error: OSError) -> str:
    if error.errno in _FULL:
        return FULL
    where = f" ({error.filename})" if error.filename else ""
    return f"a file cannot be read or written: {error.strerror or 'no reason given'}{where}"
