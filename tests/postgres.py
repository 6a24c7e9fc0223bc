"""A Postgres of our own for the tests that ask one, where its programs and its driver are there."""

from __future__ import annotations

import importlib.util
import os
import pwd
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from tempfile import mkdtemp
from uuid import uuid4

import psutil
import pytest
from sqlalchemy import create_engine, make_url

from core.storage.database import Database
from sandbox.programs.environment import child_environment
from sandbox.programs.processes import Program, Programs, free_port

_DEBIAN = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
# Where scripts/postgres puts one that has pgvector, on a machine whose own has not.
_OURS = sorted((Path(__file__).parents[1] / "build/postgres").glob("*/bin"))
_ACCOUNT = "postgres"  # the server refuses to run as root
# Nothing here has to outlive the test, and several servers share a machine.
_OPTIONS = ("-F", "-c", "shared_buffers=32MB", "-c", "full_page_writes=off")
_MIGRATED = "migrated"


class PostgresServer:
    """A server that can be stopped and started, and databases in it: one for each test."""

    def __init__(self, start: Callable[[], Program], url: str) -> None:
        self.url = url  # of its first database, which is empty
        self._start = start
        self._program = start()
        self._admin = create_engine(url, isolation_level="AUTOCOMMIT", pool_pre_ping=True)

    def create(self, *, migrated: bool = True) -> str:
        """The address of a new database."""
        name = f"test_{uuid4().hex}"
        self._say(f"CREATE DATABASE {name}{self._like_migrated() if migrated else ''}")
        return self._address(name)

    def drop(self, url: str) -> None:
        self._say(f"DROP DATABASE IF EXISTS {make_url(url).database} WITH (FORCE)")

    def crash(self) -> None:
        """End it at once, with everybody's connections."""
        leader = psutil.Process(self._program.process.pid)
        everybody = [*leader.children(recursive=True), leader]
        for each in everybody:  # its children are in groups of their own
            with suppress(psutil.NoSuchProcess):
                each.kill()
        psutil.wait_procs(everybody[:-1])
        self._program.process.wait()

    def start_again(self) -> None:
        self._program = self._start()

    def close(self) -> None:
        self._admin.dispose()

    def _like_migrated(self) -> str:
        """A copy of files takes 0.04 s; through the log, as Postgres does by itself, 0.25 s."""
        with self._admin.connect() as connection:
            query = f"SELECT 1 FROM pg_database WHERE datname = '{_MIGRATED}'"
            is_there = connection.exec_driver_sql(query).first() is not None
            version = connection.exec_driver_sql("SHOW server_version_num").scalar_one()
        if not is_there:
            self._say(f"CREATE DATABASE {_MIGRATED}")
            with closing(Database(self._address(_MIGRATED))) as database:
                database.migrate()
        return f" TEMPLATE {_MIGRATED}" + (" STRATEGY file_copy" if int(version) >= 150_000 else "")

    def _address(self, name: str) -> str:
        return make_url(self.url).set(database=name).render_as_string(hide_password=False)

    def _say(self, statement: str) -> None:
        with self._admin.connect() as connection:
            connection.exec_driver_sql(statement)


@contextmanager
def postgres(*, extension: str = "") -> Iterator[PostgresServer]:
    """A server, with an extension where one is named.

    Skips the test, and says why, where there can be none. CI must have one.
    """
    programs_of = _with(extension) if extension else _programs
    initdb, server = programs_of("initdb"), programs_of("postgres")
    if importlib.util.find_spec("psycopg") is None:
        _lacking("the driver of Postgres is not installed: scripts/install postgres")
    somebody = _somebody()
    folder = Path(mkdtemp(prefix="postgres-"))
    if somebody:
        shutil.chown(folder, _ACCOUNT)
    data, port = folder / "data", str(free_port())
    options = ["-D", str(data), "-U", "postgres", "--auth=trust", "--no-sync"]
    subprocess.run([*somebody, initdb, *options], check=True, capture_output=True, cwd=folder)
    listen = ["-h", "127.0.0.1", "-p", port, "-k", str(folder), *_OPTIONS]
    command = [*somebody, server, "-D", str(data), *listen]
    url = f"postgresql+psycopg://postgres@127.0.0.1:{port}/postgres"
    try:
        with (
            Programs(Path(mkdtemp(prefix="postgres-log-"))) as programs,
            closing(PostgresServer(partial(_started, programs, command), url)) as running,
        ):
            yield running
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _started(programs: Programs, command: list[str]) -> Program:
    started = programs.start(
        "postgres", command, child_environment(), ready="ready to accept connections"
    )
    started.wait_until_ready()
    return started


def _with(extension: str) -> Callable[[str], str]:
    """The programs of a Postgres that has an extension."""
    for config in _found("pg_config"):
        shared = subprocess.run([config, "--sharedir"], check=True, capture_output=True, text=True)
        if (Path(shared.stdout.strip()) / "extension" / f"{extension}.control").exists():
            return lambda name: str(Path(config).resolve().parent / name)
    _lacking(f"no Postgres on this machine has the extension {extension}: run scripts/postgres")
    return str


def _found(name: str) -> Iterator[str]:
    """A program in each place where there may be one."""
    for folder in (None, *_DEBIAN, *_OURS):
        path = shutil.which(name, path=folder and str(folder))
        if path and (Path(path).resolve().parent / "postgres").exists():
            yield path


def _programs(name: str) -> str:
    path = os.pathsep.join([os.environ.get("PATH", ""), *map(str, _DEBIAN)])
    found = shutil.which(name, path=path)
    if found is None:
        _lacking(
            f"there is no Postgres on this machine: {name} is not found; "
            "Debian's package is called postgresql"
        )
    return found or ""


def _somebody() -> Sequence[str]:
    """How a command is run by an account that Postgres accepts; empty for our own."""
    if os.geteuid() != 0:
        return ()
    if shutil.which("runuser") is None:
        _lacking("Postgres refuses to run as root, and runuser, which changes that, is not found")
    try:
        pwd.getpwnam(_ACCOUNT)
    except KeyError:
        _lacking(
            f"Postgres refuses to run as root, and there is no account {_ACCOUNT}: "
            f"useradd --system {_ACCOUNT}"
        )
    return ("runuser", "-u", _ACCOUNT, "--")


def _lacking(reason: str) -> None:
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)
