"""SQLite: copies of a database in use, and whether anybody uses it.

The copy is of one moment: a read transaction is held until it is complete. Writers go on, since
the log takes what they write; without that transaction each of their commits would begin the copy
anew.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from core.errors import SettingsError
from groundwire.backup.archive import Progress, silent

PAGES = 256  # copied between two reports: 1 MB
WAIT_S = 30.0
IN_USE = "programs are working with this database: stop all of them, restore, then start them again"


def copy(source: Path, target: Path, progress: Progress = silent) -> None:
    """What the database holds now, while others write to it."""
    if not source.exists():
        raise SettingsError(f"there is no database {source}: is DATA_DIR right?")
    with closing(_open(source)) as database, closing(_open(target)) as copied:
        database.execute("BEGIN")
        database.execute("SELECT count(*) FROM sqlite_master").fetchone()
        _copied(database, copied, progress, "copying")


def damage(file: Path) -> str:
    """Looks through all pages of a database; what SQLite says of the first damage, else empty."""
    try:
        with closing(_open(file)) as database:
            (found,) = database.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.DatabaseError as error:
        if not _is_damage(error):
            raise
        return str(error)
    return "" if found == "ok" else " ".join(str(found).split())


def set_aside(file: Path, name: str) -> Path:
    """Move a database that is damaged out of the way, with its log."""
    for suffix in ("-wal", "-shm", ""):
        part = Path(f"{file}{suffix}")
        if part.exists():
            part.replace(file.with_name(name + suffix))
    return file.with_name(name)


@contextmanager
def nobody_else(file: Path) -> Iterator[sqlite3.Connection]:
    """A connection to a database that nobody else uses before the block ends.

    Raises:
        SettingsError: somebody does.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    with closing(_open(file, wait_s=0.5)) as database:
        try:
            database.execute("PRAGMA locking_mode=EXCLUSIVE")
            database.execute("BEGIN EXCLUSIVE")
            database.execute("ROLLBACK")
        except sqlite3.DatabaseError as error:
            if _is_damage(error):
                pass  # nobody can work with it
            elif error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY:
                raise SettingsError(IN_USE) from None
            else:
                raise
        yield database


def overwrite(live: sqlite3.Connection, new: Path, progress: Progress = silent) -> None:
    """Put everything of `new` in the place of what `live` holds, at once or not at all."""
    with closing(_open(new)) as source:
        _copied(source, live, progress, "restoring")


def keep(live: sqlite3.Connection, target: Path, progress: Progress = silent) -> None:
    """What nobody else can read at the moment."""
    with closing(_open(target)) as copied:
        _copied(live, copied, progress, "keeping what was there")


def _is_damage(error: sqlite3.DatabaseError) -> bool:
    return error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def _open(file: Path, wait_s: float = WAIT_S) -> sqlite3.Connection:
    return sqlite3.connect(file, timeout=wait_s, isolation_level=None)


def _copied(
    source: sqlite3.Connection, target: sqlite3.Connection, progress: Progress, what: str
) -> None:
    (size,) = source.execute("PRAGMA page_size").fetchone()

    def report(_status: int, left: int, of: int) -> None:
        progress(what, (of - left) * size, of * size)

    source.backup(target, pages=PAGES, progress=report, sleep=0.01)
