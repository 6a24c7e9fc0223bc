"""SQL for all programs: one engine, its sessions, its migrations."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from functools import cache
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import Engine, event, text
from sqlalchemy.engine import make_url
from sqlalchemy.engine.interfaces import IsolationLevel
from sqlalchemy.exc import OperationalError
from sqlmodel import Session, create_engine
from tenacity import retry, retry_if_exception, stop_after_delay, wait_random

from core.errors import SettingsError
from core.storage import clock
from core.storage.clock import measure

MIGRATIONS = Path(__file__).parents[2] / "migrations"
BUSY_MS = 30_000  # a writer waits this long for its turn
ANALYZED_ROWS = 1000  # of each index that SQLite looks at: 0.06 s for 100,000 pieces without limit


class Database:
    """One engine, its sessions and its migrations."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.engine = _engine(url)
        self._read_only = self.engine.execution_options(read_only=True)
        # SQLite takes one writer at a time and lets the others sleep for up to 0.1 s between two
        # looks; a lock among our own threads is faster.
        self._one_writer: AbstractContextManager[Any] = (
            threading.Lock() if url.startswith("sqlite") else nullcontext()
        )

    @contextmanager
    def session(self) -> Iterator[Session]:
        """A transaction: committed at the end, rolled back on an error."""
        with (
            self._one_writer,
            Session(self.engine, expire_on_commit=False) as session,
            session.begin(),
        ):
            _keep_time(session)
            yield session

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A session that only reads: on SQLite it waits for no writer, nor a writer for it."""
        with Session(self._read_only, expire_on_commit=False) as session:
            _keep_time(session)
            yield session

    @contextmanager
    def at_one_moment(self) -> Iterator[Session]:
        """As `reading`, and whatever others commit meanwhile, all statements see the same."""
        with Session(self.reading_engine("REPEATABLE READ"), expire_on_commit=False) as session:
            yield session

    def reading_engine(self, isolation: IsolationLevel) -> Engine:
        """The engine for what only reads, isolated in this way on Postgres; SQLite has its own."""
        if self.engine.dialect.name != "postgresql":
            return self._read_only
        return self._read_only.execution_options(isolation_level=isolation)

    @contextmanager
    def one_at_a_time(self, what: str) -> Iterator[Session]:
        """A transaction that serializes with others of its name; on SQLite any writer does."""
        with self.session() as session:
            take_turns(session, what)
            yield session

    def migrate(self) -> None:
        """Bring the tables to the newest migration; safe when several processes start at once.

        Raises:
            SettingsError: they are newer than that already.
        """
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS))
        with self.engine.begin() as connection:
            _one_at_a_time(connection, self.engine.dialect.name)
            config.attributes["connection"] = connection
            _upgrade(config)

    def leave_no_trace(self, *, wait_s: float = 0.5) -> bool:
        """Empty SQLite's write-ahead log, which still holds deleted text; False when one reads it.

        In the database file itself deleted text is overwritten at once (secure_delete). Other
        databases do it in their own time.
        """
        if self.engine.dialect.name != "sqlite":
            return True
        with closing(self.engine.raw_connection()) as connection:
            cursor = connection.cursor()
            cursor.execute(f"PRAGMA busy_timeout={int(wait_s * 1000)}")
            busy = cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
            cursor.execute(f"PRAGMA busy_timeout={BUSY_MS}")
        return not busy

    def refresh_statistics(self) -> None:
        """Tell the planner how many rows there are: without that it chooses indexes by guesses.

        Postgres' autovacuum does so too, minutes after a first sync.
        """
        with self.session() as session:
            connection = session.connection()
            if self.engine.dialect.name == "sqlite":
                connection.exec_driver_sql(f"PRAGMA analysis_limit={ANALYZED_ROWS}")
            connection.exec_driver_sql("ANALYZE")

    def close(self) -> None:
        self.engine.dispose()


def take_turns(session: Session, what: str) -> None:
    """Have this transaction wait for others of the same name; on SQLite any writer does."""
    if session.get_bind().dialect.name == "postgresql":
        lock = text("SELECT pg_advisory_xact_lock(7262, hashtext(:what))")
        session.execute(lock, {"what": what})


def _keep_time(session: Session) -> None:
    """Whoever asks the database anyway measures its clock now and then."""
    if clock.shared.is_due():
        measure(session)


@cache
def open_database(url: str) -> Database:
    """The migrated database at this address, one per process."""
    path = make_url(url).database
    if url.startswith("sqlite") and path:
        Path(path).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    database = Database(url)
    database.migrate()
    with database.reading():
        pass  # from now on it is known what time it is
    return database


def _engine(url: str) -> Engine:
    # Parameters are what people have written: an error names them in no log.
    if not url.startswith("sqlite"):
        return create_engine(url, pool_pre_ping=True, hide_parameters=True)
    engine = create_engine(url, connect_args={"timeout": 30}, hide_parameters=True)
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin)
    return engine


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    connection.isolation_level = None  # we say BEGIN ourselves, see below
    _write_ahead(connection)
    for pragma in (
        "synchronous=NORMAL",
        "foreign_keys=ON",
        "secure_delete=ON",
        f"busy_timeout={BUSY_MS}",
    ):
        connection.execute(f"PRAGMA {pragma}")


def _busy(error: BaseException) -> bool:
    return (
        isinstance(error, sqlite3.OperationalError)
        and error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
    )


# Of two that change a new file's journal at once SQLite refuses one without letting it wait: each
# holds what the other needs. 55 of 1,200 openings in fours. Once changed, the file stays so.
@retry(
    retry=retry_if_exception(_busy),
    stop=stop_after_delay(BUSY_MS / 1000),
    wait=wait_random(0.01, 0.1),
    reraise=True,
)
def _write_ahead(connection: Any) -> None:
    connection.execute("PRAGMA journal_mode=WAL")


def _begin(connection: Any) -> None:
    # A transaction that reads first and writes later fails at once, without waiting, when somebody
    # wrote in between (SQLITE_BUSY_SNAPSHOT). With the write lock taken at the start it waits.
    if connection.get_execution_options().get("read_only", False):
        connection.exec_driver_sql("BEGIN")
        return
    raw = connection.connection.dbapi_connection
    raw.execute("PRAGMA busy_timeout=0")
    try:
        _take_write_lock(raw)
    except sqlite3.OperationalError as error:
        raise OperationalError("BEGIN IMMEDIATE", None, error) from error
    finally:
        raw.execute(f"PRAGMA busy_timeout={BUSY_MS}")


# SQLite's own wait sleeps longer and longer, up to 0.1 s between two looks at a lock that is held
# for a few ms: under load the database stood idle while everybody slept.
@retry(
    retry=retry_if_exception(_busy),
    stop=stop_after_delay(BUSY_MS / 1000),
    wait=wait_random(0.0005, 0.002),
    reraise=True,
)
def _take_write_lock(raw: sqlite3.Connection) -> None:
    raw.execute("BEGIN IMMEDIATE")


def _upgrade(config: Config) -> None:
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        raise SettingsError(
            "the database was made by a newer version of Groundwire: install that one, "
            f"or name another database (DATABASE_URL, DATA_DIR; {error})"
        ) from error


def _one_at_a_time(connection: Any, dialect: str) -> None:
    if dialect == "postgresql":
        # Any number, as long as it is always the same.
        connection.execute(text("SELECT pg_advisory_xact_lock(7262)"))
