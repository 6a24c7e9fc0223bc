"""The database's clock, by which leases run out, whatever the clocks of the machines say."""

from __future__ import annotations

from sqlalchemy import ColumnElement, Float, literal_column
from sqlmodel import Session

# Julian day 2440587.5 is 1970-01-01: sqlite.org/lang_datefunc.html
_SQLITE = "(julianday('now') - 2440587.5) * 86400.0"
# now() would be the time at which the transaction began.
_POSTGRES = "extract(epoch from clock_timestamp())"


def now_of(session: Session) -> ColumnElement[float]:
    """Seconds since 1970, as an expression of SQL."""
    is_sqlite = session.get_bind().dialect.name == "sqlite"
    return literal_column(_SQLITE if is_sqlite else f"({_POSTGRES})::float", Float())
