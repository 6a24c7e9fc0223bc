"""What a real error of SQLite or of a disk means: a sentence that names cause and cure."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError, OperationalError, SQLAlchemyError
from sqlmodel import Session, create_engine

from core.errors import LeaseLost, SettingsError, SourceRefused
from core.storage import outages
from core.storage.database import Database
from core.storage.outages import sentence


def raised(url: str, *statements: str) -> SQLAlchemyError:
    engine = create_engine(url, connect_args={"timeout": 0})
    with pytest.raises(SQLAlchemyError) as found, Session(engine) as session:
        for statement in statements:
            session.connection().execute(text(statement))
    engine.dispose()
    return found.value


def full(folder: Path) -> SQLAlchemyError:
    limit = ("PRAGMA max_page_count=2", "CREATE TABLE t(x)")
    return raised(f"sqlite:///{folder}/full.db", *limit, "INSERT INTO t VALUES (zeroblob(99999))")


def locked(folder: Path) -> SQLAlchemyError:
    file = folder / "locked.db"
    with sqlite3.connect(file, isolation_level=None) as other:
        other.execute("BEGIN EXCLUSIVE")
        found = raised(f"sqlite:///{file}", "CREATE TABLE t(x)")
    other.close()
    return found


def read_only(folder: Path) -> SQLAlchemyError:
    sqlite3.connect(folder / "read.db").close()
    return raised(f"sqlite:///file:{folder}/read.db?mode=ro&uri=true", "CREATE TABLE t(x)")


def damaged(folder: Path) -> SQLAlchemyError:
    (folder / "damaged.db").write_bytes(b"nothing of a database" * 1000)
    return raised(f"sqlite:///{folder}/damaged.db", "SELECT * FROM sqlite_master")


def nowhere(folder: Path) -> SQLAlchemyError:
    return raised(f"sqlite:///{folder}/not/there.db", "SELECT 1")


@pytest.mark.parametrize(
    ("happens", "said"),
    [
        (full, outages.FULL),
        (locked, outages.LOCKED),
        (read_only, outages.READ_ONLY),
        (damaged, outages.DAMAGED),
        (nowhere, outages.DISK),
    ],
)
def test_what_happens_to_a_file_of_sqlite_has_its_sentence(
    tmp_path: Path, happens: Callable[[Path], SQLAlchemyError], said: str
) -> None:
    assert sentence(happens(tmp_path)) == said


def test_a_server_that_is_away_is_named_by_its_setting_and_not_by_its_address() -> None:
    said = sentence(OperationalError("SELECT", None, ConnectionError("secret@host")))
    assert "DATABASE_URL" in said
    assert "secret" not in said


def test_a_full_disk_is_one_whoever_says_so() -> None:
    assert sentence(OSError(errno.ENOSPC, "No space left on device")) == outages.FULL
    assert "/x" in sentence(OSError(errno.EACCES, "Permission denied", "/x"))


def test_our_own_errors_say_it_themselves_and_a_defect_says_nothing() -> None:
    assert sentence(SourceRefused("check CONFLUENCE_TOKEN")) == "check CONFLUENCE_TOKEN"
    assert "another indexer" in sentence(LeaseLost("indexer:DOC"))
    assert sentence(IntegrityError("INSERT", None, sqlite3.IntegrityError("not unique"))) == ""
    assert sentence(KeyError("x")) == ""


def test_a_database_of_a_newer_version_is_a_wrong_setting(database: Database) -> None:
    with database.session() as session:
        session.connection().execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(SettingsError, match="newer version of Groundwire"):
        database.migrate()
