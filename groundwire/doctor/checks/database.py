"""The database: whether it answers, can be written, fits this version, and how old its index is."""

from __future__ import annotations

import os
import time
from datetime import UTC, datetime
from pathlib import Path

from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError

from core.storage.database import Database
from core.storage.outages import SILENT, sentence
from groundwire.doctor.finding import HealthFinding, NotTried, ok, warning, wrong
from groundwire.doctor.patient import ROOT, Patient, once
from indexer.sync.status import status_of_spaces

STALE_S = 3600.0  # `indexer sync --every 5m` is complete much more often
START = "`python -m indexer status` says more; is `python -m indexer sync --every 5m` running?"
PROBE = "doctor_probe"


@once
def opened(at: Patient) -> Database:
    """The database as it is: nothing is made and nothing migrated.

    Raises:
        NotTried: there is none yet.
        SQLAlchemyError: it does not answer.
    """
    url = make_url(at.settings.sql_url)
    if url.get_backend_name() == "sqlite" and not (url.database and Path(url.database).exists()):
        raise NotTried("there is no database yet: the first start makes it")
    database = Database(at.settings.sql_url)
    at.close_later(database.close)
    with database.reading() as session:
        session.connection().execute(text("SELECT 1"))
    return database


@once
def migrated(at: Patient) -> Database:
    """The database, where its tables are those of this version.

    Raises:
        NotTried: they are not.
    """
    try:
        database = opened(at)
    except SQLAlchemyError as error:
        raise NotTried("the database does not answer") from error
    if _revision(database) != _scripts().get_current_head():
        raise NotTried("the tables of the database are those of another version")
    return database


def reachable(at: Patient) -> HealthFinding:
    try:
        database = opened(at)
    except NotTried as reason:
        return _new(at, str(reason))
    except SQLAlchemyError as error:
        return _away(error)
    kind = database.engine.dialect.name
    if kind == "sqlite":
        return ok("SQLite, which is for one machine")
    with database.reading() as session:
        version = session.connection().execute(text("SHOW server_version")).scalar()
    return ok(f"Postgres {version}")


def writable(at: Patient) -> HealthFinding:
    """A table that is gone with the transaction that made it."""
    database = _there(at)
    with database.engine.connect() as connection:
        transaction = connection.begin()
        connection.execute(text(f"CREATE TABLE {PROBE} (x INTEGER)"))
        transaction.rollback()
    return ok("can be written, and tables can be made")


def migrations(at: Patient) -> HealthFinding:
    database = _there(at)
    scripts, here = _scripts(), _revision(database)
    head = scripts.get_current_head()
    if here == head:
        return ok(f"at {head}, the newest of this version")
    if here is None:
        return ok(f"empty: the first start brings it to {head}")
    try:
        scripts.get_revision(here)
    except CommandError:
        return wrong(
            f"at {here}, which this version does not know: made by a newer Groundwire",
            "install that version, or name another database (DATABASE_URL, DATA_DIR)",
        )
    return warning(
        f"at {here}, this version has {head}: the next start migrates it",
        "make a backup first: there is no way back over some migrations",
    )


def sync(at: Patient) -> HealthFinding:
    """How old the index is: the space that was last complete the longest time ago."""
    spaces = status_of_spaces(migrated(at))
    if failed := next((each for each in spaces if not each.space), None):
        return wrong(f"the spaces cannot be listed: {failed.last_error}", START)
    if not spaces:
        return ok("nothing is indexed yet: the first sync does that")
    if never := [each.shown for each in spaces if not each.last_complete]:
        return warning(f"never complete yet: {', '.join(never)}", START)
    oldest = min(datetime.fromisoformat(each.last_complete) for each in spaces)
    age_s = (datetime.now(UTC) - oldest).total_seconds()
    pages = sum(each.pages for each in spaces)
    said = f"{pages} pages of {len(spaces)} spaces; complete {ago(age_s)} ago"
    if age_s > STALE_S:
        return warning(said, START)
    failing = sum(len(each.failures) for each in spaces)
    if failing:
        return warning(f"{said}; {failing} pages fail", "`python -m indexer status` names them")
    return ok(said)


def ago(seconds: float) -> str:
    """In words of whole units.

    >>> ago(40), ago(90 * 60), ago(50 * 3600)
    ('40 s', '90 min', '50 h')
    """
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 2 * 3600 else f"{seconds / 3600:.0f} h"


def _away(error: SQLAlchemyError) -> HealthFinding:
    """What the driver says may hold a password, so it is read and not repeated."""
    told = str(getattr(error, "orig", ""))
    if "authentication failed" in told or ('role "' in told and "does not exist" in told):
        return wrong("Postgres refuses this user or password", "the account in DATABASE_URL")
    if 'database "' in told and "does not exist" in told:
        cure = "`createdb NAME`, or another name at the end of DATABASE_URL"
        return wrong("Postgres knows no such database", cure)
    said, _, cure = (sentence(error) or SILENT).partition(": ")
    return wrong(said, cure, may_come=said.endswith("does not answer"))


def _there(at: Patient) -> Database:
    try:
        return opened(at)
    except SQLAlchemyError as error:
        raise NotTried("the database does not answer") from error


def _new(at: Patient, said: str) -> HealthFinding:
    """Whether the first start can make the file."""
    url = make_url(at.settings.sql_url)
    folder = Path(url.database or ".").absolute().parent
    there = next(each for each in (folder, *folder.parents) if each.exists())
    if not os.access(there, os.W_OK):
        return wrong(f"{there} cannot be written", "give it to this account, or change DATA_DIR")
    return ok(said)


def _revision(database: Database) -> str | None:
    with database.engine.connect() as connection:
        return MigrationContext.configure(connection).get_current_revision()


def _scripts() -> ScriptDirectory:
    config = Config()
    config.set_main_option("script_location", str(ROOT / "migrations"))
    return ScriptDirectory.from_config(config)


def measured(at: Patient) -> tuple[float, float]:
    """The database's clock against ours, in seconds, and half the time that asking took."""
    database = _there(at)
    if database.engine.dialect.name == "sqlite":
        raise NotTried("SQLite has this machine's clock")
    with database.reading() as session:
        connection = session.connection()
        sent = time.time()
        there = float(
            connection.execute(
                text("SELECT extract(epoch from clock_timestamp())::float")
            ).scalar_one()
        )
        half = (time.time() - sent) / 2
    return there - sent - half, half
