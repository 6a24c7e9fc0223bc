"""From one engine to the other while people ask: no question waits, and none finds nothing."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from postgres import PostgresServer
from sqlmodel import func, select
from wiki import LEAVE, key, page, piece, put, searching

from core.errors import SettingsError, StoreUnavailable
from core.evidence import EvidenceSearch, EvidenceStore, Query
from core.evidence.dense.collections import configured
from core.evidence.dense.rebuild import needs_rebuild, rebuild
from core.evidence.postings import written
from core.policy.acl import EVERYBODY
from core.settings import Settings
from core.settings.values import EvidenceEngine
from core.storage.database import Database
from core.storage.index_tables import IndexRow
from core.storage.postings.tables import TABLES

HOST, POSTGRES = EvidenceEngine.HOST, EvidenceEngine.POSTGRES
Wanting = Callable[[EvidenceEngine], EvidenceStore]  # see conftest.py
QUESTION = Query("How many days of leave are there in Porto?")


def in_force(database: Database) -> str:
    with database.reading() as session:
        return session.get_one(IndexRow, 1).engine


def rows(database: Database) -> list[int]:
    """Of each table of the engine in Postgres."""
    with database.reading() as session:
        counts = (select(func.count()).select_from(table) for table in TABLES)
        return [session.exec(count).one() for count in counts]


@contextmanager
def asking(search: EvidenceSearch) -> Iterator[list[str]]:
    """What people find meanwhile, one question after the other."""
    found: list[str] = []
    is_over = threading.Event()

    def ask() -> None:
        while not is_over.is_set():
            result = search.search(QUESTION, 3)
            first = result.hits[0].evidence.text if result.hits else "nothing"
            found.append("by words alone" if result.words_only else first)

    asker = threading.Thread(target=ask)
    asker.start()
    try:
        yield found
    finally:
        is_over.set()
        asker.join()


def fill(store: EvidenceStore, pages: int = 20) -> EvidenceStore:
    put(store, page("1", "Leave"), piece(LEAVE))
    for number in range(2, pages):
        text = f"Crane {number} lifts {number} tons."
        put(store, page(str(number), f"Crane {number}"), piece(text, str(number)))
    return store


@pytest.mark.parametrize(("before", "after"), [(HOST, POSTGRES), (POSTGRES, HOST)])
def test_questions_are_answered_all_the_time(
    before: EvidenceEngine, after: EvidenceEngine, wanting: Wanting
) -> None:
    store, other = fill(wanting(before)), wanting(after)
    assert needs_rebuild(store.database, store.dense) == ""
    assert f"EVIDENCE_ENGINE is {after}" in needs_rebuild(store.database, other.dense)
    with asking(searching(store)) as found:
        rebuild(store.database, other.dense)
        at_the_switch = len(found)
        while len(found) < at_the_switch + 3:
            pass
    assert set(found) == {LEAVE}
    assert in_force(store.database) == after
    assert needs_rebuild(store.database, other.dense) == ""


def test_what_changes_meanwhile_is_caught_up_with(wanting: Wanting) -> None:
    store, other = fill(wanting(HOST)), wanting(POSTGRES)
    late = piece("The late ferry costs 9 EUR.", "90")

    def change(done: int, _of: int) -> None:
        if done == 1 and not changed:
            changed.append(True)
            put(store, page("90", "Ferries"), late)
            store.hide(page("2", "Crane 2"))

    changed: list[bool] = []
    rebuild(store.database, other.dense, report=change)
    search = searching(store)
    assert search.search(Query("late ferry"), 1).hits[0].evidence == late
    assert not search.readable(EVERYBODY).name_terms([key("2")])[0]


def test_nothing_of_a_page_is_left_when_the_host_has_taken_over_again(wanting: Wanting) -> None:
    store = fill(wanting(POSTGRES), pages=3)
    assert all(rows(store.database))
    rebuild(store.database, wanting(HOST).dense)
    assert not any(rows(store.database))


def test_who_began_first_gives_way_to_who_fills_the_same_tables_later(wanting: Wanting) -> None:
    store = fill(wanting(HOST))
    begun: list[bool] = []

    def interrupted(_done: int, _of: int) -> None:
        if not begun:
            begun.append(True)
            rebuild(store.database, wanting(POSTGRES).dense)

    with pytest.raises(StoreUnavailable, match="another rebuild"):
        rebuild(store.database, wanting(POSTGRES).dense, report=interrupted)
    assert in_force(store.database) == POSTGRES
    assert searching(store).search(QUESTION, 1).hits[0].evidence.text == LEAVE


def test_words_of_another_version_are_written_anew(wanting: Wanting) -> None:
    store = fill(wanting(POSTGRES), pages=3)
    with store.database.session() as session:
        session.get_one(IndexRow, 1).words_format = written.WORDS_FORMAT - 1
    assert "another version" in needs_rebuild(store.database, store.dense)
    with asking(searching(store)) as found:
        rebuild(store.database, store.dense)
    assert set(found) <= {LEAVE}
    assert needs_rebuild(store.database, store.dense) == ""


def test_without_pgvector_the_old_engine_stays_and_the_cure_is_named(
    postgres_server: PostgresServer, with_vectors: Database
) -> None:
    chosen = Settings(database_url=postgres_server.create(), evidence_engine=POSTGRES)
    database = Database(chosen.sql_url)
    offers = "SELECT count(*) FROM pg_available_extensions WHERE name = 'vector'"
    with database.engine.connect() as connection:
        if connection.exec_driver_sql(offers).scalar_one():
            pytest.skip("this Postgres has pgvector")
    with pytest.raises(StoreUnavailable, match="postgresql-VERSION-pgvector"):
        rebuild(database, configured(chosen))
    assert in_force(database) == HOST
    database.close()


def test_the_engine_in_postgres_wants_a_postgres() -> None:
    with pytest.raises(SettingsError, match="DATABASE_URL"):
        configured(Settings(evidence_engine=POSTGRES))
