"""The same through Postgres' own programs, where they are."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from asker import ask, writers
from postgres import postgres
from sqlalchemy import text
from sqlmodel import select

from core.errors import SettingsError, StoreUnavailable
from core.settings import Settings
from core.storage.database import Database
from core.storage.tables import TurnRow
from core.turns import erasure
from groundwire.backup.archive import manifest_of
from groundwire.backup.make import back_up
from groundwire.backup.restore import restore


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    if shutil.which("pg_dump") is None or shutil.which("psql") is None:
        pytest.skip("Postgres' client is not here: pg_dump and psql are not found")
    with postgres() as server:
        yield server.url


@pytest.fixture
def chosen(server: str, tmp_path: Path) -> Iterator[Settings]:
    """An empty database of this test's."""
    name = f"t{time.time_ns()}"
    database = Database(server)
    with database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as admin:
        admin.execute(text(f"CREATE DATABASE {name}"))
    database.close()
    yield Settings(database_url=server.removesuffix("postgres") + name, data_dir=tmp_path)


@pytest.fixture
def live(chosen: Settings) -> Iterator[Database]:
    database = Database(chosen.sql_url)
    database.migrate()
    yield database
    database.close()


def questions(database: Database) -> list[str]:
    with database.reading() as session:
        rows = session.exec(select(TurnRow).where(TurnRow.question != "")).all()
    return sorted(row.question for row in rows)


def test_it_is_of_one_moment_while_others_write(chosen: Settings, live: Database) -> None:
    with writers(chosen.sql_url, 1, 100_000):
        time.sleep(0.5)
        file = back_up(chosen.sql_url, chosen.data_dir / "one.zip")
    ask(live, 999_999, "later?")
    after = questions(live)
    live.close()
    done = restore(chosen, file)
    found = questions(live)
    assert 2 <= len(found) < len(after)
    numbers = sorted(int(each.split()[-1].strip("?")) for each in found)
    for begin, end in ((1, 100_000), (100_000, 10**6)):
        of_one = [number for number in numbers if begin <= number < end]
        assert of_one == list(range(begin, begin + len(of_one)))
    assert done.manifest.kind == "postgresql"
    live.close()
    assert done.kept
    restore(chosen, done.kept, forget=False)
    assert questions(live) == after


def test_what_was_forgotten_since_is_forgotten_again(chosen: Settings, live: Database) -> None:
    ask(live, 1, "one?", "U1")
    ask(live, 2, "two?", "U2")
    file = back_up(chosen.sql_url, chosen.data_dir / "one.zip")
    erasure.forget_person(live, "T1", "U1")
    live.close()
    done = restore(chosen, file)
    assert done.settled.turns == 1
    assert questions(live) == ["two?"]


def test_tables_of_a_newer_version_go(chosen: Settings, live: Database) -> None:
    """Else the next upgrade would find them there already."""
    file = back_up(chosen.sql_url, chosen.data_dir / "one.zip")
    with live.session() as session:
        session.execute(text("CREATE TABLE invented_later (id int)"))
    live.close()
    restore(chosen, file)
    with live.reading() as session:
        left = "SELECT count(*) FROM pg_tables WHERE tablename = 'invented_later'"
        assert session.execute(text(left)).scalar_one() == 0


def test_while_somebody_is_connected_it_refuses(chosen: Settings, live: Database) -> None:
    ask(live, 1, "one?")
    file = back_up(chosen.sql_url, chosen.data_dir / "one.zip")
    with live.reading() as session:
        session.connection()
        with pytest.raises(SettingsError, match="stop all of them"):
            restore(chosen, file)
    assert questions(live) == ["one?"]


def test_a_restore_that_fails_changes_nothing(
    chosen: Settings, live: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """psql meets an error after it has dropped all tables: it has nothing done."""
    ask(live, 1, "one?")
    file = back_up(chosen.sql_url, chosen.data_dir / "one.zip")
    ask(live, 2, "two?")
    live.close()
    broken = chosen.data_dir / "path/pg_restore"
    broken.parent.mkdir()
    real = shutil.which("pg_restore")
    broken.write_text(
        f'#!/bin/bash\n{real} "$@"\nfor o in "$@"; do case $o in --file=*) '
        'echo "SELECT 1/0;" >> "${o#--file=}";; esac; done\n'
    )
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", f"{broken.parent}{os.pathsep}{os.environ['PATH']}")
    with pytest.raises(StoreUnavailable, match="division by zero"):
        restore(chosen, file)
    assert questions(live) == ["one?", "two?"]


def test_without_the_client_a_sentence_names_the_package(
    chosen: Settings, live: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(SettingsError, match=r"pg_dump is not on the PATH: .*postgresql-client"):
        back_up(chosen.sql_url, chosen.data_dir / "one.zip")


def test_a_client_that_is_too_old_is_named(
    chosen: Settings, live: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = chosen.data_dir / "path/pg_dump"
    old.parent.mkdir()
    said = "pg_dump: error: aborting because of server version mismatch\n"
    said += "pg_dump: detail: server version: 17.2; pg_dump version: 15.1\n"
    old.write_text(f"#!/bin/sh\nprintf '%s' '{said}' >&2; exit 1\n")
    old.chmod(0o755)
    monkeypatch.setenv("PATH", f"{old.parent}{os.pathsep}{os.environ['PATH']}")
    with pytest.raises(StoreUnavailable, match=r"older than the server \(server version: 17.2"):
        back_up(chosen.sql_url, chosen.data_dir / "one.zip")


def test_the_password_is_in_no_list_of_processes(
    chosen: Settings, live: Database, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    spy = tmp_path / "path/pg_dump"
    spy.parent.mkdir()
    spy.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/seen\nexec {shutil.which("pg_dump")} "$@"\n')
    spy.chmod(0o755)
    monkeypatch.setenv("PATH", f"{spy.parent}{os.pathsep}{os.environ['PATH']}")
    back_up(chosen.sql_url.replace("postgres@", "postgres:secret@"), tmp_path / "one.zip")
    assert "secret" not in (tmp_path / "seen").read_text()
    assert manifest_of(tmp_path / "one.zip").kind == "postgresql"
