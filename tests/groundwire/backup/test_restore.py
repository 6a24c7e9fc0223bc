"""A restore replaces all or nothing, keeps what was there, and forgets what was forgotten since."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from asker import ask
from sqlmodel import select, update

from core.access import confirmations
from core.access.confirmations import Confirmation
from core.errors import SettingsError
from core.jobs import gaps
from core.pages import PageKey
from core.policy import audit
from core.policy.audit import Act
from core.settings import Settings
from core.states import NoAnswer, TurnState
from core.storage import keys
from core.storage.access_tables import AuditRow, ConfirmationRow, LinkedAccountRow, TokenRow
from core.storage.database import Database
from core.storage.hearing_tables import HeardRow
from core.storage.index_epoch import locked_state
from core.storage.index_tables import IndexRow
from core.storage.tables import TurnRow
from core.turns import erasure, turn_store
from core.turns.turn import Address, NewQuestion
from groundwire.backup import archive
from groundwire.backup.archive import Manifest, manifest_of
from groundwire.backup.make import back_up
from groundwire.backup.restore import Restored, restore

PAGE = PageKey("confluence", "1")


class Home:
    """A data folder, and its database whenever it is asked for: nobody holds it in between."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(mode=0o700)
        self.chosen = Settings(data_dir=folder)
        self.folder, self.url = folder, self.chosen.sql_url
        self.file = folder / "groundwire.db"
        self._open: list[Database] = []
        self.database().migrate()
        keys.key(self.database(), "words")

    def database(self) -> Database:
        self._open.append(Database(self.url))
        return self._open[-1]

    def close(self) -> None:
        while self._open:
            self._open.pop().close()

    def back_up(self) -> Path:
        return back_up(self.url, self.folder.parent / "one.zip")

    def restore(self, file: Path, *, forget: bool = True) -> Restored:
        self.close()
        return restore(self.chosen, file, forget=forget)

    def questions(self) -> set[str]:
        """Of those that have their words."""
        with self.database().reading() as session:
            rows = session.exec(select(TurnRow).where(TurnRow.question != "")).all()
        return {row.question for row in rows}


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    home = Home(tmp_path / "home")
    yield home
    home.close()


def test_it_is_again_what_it_was(home: Home) -> None:
    ask(home.database(), 1, "Who is on call?")
    file = home.back_up()
    ask(home.database(), 2, "And tomorrow?")
    done = home.restore(file)
    assert home.questions() == {"Who is on call?"}
    assert done.kept is not None
    home.restore(done.kept, forget=False)
    assert home.questions() == {"Who is on call?", "And tomorrow?"}


def test_into_an_empty_folder(home: Home, tmp_path: Path) -> None:
    ask(home.database(), 1, "Who is on call?")
    file = home.back_up()
    elsewhere = Settings(data_dir=tmp_path / "other")
    done = restore(elsewhere, file)
    assert (done.kept, done.settled.turns) == (None, None)
    with Database(elsewhere.sql_url).reading() as session:
        assert session.exec(select(TurnRow.question)).all() == ["Who is on call?"]


def test_while_a_program_works_it_refuses_and_changes_nothing(home: Home) -> None:
    ask(home.database(), 1, "Who is on call?")
    file = home.back_up()
    ask(home.database(), 2, "And tomorrow?")
    home.close()
    hold = "import sys, time; from core.storage.database import Database\n"
    hold += "d = Database(sys.argv[1])\nwith d.reading() as s: s.connection()\n"
    hold += "print('there', flush=True); time.sleep(60)"
    with subprocess.Popen(
        [sys.executable, "-c", hold, home.url], stdout=subprocess.PIPE, text=True
    ) as idle:
        assert idle.stdout and idle.stdout.readline()
        with pytest.raises(SettingsError, match="stop all of them"):
            restore(home.chosen, file)
        idle.kill()
    assert home.questions() == {"Who is on call?", "And tomorrow?"}
    assert list(home.folder.glob(".groundwire-*")) == []


def damaged(file: Path) -> None:
    """A few bits of the database in it have turned, and the zip does not notice."""
    with zipfile.ZipFile(file) as packed:
        manifest, data = packed.read(archive.MANIFEST), bytearray(packed.read(archive.DATABASE))
    data[5000] ^= 1
    with zipfile.ZipFile(file, "w") as packed:
        packed.writestr(archive.DATABASE, bytes(data))
        packed.writestr(archive.MANIFEST, manifest)


def cut_short(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-500])


