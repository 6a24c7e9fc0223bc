"""Alembic's entry: runs the migrations on the connection that core.storage.database hands over.

To write one: `alembic -c alembic.ini revision --autogenerate -m "why"`.
"""

from alembic import context
from sqlmodel import SQLModel, create_engine

import core.storage.access_tables
import core.storage.hand_over_tables
import core.storage.hearing_tables
import core.storage.index_tables
import core.storage.loop_tables
import core.storage.people_tables
import core.storage.postings.tables
import core.storage.report_tables
import core.storage.tables  # noqa: F401  (its classes register themselves)


def run() -> None:
    connection = context.config.attributes.get("connection")
    if connection is None:  # from the command line
        connection = create_engine(context.config.get_main_option("sqlalchemy.url") or "").connect()
    # Batch mode: SQLite cannot alter a column, so Alembic rebuilds the table there.
    context.configure(
        connection=connection, target_metadata=SQLModel.metadata, render_as_batch=True
    )
    with context.begin_transaction():
        context.run_migrations()


run()
