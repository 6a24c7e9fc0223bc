"""People in Slack: their e-mail, which leads to Confluence, and whether they are members."""

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
    UNKNOWN = "unknown"  # Slack did not say: this person gets the rights of the least trusted


def email(
    database: Database,
    team: str,
    user: str,
) -> str:
    """The e-mail that Slack last told us of a member; empty for everybody else."""
    with database.reading() as session:
        row = session.get(PersonRow, (team, user))
    if row is None or row.standing != Standing.MEMBER:
        return ""
    is_stale = row.read_at <= time.time() - STALE_S
    return "" if is_stale else row.email


def standing(
    database: Database,
    team: str,
    user: str,
) -> Standing:
    """What Slack said of this person within the last FRESH_S; unknown otherwise."""
    with database.reading() as session:
        row = session.get(PersonRow, (team, user))
    if row is None or row.read_at <= time.time() - FRESH_S:
        return Standing.UNKNOWN
    return Standing(row.standing)


def remember(
    database: Database,
    team: str,
    user: str,
    *,
    address: str = "",
    standing: Standing,
) -> None:
    row = PersonRow(
        team=team,
        user=user,
        email=address,
        standing=standing,
        read_at=time.time(),
    )
    with database.session() as session:
        session.merge(row)