def turned_inside(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[3000] ^= 0xFF
    file.write_bytes(data)


def no_zip(file: Path) -> None:
    file.write_text("SQLite format 3, or so")


def another_zip(file: Path) -> None:
    with zipfile.ZipFile(file, "w") as packed:
        packed.writestr("word/document.xml", "<xml/>")


@pytest.mark.parametrize("harm", [damaged, cut_short, turned_inside, no_zip, another_zip])
def test_a_damaged_or_wrong_file_changes_nothing(home: Home, harm: object) -> None:
    ask(home.database(), 1, "Who is on call?")
    file = home.back_up()
    ask(home.database(), 2, "And tomorrow?")
    assert callable(harm)
    harm(file)
    with pytest.raises(SettingsError, match=r"damaged"):
        home.restore(file)
    assert home.questions() == {"Who is on call?", "And tomorrow?"}
    assert sorted(path.name for path in home.folder.iterdir() if "wal" not in path.name) == sorted(
        path.name
        for path in home.folder.iterdir()
        if "groundwire.db" in path.name and "wal" not in path.name
    )


def changed(file: Path, **fields: object) -> None:
    """A manifest that says something else."""
    said = manifest_of(file).model_copy(update=fields)
    with zipfile.ZipFile(file) as packed:
        data = packed.read(archive.DATABASE)
    with zipfile.ZipFile(file, "w") as packed:
        packed.writestr(archive.DATABASE, data)
        packed.writestr(archive.MANIFEST, said.model_dump_json())


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"migration": "9999", "version": "7.0"}, "version 7.0, which is newer"),
        ({"format": 2, "version": "7.0"}, "newer Groundwire"),
        ({"kind": "postgresql"}, "is of postgresql, and DATABASE_URL names sqlite"),
    ],
)
def test_what_does_not_fit_is_said(home: Home, fields: dict[str, object], sentence: str) -> None:
    file = home.back_up()
    changed(file, **fields)
    with pytest.raises(SettingsError, match=sentence):
        home.restore(file)


def test_a_file_that_is_not_there_is_named(home: Home) -> None:
    with pytest.raises(SettingsError, match=r"there is no file .*none\.zip"):
        home.restore(home.folder / "none.zip")


def test_a_backup_of_an_older_version_is_brought_to_this_one(home: Home, tmp_path: Path) -> None:
    old = tmp_path / "old.db"
    made = "import sys; from alembic import command; from alembic.config import Config\n"
    made += "from core.storage.database import MIGRATIONS, Database\n"
    made += "c = Config(); c.set_main_option('script_location', str(MIGRATIONS))\n"
    made += "with Database(sys.argv[1]).engine.begin() as n:\n"
    made += "    c.attributes['connection'] = n; command.upgrade(c, '0020')"
    subprocess.run([sys.executable, "-c", made, f"sqlite:///{old}"], check=True)
    file = back_up(f"sqlite:///{old}", tmp_path / "old.zip")
    assert manifest_of(file).migration == "0020"
    home.restore(file)
    ask(home.database(), 1, "Who is on call?")  # in the tables of this version


def test_a_damaged_database_is_set_aside_and_replaced(home: Home) -> None:
    ask(home.database(), 1, "Who is on call?")
    file = home.back_up()
    home.close()
    for harm in (b"no database at all" * 500, home.file.read_bytes()[:20_000] + os.urandom(60_000)):
        home.file.write_bytes(harm)
        done = home.restore(file)
        assert done.kept is not None
        assert done.kept.read_bytes() == harm
        assert home.questions() == {"Who is on call?"}
        home.close()


def test_what_was_forgotten_since_is_forgotten_again(home: Home) -> None:
    for number, (text, user) in enumerate([("one?", "U1"), ("two?", "U2"), ("three?", "U1")]):
        ask(home.database(), number, text, user)
    add_link(home.database(), "U2")
    file = home.back_up()
    erasure.forget_person(home.database(), "T1", "U2")
    audit.by_operator(home.database(), Act.PERSON_FORGOTTEN, team="T1", subject="U2")
    first = turn_of(home.database(), "one?")
    erasure.forget_turn(home.database(), first.id, "U1")
    with home.database().session() as session:  # two days later
        erasure.drop(session, [first.id])
    done = home.restore(file)
    assert home.questions() == {"three?"}
    assert (done.settled.turns, done.settled.rows) == (2, 2)
    with home.database().reading() as session:
        assert session.exec(select(TokenRow)).all() == []
        assert [row.subject for row in session.exec(select(AuditRow)).all()] == ["U2"]
    assert b"two?" not in home.file.read_bytes()


