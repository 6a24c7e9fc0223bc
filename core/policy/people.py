"""People in Slack: the e-mail that leads to their Confluence account, and whether they belong here at all."""

from __future__ import annotations

import time
from enum import StrEnum

from core.storage.database import Database
from core.storage.tables import PersonRow

FRESH_S = 3600.0  # Slack is asked again after this long
STALE_S = 86_400.0  # nothing is built on what Slack said longer ago than this


class Standing(StrEnum):
    """How somebody belongs to the workspace."""

    MEMBER = "member"
    GUEST = "guest"  # of this workspace, for some channels of it
    EXTERNAL = "external"  # of another organization, met in a shared channel
    UNKNOWN = "unknown"  # Slack did not say: nothing more is allowed to this person than to any of the others


def email(database: Database, team: str, user: str) -> str:
    """The e-mail that Slack last told us of a member; empty for everybody else, and when there is none."""
    with database.reading() as session:
        row = session.get(PersonRow, (team, user))
        trusted = (
            row is not None
            and row.standing == Standing.MEMBER
            and row.read_at > time.time() - STALE_S
        )
        return row.email if row and trusted else ""


def standing(database: Database, team: str, user: str) -> Standing:
    """What Slack said of this person lately; unknown when it was not asked lately, or did not say."""
    with database.reading() as session:
        row = session.get(PersonRow, (team, user))
        fresh = row is not None and row.read_at > time.time() - FRESH_S
        return Standing(row.standing) if row and fresh else Standing.UNKNOWN


def remember(
    database: Database, team: str, user: str, *, address: str = "", standing: Standing
) -> None:
    with database.session() as session:
        session.merge(
            PersonRow(team=team, user=user, email=address, standing=standing, read_at=time.time())
        )
