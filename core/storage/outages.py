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
DAMAGED = "the database file is damaged: stop all programs and put its backup in place"
DISK = (
    "the files of the database cannot be read or written: is the disk full or read-only, "
    "and is DATA_DIR right?"
)
SILENT = "the database does not answer: is DATABASE_URL right, and is it running?"

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
_POSTGRES = {"53100": FULL, "25006": READ_ONLY}  # SQLSTATE
_AWAY = (OperationalError, InterfaceError, TimeoutError)
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
    return SILENT if isinstance(error, _AWAY) else ""


def _of_disk(error: OSError) -> str:
    if error.errno in _FULL:
        return FULL
    where = f" ({error.filename})" if error.filename else ""
    return f"a file cannot be read or written: {error.strerror or 'no reason given'}{where}"
