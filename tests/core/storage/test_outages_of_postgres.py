"""A real Postgres that is away, full or refuses: it has its sentence, and work goes on after."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest
from postgres import PostgresServer, postgres
from sqlalchemy import make_url, text
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session, create_engine

from core.errors import LeaseLost
from core.jobs.leases import Lease, fenced, lease
from core.storage import outages
from core.storage.database import Database
from core.storage.outages import sentence
from core.storage.tables import ThreadRow
from core.turns import turn_store
from core.turns.turn import Address, NewQuestion


@pytest.fixture(scope="module")
def server() -> Iterator[PostgresServer]:
    """One of our own: it is killed here."""
    with postgres() as server:
        yield server


@pytest.fixture
def ours(server: PostgresServer) -> Iterator[Database]:
    with closing(Database(server.create())) as database:
        yield database


def raised(database: Database, *statements: str) -> SQLAlchemyError:
    with pytest.raises(SQLAlchemyError) as found, database.session() as session:
        for statement in statements:
            session.connection().exec_driver_sql(statement)
    return found.value


def ask(database: Database, ts: str) -> None:
    new = NewQuestion(Address("T1", "C1", ts, ts), "U1", "Who?")
    assert turn_store.ask(database, new) is not None


def test_work_goes_on_after_a_restart_of_the_server(server: PostgresServer, ours: Database) -> None:
    ask(ours, "1.0")
    server.crash()
    with pytest.raises(SQLAlchemyError) as found:
        ask(ours, "2.0")
    assert sentence(found.value) == outages.SILENT
    server.start_again()
    ask(ours, "2.0")
    with ours.reading() as session:
        assert session.connection().exec_driver_sql("SELECT count(*) FROM turn").scalar() == 2


def test_a_transaction_in_the_middle_of_which_the_server_goes_leaves_nothing(
    server: PostgresServer, ours: Database
) -> None:
    with pytest.raises(SQLAlchemyError) as found, ours.session() as session:
        session.add(ThreadRow(team="T1", channel="C1", thread_ts="1.0"))
        session.flush()
        server.crash()
    assert sentence(found.value) == outages.SILENT
    server.start_again()
    with ours.reading() as session:
        assert session.connection().exec_driver_sql("SELECT count(*) FROM thread").scalar() == 0


def test_whoever_lost_a_lease_in_an_outage_saves_nothing(
    server: PostgresServer, ours: Database
) -> None:
    with pytest.raises(LeaseLost), lease(ours, "worker.answer:1", seconds=0.6) as held:
        assert held is not None
        server.crash()
        server.start_again()
        other = Lease(ours, "worker.answer:1")
        held.stop()
        while not other.take():
            pass
        with fenced(ours) as session:
            session.add(ThreadRow(team="T1", channel="C1", thread_ts="1.0"))
    with ours.reading() as session:
        assert session.connection().exec_driver_sql("SELECT count(*) FROM thread").scalar() == 0


def test_a_lease_outlives_a_short_outage(server: PostgresServer, ours: Database) -> None:
    with lease(ours, "worker.answer:1") as held:
        assert held is not None
        server.crash()
        server.start_again()
        with fenced(ours) as session:
            session.add(ThreadRow(team="T1", channel="C1", thread_ts="1.0"))


@pytest.mark.parametrize(
    ("statements", "said"),
    [
        (["SET LOCAL statement_timeout = 50", "SELECT pg_sleep(20)"], outages.SLOW),
        (["SET TRANSACTION READ ONLY", "DELETE FROM turn"], outages.READ_ONLY),
        (["DO $$ BEGIN RAISE USING ERRCODE = '53100'; END $$"], outages.FULL),
        (["DO $$ BEGIN RAISE USING ERRCODE = '53200'; END $$"], outages.MEMORY),
        (["DO $$ BEGIN RAISE USING ERRCODE = 'XX001'; END $$"], outages.DAMAGED),
    ],
    ids=["too slow", "read-only", "full", "no memory", "damaged"],
)
def test_what_the_server_refuses_has_its_sentence(
    ours: Database, statements: list[str], said: str
) -> None:
    assert sentence(raised(ours, *statements)) == said
    ask(ours, "1.0")  # and the next one is served


def test_a_lock_that_is_held_for_too_long_has_its_sentence(ours: Database) -> None:
    with ours.session() as session:
        session.connection().exec_driver_sql("LOCK TABLE turn")
        waits = ("SET LOCAL lock_timeout = 50", "DELETE FROM turn")
        assert sentence(raised(ours, *waits)) == outages.SLOW


def test_an_account_without_rights_is_told_which(server: PostgresServer, ours: Database) -> None:
    with ours.session() as session:
        session.connection().exec_driver_sql("CREATE ROLE stranger LOGIN")
    url = make_url(ours.url).set(username="stranger")
    with closing(Database(url.render_as_string(hide_password=False))) as theirs:
        assert sentence(raised(theirs, "DELETE FROM turn")) == outages.REFUSED


def test_a_server_without_room_for_one_more_is_named(ours: Database) -> None:
    with ours.session() as session:
        session.connection().exec_driver_sql("CREATE ROLE crowd LOGIN CONNECTION LIMIT 1")
    url = make_url(ours.url).set(username="crowd")
    engine = create_engine(url)
    with engine.connect(), closing(Database(url.render_as_string(hide_password=False))) as late:
        said = sentence(raised(late, "SELECT 1"))
        assert "max_connections" in said
    engine.dispose()


def test_a_program_whose_connections_are_all_in_use_says_so(ours: Database) -> None:
    engine = create_engine(ours.url, pool_size=1, max_overflow=0, pool_timeout=0.1)
    with (
        engine.connect(),
        pytest.raises(SQLAlchemyError) as found,
        Session(engine) as session,
    ):
        session.connection().execute(text("SELECT 1"))
    assert sentence(found.value) == outages.POOL
    engine.dispose()
