"""The index after a restore: running searches find what was restored, and nothing that is gone."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert
from sqlmodel import SQLModel
from wiki import page, piece, put, searching

from core.evidence import EvidenceSearch, EvidenceStore, Query
from core.evidence.dense.rebuild import needs_rebuild, rebuild
from core.evidence.lexical.catching_up import catch_up
from core.evidence.lexical.index import LexicalIndex
from core.storage.database import Database
from core.storage.index_epoch import KEPT, new_epoch, next_revision
from core.storage.index_tables import IndexRow, RevisionRow

INDEX = ("index_state", "index_revision", "acl", "page", "evidence")
TABLES = [SQLModel.metadata.tables[name] for name in INDEX]

Backup = dict[str, list[dict[str, Any]]]


def write(store: EvidenceStore, page_id: str, text: str) -> None:
    put(store, page(page_id, f"Page {page_id}"), piece(text, page_id))


def hide(store: EvidenceStore, page_id: str) -> None:
    store.hide(page(page_id, f"Page {page_id}"))


def back_up(database: Database) -> Backup:
    with database.reading() as session:
        connection = session.connection()
        return {
            table.name: [dict(row._mapping) for row in connection.execute(table.select())]
            for table in TABLES
        }


def put_back(database: Database, backup: Backup) -> None:
    """As a restore by other means than ours: nobody is told."""
    with database.session() as session:
        connection = session.connection()
        for table in reversed(TABLES):
            connection.execute(table.delete())
        for table in TABLES:
            if rows := backup[table.name]:
                connection.execute(insert(table), rows)


def found(search: EvidenceSearch, question: str) -> list[str]:
    return [hit.evidence.text for hit in search.search(Query(question), 5).hits]


def finds(search: EvidenceSearch, text: str) -> bool:
    return text in found(search, text)


@pytest.fixture
def search(store: EvidenceStore) -> EvidenceSearch:
    """A program that runs all the time."""
    return searching(store)


OLD, EDITED, NEW, GONE = (
    "The quokka eats leaves at night",
    "The quokka eats nothing on Fridays",
    "Porcelain insulators arrive on pallets",
    "Lanterns hang above the northern quay",
)


@pytest.fixture
def backup(store: EvidenceStore, search: EvidenceSearch) -> Backup:
    """A backup; since then a page was edited, one was written, and one was deleted."""
    write(store, "1", OLD)
    write(store, "2", GONE)
    before = back_up(store.database)
    write(store, "1", EDITED)
    write(store, "3", NEW)
    hide(store, "2")
    assert finds(search, EDITED)
    assert finds(search, NEW)
    assert not finds(search, GONE)
    return before


def of_the_backup(search: EvidenceSearch) -> None:
    assert finds(search, OLD)
    assert finds(search, GONE)
    assert not finds(search, EDITED)
    assert not finds(search, NEW)


def test_a_restored_text_is_found_without_a_restart_and_a_later_one_is_not(
    store: EvidenceStore, search: EvidenceSearch, backup: Backup
) -> None:
    put_back(store.database, backup)
    of_the_backup(search)


@pytest.mark.parametrize("writes", [1, 3, 5], ids=["fewer", "as many", "more"])
def test_what_is_written_after_the_restore_hides_nothing(
    store: EvidenceStore, search: EvidenceSearch, backup: Backup, writes: int
) -> None:
    """The number of the revision is lower than the one that was searched, the same, or higher."""
    put_back(store.database, backup)
    for number in range(writes):
        write(store, f"9{number}", f"Something else, the number is {number}")
    of_the_backup(search)
    assert finds(search, "Something else, the number is 0")


def test_a_program_that_starts_from_the_file_of_another_history_notices(
    store: EvidenceStore, search: EvidenceSearch, backup: Backup, tmp_path: Path
) -> None:
    other = LexicalIndex(tmp_path / "host")
    catch_up(store.database, other)
    put_back(store.database, backup)
    started = LexicalIndex(tmp_path / "host")
    assert started.size() == 2  # of the file: the edited page and the new one
    of_the_backup(EvidenceSearch(store.database, started, store.dense))


def test_without_a_restore_no_index_is_made_anew(
    store: EvidenceStore, search: EvidenceSearch, backup: Backup
) -> None:
    before = epoch(store.database)
    write(store, "4", "One more page")
    assert finds(search, "One more page")
    assert epoch(store.database) == before
    assert needs_rebuild(store.database, store.dense) == ""


def test_all_who_notice_a_restore_agree_on_one_epoch(
    store: EvidenceStore, search: EvidenceSearch, backup: Backup, tmp_path: Path
) -> None:
    before = epoch(store.database)
    others = [
        EvidenceSearch(store.database, LexicalIndex(tmp_path / str(number)), store.dense)
        for number in range(2)
    ]
    for other in others:
        assert finds(other, NEW)
    put_back(store.database, backup)
    of_the_backup(search)
    after = epoch(store.database)
    assert after != before
    for other in others:
        of_the_backup(other)
    assert epoch(store.database) == after


@pytest.mark.parametrize("is_told", [True, False], ids=["told", "noticed"])
def test_the_next_sync_makes_the_vectors_of_what_was_restored(
    store: EvidenceStore, search: EvidenceSearch, backup: Backup, *, is_told: bool
) -> None:
    put_back(store.database, backup)
    if is_told:
        with store.database.session() as session:
            new_epoch(session)
    else:
        of_the_backup(search)
    assert "restore" in needs_rebuild(store.database, store.dense)
    rebuild(store.database, store.dense)
    assert needs_rebuild(store.database, store.dense) == ""
    live = store.live()
    near = live.vectors.search(live.embedder.embed([GONE]), 5)
    with store.database.reading() as session:
        there = {row[0] for row in session.connection().exec_driver_sql("SELECT id FROM evidence")}
    assert set(near) == there
    of_the_backup(search)


def test_a_restore_leaves_the_vectors_alone_that_may_be_another_databases(
    store: EvidenceStore, search: EvidenceSearch, backup: Backup
) -> None:
    """A copy of a database, restored elsewhere, names the collection of the first."""
    before = store.live()
    with store.database.session() as session:
        new_epoch(session)
    rebuild(store.database, store.dense)
    assert before.vectors.count() == 2
    own = store.live()
    rebuild(store.database, store.dense)
    with pytest.raises(Exception, match="lost its vectors"):
        own.vectors.count()


@pytest.mark.only_sqlite("its own backup API")
def test_a_file_that_is_copied_back_under_readers_is_noticed(
    store: EvidenceStore, search: EvidenceSearch, tmp_path: Path
) -> None:
    write(store, "1", OLD)
    write(store, "2", GONE)
    live, kept = tmp_path / "groundwire.db", tmp_path / "kept.db"
    copy(live, kept)
    write(store, "1", EDITED)
    write(store, "3", NEW)
    hide(store, "2")
    assert finds(search, NEW)
    copy(kept, live)
    of_the_backup(search)


def copy(source: Path, target: Path) -> None:
    with closing(sqlite3.connect(source)) as there, closing(sqlite3.connect(target)) as here:
        there.backup(here)


def test_marks_of_long_ago_are_dropped(database: Database) -> None:
    with database.session() as session:
        session.add(IndexRow(revision=KEPT + 5))
        session.add(RevisionRow(revision=5, mark="old"))
        session.add(RevisionRow(revision=7, mark="kept"))
    with database.session() as session:
        next_revision(session)
    with database.reading() as session:
        assert session.get(RevisionRow, 5) is None
        assert session.get(RevisionRow, 7) is not None


def epoch(database: Database) -> str:
    with database.reading() as session:
        return session.get_one(IndexRow, 1).identity