def test_what_was_forgotten_comes_back_where_that_is_wanted(home: Home) -> None:
    ask(home.database(), 1, "one?")
    file = home.back_up()
    erasure.forget_person(home.database(), "T1", "U1")
    home.restore(file, forget=False)
    assert home.questions() == {"one?"}


def test_over_the_database_of_another_installation_nothing_is_forgotten(
    home: Home, tmp_path: Path
) -> None:
    ask(home.database(), 1, "one?")
    file = home.back_up()
    new = Home(tmp_path / "new")
    done = new.restore(file)
    assert new.questions() == {"one?"}
    assert done.settled.turns is None
    new.close()


def test_tokens_that_were_exchanged_since_stay(home: Home) -> None:
    add_link(home.database(), "U1")
    file = home.back_up()
    with home.database().session() as session:
        session.exec(update(TokenRow).values(sealed=b"newer"))
    home.restore(file)
    with home.database().reading() as session:
        assert session.exec(select(TokenRow.sealed)).all() == [b"newer"]


def test_nothing_is_shown_before_its_source_was_asked_again(home: Home) -> None:
    said = Confirmation(allowed=True, at=time.time(), until=time.time() + 1000)
    confirmations.record(home.database(), "", {PAGE: said})
    home.restore(home.back_up())
    with home.database().reading() as session:
        assert session.exec(select(ConfirmationRow)).all() == []


def test_the_index_is_another_one(home: Home) -> None:
    with home.database().session() as session:
        locked_state(session).revision = 7
    file = home.back_up()
    with home.database().reading() as session:
        before = session.get_one(IndexRow, 1).identity
    home.restore(file)
    with home.database().reading() as session:
        assert session.get_one(IndexRow, 1).identity != before


def test_what_was_open_long_ago_gets_no_second_answer(home: Home) -> None:
    asked = [
        turn_store.ask(
            home.database(), NewQuestion(Address("T1", "C1", f"{n}.0", f"{n}.0"), "U1", f"{n}?")
        )
        for n in range(2)
    ]
    assert asked[0] and asked[1]
    with home.database().session() as session:
        session.get_one(TurnRow, asked[0].id).asked_at -= 2 * 3600
    home.restore(home.back_up())
    with home.database().reading() as session:
        old, new = (session.get_one(TurnRow, turn.id) for turn in asked if turn)
    assert (old.state, old.reason, old.delivered_at is None) == (
        TurnState.FAILED,
        NoAnswer.LATE,
        False,
    )
    assert (new.state, new.delivered_at) == (TurnState.WAITING, None)


def test_what_was_heard_since_the_backup_is_not_heard_again(home: Home) -> None:
    gaps.beat(home.database(), "T1", most_s=1e6)
    with home.database().session() as session:
        session.get_one(HeardRow, "T1").until = 1_000.0
    file = home.back_up()
    with home.database().session() as session:
        session.get_one(HeardRow, "T1").until = 5_000.0
    home.restore(file)
    with home.database().reading() as session:
        assert session.get_one(HeardRow, "T1").until == 5_000.0


def test_what_it_tells_at_the_end(home: Home) -> None:
    ask(home.database(), 1, "one?")
    file = home.back_up()
    erasure.forget_person(home.database(), "T1", "U1")
    home.close()
    made: Manifest = manifest_of(file)
    done = subprocess.run(
        [sys.executable, "-m", "groundwire", "restore", str(file)],
        env={**os.environ, "DATA_DIR": str(home.folder)},
        capture_output=True,
        text=True,
        check=True,
    )
    lines = done.stdout.splitlines()
    assert f"{made.made_at.astimezone(UTC):%Y-%m-%d %H:%M} UTC, version 0.1.0" in lines[0]
    assert lines[1].startswith(f"kept what was there: {home.folder}/before-restore-groundwire-")
    assert lines[2].startswith("forgotten again: 1 answers")
    assert lines[3].startswith("now: groundwire sync")
    assert datetime.now(UTC) > made.made_at


def add_link(database: Database, user: str) -> None:
    with database.session() as session:
        link = LinkedAccountRow(team="T1", user=user, account="user:1", name="A", site="s")
        session.add_all([link, TokenRow(owner=f"confluence:T1:{user}", sealed=b"older")])


def turn_of(database: Database, question: str) -> TurnRow:
    with database.reading() as session:
        return session.exec(select(TurnRow).where(TurnRow.question == question)).one()
