"""Tables as they were at an earlier migration, to be filled with rows of before and migrated."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config

from core.storage.database import Database

MIGRATIONS = Path(__file__).parents[1] / "migrations"


def migrated_to(database: Database, revision: str) -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with database.engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
