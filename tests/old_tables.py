"""Tables as they were at an earlier migration, to be filled with rows of before and migrated."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import text

from core.storage.database import Database

MIGRATIONS = Path(__file__).parents[1] / "migrations"


def migrated_to(database: Database, revision: str) -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with database.engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)


@contextmanager
def upgraded(url: str, revision: str, statements: Iterable[str]) -> Iterator[Database]:
    """A database of today that was filled by these statements as it was at an earlier migration."""
    with closing(Database(url)) as database:
        migrated_to(database, revision)
        with database.engine.begin() as connection:
            for statement in statements:
                connection.execute(text(statement))
        database.migrate()
        yield database
