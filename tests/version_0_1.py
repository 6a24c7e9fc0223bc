"""A database that version 0.1 made, to be upgraded.

`groundwire-0.1.sql.gz` is the dump of what that version itself wrote against the stand-ins: 27
pages of the sample company, 17 questions (one refused for a limit), an explanation, a vote.
Embeddings, which are a cache, and the chart are left out.
"""

from __future__ import annotations

import gzip
import sqlite3
from contextlib import closing
from pathlib import Path

from old_tables import migrated_to
from sqlalchemy import MetaData, text

from core.storage.database import Database

DUMP = Path(__file__).with_name("groundwire-0.1.sql.gz")


def unpack(path: Path) -> None:
    """Write the database as version 0.1 left it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as old:
        old.executescript(gzip.decompress(DUMP.read_bytes()).decode())


def copy_into(database: Database, folder: Path) -> None:
    """Fill an empty database with what that version left, in tables as that version made them."""
    file = folder / "0.1.db"
    unpack(file)
    with closing(Database(f"sqlite:///{file}")) as old, old.engine.connect() as source:
        tables = MetaData()
        tables.reflect(source)
        (revision,) = source.execute(text("SELECT version_num FROM alembic_version")).one()
        migrated_to(database, revision)
        there = MetaData()
        there.reflect(database.engine)
        with database.engine.begin() as target:
            for table in tables.sorted_tables:
                rows = [dict(row._mapping) for row in source.execute(table.select())]
                if rows and table.name != "alembic_version":
                    target.execute(there.tables[table.name].insert(), rows)
