"""Brings the tables to the newest migration, and says which that is."""

from __future__ import annotations

import typer
from sqlalchemy import text

from core.outages.ending import or_one_sentence
from core.settings import settings
from core.storage.database import Database, open_database


def run_migration() -> None:
    """Before an upgrade's first program starts, say; every program does the same."""
    with or_one_sentence():
        database = open_database(settings().sql_url)
        typer.echo(f"groundwire: the database is at migration {migration(database)}")


def migration(database: Database) -> str:
    """The newest that it has."""
    with database.reading() as session:
        return str(session.execute(text("SELECT version_num FROM alembic_version")).scalar_one())
