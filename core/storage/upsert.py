"""Saves a row in place of the one with its key, whoever else saves one at the same moment.

`session.merge` looks first and inserts then: on Postgres two who find no row both insert one, and
one of them gets an error.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import inspect
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Session, SQLModel

_INSERT: dict[str, Any] = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}


def put(session: Session, row: SQLModel) -> None:
    """Insert this row, or give the one that has its key all these values."""
    table = type(row)
    columns = inspect(table).columns
    values = {column.name: getattr(row, name) for name, column in columns.items()}
    insert = _INSERT[session.get_bind().dialect.name](table).values(values)
    keys = {column.name for column in columns if column.primary_key}
    changed = {name: insert.excluded[name] for name in values if name not in keys}
    session.execute(insert.on_conflict_do_update(index_elements=sorted(keys), set_=changed))
