"""People in Slack, by the e-mail that leads to their Confluence account."""

from __future__ import annotations

import time

from core.database import Database
from core.tables import PersonRow

FRESH_S = 3600.0  # an e-mail is asked for again after this long


def email(database: Database, team: str, user: str) -> str:
    """The e-mail that Slack last told us; empty when there is none."""
    with database.reading() as session:
        row = session.get(PersonRow, (team, user))
        return row.email if row else ""


def is_known(database: Database, team: str, user: str) -> bool:
    """Whether Slack was asked for this person lately."""
    with database.reading() as session:
        row = session.get(PersonRow, (team, user))
        return row is not None and row.read_at > time.time() - FRESH_S


def remember(database: Database, team: str, user: str, address: str) -> None:
    with database.session() as session:
        session.merge(PersonRow(team=team, user=user, email=address, read_at=time.time()))
