"""Postgres: dumps and restores through its own programs, which come with its client."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection, text
from sqlalchemy.engine import URL, make_url
from tenacity import retry, retry_if_exception_type, stop_after_delay, wait_fixed

from core.errors import SettingsError, StoreUnavailable
from core.storage.database import Database
from groundwire.backup.sqlite import IN_USE

OTHERS = text(
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
    "AND backend_type = 'client backend' AND pid <> pg_backend_pid()"
)
# What Database.migrate locks: whoever starts meanwhile waits.
STARTS = text("SELECT pg_advisory_lock(7262)")
SIZE = "SELECT pg_database_size(current_database())"
TABLES = text("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")
ENUMS = text(
    "SELECT typname FROM pg_type JOIN pg_namespace n ON n.oid = typnamespace "
    "WHERE typtype = 'e' AND n.nspname = current_schema()"
)


def dump(url: str, target: Path) -> None:
    """All tables at one moment, while others write.

    Raises:
        StoreUnavailable: it did not work; the reason is that of pg_dump.
        SettingsError: pg_dump is not here.
    """
    options = ["--format=custom", "--compress=0", "--no-owner", "--no-privileges"]
    _run("pg_dump", [*options, f"--file={target}"], url)


@contextmanager
def nobody_else(url: str) -> Iterator[Connection]:
    """A connection while no other is there, and who starts meanwhile waits.

    Raises:
        SettingsError: others are there.
    """
    database = Database(url)
    try:
        with database.engine.connect() as connection:
            _alone(connection)
            connection.execute(STARTS)
            connection.rollback()
            yield connection
    finally:
        database.close()


def overwrite(url: str, dumped: Path, connection: Connection) -> None:
    """Put the tables of the dump in the place of those that are there, at once or not at all."""
    script = dumped.with_name("restore.sql")
    # All of it before anything is run: half a script would be committed too.
    options = ["--no-owner", "--no-privileges", f"--file={script}"]
    _run("pg_restore", [*options, str(dumped)])
    dropping = dumped.with_name("drop.sql")
    dropping.write_text("\n".join(_drops(connection)), encoding="utf-8")
    connection.rollback()
    once = ["--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1"]
    _run("psql", [*once, f"--file={dropping}", f"--file={script}"], url)


def scalar(url: str, query: str) -> str:
    """What the database answers to a question with one answer."""
    database = Database(url)
    try:
        with database.engine.connect() as connection:
            return str(connection.execute(text(query)).scalar_one())
    finally:
        database.close()


# Who has just gone is in the list for a moment longer.
@retry(
    retry=retry_if_exception_type(SettingsError),
    stop=stop_after_delay(2),
    wait=wait_fixed(0.1),
    reraise=True,
)
def _alone(connection: Connection) -> None:
    others = connection.execute(OTHERS).scalar_one()
    connection.rollback()  # or the list is always the same
    if others:
        raise SettingsError(IN_USE)


def _drops(connection: Connection) -> Iterator[str]:
    """The database is ours alone, and a newer version's tables go too."""
    quoted = connection.dialect.identifier_preparer.quote_identifier
    for name in connection.execute(TABLES).scalars():
        yield f"DROP TABLE {quoted(name)} CASCADE;"
    for name in connection.execute(ENUMS).scalars():
        yield f"DROP TYPE {quoted(name)} CASCADE;"


def _run(program: str, options: Sequence[str], url: str = "") -> None:
    found = shutil.which(program)
    if found is None:
        cure = "install Postgres' client (Debian: apt install postgresql-client)"
        raise SettingsError(f"{program} is not on the PATH: {cure}")
    where = make_url(url) if url else None
    address = [f"--dbname={_without_password(where)}"] if where else []
    done = subprocess.run(  # noqa: S603  (found on the PATH; no shell)
        [found, *address, *options],
        env=_environment(where),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise StoreUnavailable(f"{program}: {_reason(done.stderr)}")


def _without_password(url: URL) -> str:
    """An address as libpq takes it; the password is not for the list of processes."""
    bare = URL.create("postgresql", url.username, None, url.host, url.port, url.database, url.query)
    return bare.render_as_string(hide_password=False)


def _environment(url: URL | None) -> dict[str, str]:
    inherited = dict(os.environ)  # noqa: TID251  (handed on, not read)
    password = str(url.password) if url and url.password else ""
    return {**inherited, "LC_MESSAGES": "C", **({"PGPASSWORD": password} if password else {})}


def _reason(stderr: str) -> str:
    """The line that says most, with a cure for the one that everybody meets."""
    lines = [line for line in stderr.splitlines() if line.strip()]
    if "server version mismatch" in stderr:
        versions = next((line for line in lines if "server version:" in line), "")
        cure = "install a client that is not older than the server"
        return f"it is older than the server ({versions.partition('detail: ')[2].strip()}): {cure}"
    return next((line for line in lines if "error" in line.lower()), (lines or ["no reason"])[0])
