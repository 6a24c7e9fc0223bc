"""A backup is of one moment, complete or not there, and for its owner's eyes alone."""

from __future__ import annotations

import json
import os
import sqlite3
import stat
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from asker import ask, writers

from core.errors import SettingsError
from core.storage.database import Database
from groundwire.backup.archive import DATABASE, MANIFEST, manifest_of, unpack
from groundwire.backup.make import back_up
from sandbox.programs.environment import child_environment

ROOT = Path(__file__).parents[3]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def url(home: Path) -> str:
    home.mkdir()
    return f"sqlite:///{home}/groundwire.db"


@pytest.fixture
def live(url: str) -> Iterator[Database]:
    database = Database(url)
    database.migrate()
    yield database
    database.close()


def numbers(database: Path) -> list[int]:
    """Of the questions in it."""
    with closing(sqlite3.connect(database)) as opened:
        rows = opened.execute("SELECT ts FROM turn ORDER BY CAST(ts AS REAL)").fetchall()
    return [int(float(ts)) for (ts,) in rows]


def fill(database: Path, megabytes: int) -> None:
    """Vectors, as of a wiki."""
    row = "INSERT INTO embedding (text_hash, embedder, vector) VALUES (?, 'x', randomblob(1000000))"
    with closing(sqlite3.connect(database)) as opened, opened:
        opened.executemany(row, [(str(number),) for number in range(megabytes)])


def unpacked(file: Path, folder: Path) -> Path:
    folder.mkdir()
    unpack(file, manifest_of(file), folder / "database")
    return folder / "database"


def test_it_is_of_one_moment_while_two_programs_write(
    live: Database, url: str, home: Path, tmp_path: Path
) -> None:
    for number in range(300):
        ask(live, number)
    fill(home / "groundwire.db", megabytes=100)
    with writers(url, 1_000, 100_000) as (first, _):
        time.sleep(0.5)
        file = back_up(url, tmp_path / "one.zip")
        assert first.poll() is None
    found = numbers(unpacked(file, tmp_path / "look"))
    now = numbers(home / "groundwire.db")
    for begin, end in ((0, 1_000), (1_000, 100_000), (100_000, 10**6)):
        of_one = [number for number in found if begin <= number < end]
        assert of_one == list(range(begin, begin + len(of_one)))  # what was saved first is there
    assert 302 <= len(found) < len(now)  # and they went on


def test_a_folder_gets_a_file_with_the_time_in_its_name(
    live: Database, url: str, home: Path
) -> None:
    file = back_up(url, home / "backups")
    assert file.parent == home / "backups"
    assert file.name.startswith("groundwire-2") and file.suffix == ".zip"


def test_it_says_what_it_is(live: Database, url: str, tmp_path: Path) -> None:
    file = back_up(url, tmp_path / "one.zip")
    with zipfile.ZipFile(file) as archive:
        assert sorted(archive.namelist()) == [DATABASE, MANIFEST]
        said = json.loads(archive.read(MANIFEST))
    assert said["kind"] == "sqlite"
    assert said["version"] == "0.1.0"
    assert said["migration"] >= "0023"


def test_only_its_owner_can_read_it(live: Database, url: str, home: Path) -> None:
    done = typed(f"backup {home}/mine.zip", home)
    assert done.returncode == 0, done.stderr
    assert stat.S_IMODE((home / "mine.zip").stat().st_mode) == 0o600


def typed(
    line: str, home: Path, *, most_bytes: int | None = None
) -> subprocess.CompletedProcess[str]:
    """By an account that cannot write larger files, as on a full disk, if a bound is given."""
    bound = f"ulimit -f {most_bytes // 1024}; " if most_bytes else ""
    command = ["bash", "-c", f'{bound}exec "$0" -m groundwire {line}', sys.executable]
    given = child_environment(PYTHONPATH=str(ROOT), ENV_FILE="none", DATA_DIR=str(home))
    home.chmod(0o700)
    return subprocess.run(
        command, cwd=home, env=given, capture_output=True, text=True, check=False, umask=0o022
    )


def test_on_a_full_disk_the_old_file_stays_and_no_half_one(live: Database, home: Path) -> None:
    for number in range(2_000):
        ask(live, number)
    (home / "mine.zip").write_text("the one of yesterday")
    before = sorted(path.name for path in home.iterdir())
    live.close()
    size = (home / "groundwire.db").stat().st_size
    done = typed(f"backup {home}/mine.zip", home, most_bytes=size // 2)
    assert done.returncode == 1
    assert "the disk" in done.stderr and done.stderr.count("\n") == 1
    assert (home / "mine.zip").read_text() == "the one of yesterday"
    left = {path.name for path in home.iterdir()}
    assert left <= set(before)


def test_a_damaged_database_gives_no_backup(live: Database, url: str, home: Path) -> None:
    for number in range(100):
        ask(live, number)
    live.close()
    file = home / "groundwire.db"
    data = bytearray(file.read_bytes())
    data[40_960:81_920] = os.urandom(40_960)
    file.write_bytes(data)
    done = typed(f"backup {home}/mine.zip", home)
    assert done.returncode == 1
    assert "damaged" in done.stderr and done.stderr.count("\n") == 1
    assert not (home / "mine.zip").exists()


def test_where_there_is_no_database_a_sentence_says_so(url: str, home: Path) -> None:
    with pytest.raises(SettingsError, match="there is no database"):
        back_up(url, home / "mine.zip")
    sqlite3.connect(home / "groundwire.db").execute("CREATE TABLE other (id)").connection.close()
    with pytest.raises(SettingsError, match="holds nothing of Groundwire"):
        back_up(url, home / "mine.zip")
    assert not (home / "mine.zip").exists()
