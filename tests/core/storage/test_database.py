"""The database: its migrations, and transactions that wait for one another instead of failing."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError
from sqlmodel import SQLModel, select

from core.storage.database import Database
from core.storage.index_tables import IndexRow
from core.storage.tables import PostRow, ThreadRow

OPEN = "import sys; from core.storage.database import open_database; open_database(sys.argv[1])"


def thread() -> ThreadRow:
    return ThreadRow(team="T1", channel="C1", thread_ts="1.0")


def threads(database: Database) -> int:
    with database.reading() as session:
        return len(session.exec(select(ThreadRow)).all())


def differences(database: Database) -> list[object]:
    """What alembic would put into the next migration."""
    with database.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        return list(compare_metadata(context, SQLModel.metadata))


def test_the_migrations_make_the_tables_of_the_code(database: Database) -> None:
    assert differences(database) == []


def test_a_second_migration_leaves_everything_as_it_is(database: Database) -> None:
    with database.session() as session:
        session.add(thread())
    database.migrate()
    assert threads(database) == 1


def test_programs_that_start_at_once_migrate_once(empty_url: str) -> None:
    started = [
        subprocess.Popen([sys.executable, "-c", OPEN, empty_url], stderr=subprocess.PIPE)
        for _ in range(3)
    ]
    errors = [program.communicate(timeout=300)[1].decode() for program in started]
    assert [
        (program.returncode, error) for program, error in zip(started, errors, strict=True)
    ] == [(0, "")] * 3
    database = Database(empty_url)
    assert differences(database) == []
    database.close()


def test_programs_that_open_a_new_file_at_once_wait_for_each_other(tmp_path: Path) -> None:
    def opened(path: Path, start: Barrier) -> None:
        database = Database(f"sqlite:///{path}")
        start.wait()
        with database.session() as session:
            session.execute(text("SELECT 1"))
        database.close()

    with ThreadPoolExecutor(4) as pool:
        for number in range(50):
            start = Barrier(4)
            path = tmp_path / f"{number}.db"
            list(pool.map(opened, [path] * 4, [start] * 4))


def test_a_transaction_that_fails_leaves_nothing(database: Database) -> None:
    with pytest.raises(ZeroDivisionError), database.session() as session:
        session.add(thread())
        session.flush()
        _ = 1 / 0
    assert threads(database) == 0


def test_a_reader_does_not_wait_for_a_writer(database: Database) -> None:
    with database.session() as session:
        session.add(thread())
        session.flush()
        assert threads(database) == 0  # would wait for the lock, and fail, if it wanted to write
    assert threads(database) == 1


def test_transactions_that_lock_what_they_read_and_write_later_lose_nothing(
    database: Database,
) -> None:
    with database.session() as session:
        session.add(IndexRow())

    def count(_: int) -> None:
        with database.session() as session:
            session.get_one(IndexRow, 1, with_for_update=True).revision += 1

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(count, range(80)))
    with database.reading() as session:
        assert session.get_one(IndexRow, 1).revision == 80


def test_what_belongs_to_nothing_is_refused(database: Database) -> None:
    with pytest.raises(IntegrityError), database.session() as session:
        session.add(PostRow(turn_id="no such turn", kind="answer", channel="C1"))
