"""People in Slack: their e-mail, which leads to Confluence, their standing and their locale."""

from __future__ import annotations

import time
from collections.abc import Iterator
from enum import StrEnum
from typing import Any

from sqlmodel import Session, col, delete

from core.storage import clock
from core.storage.access_tables import ChannelRow
from core.storage.database import Database
from core.storage.hand_over_tables import HandOverPersonRow
from core.storage.people_tables import PersonRow, PreferencesRow, SpentRow
from core.storage.upsert import put

FRESH_S = 3600.0  # Slack is asked again after this long
STALE_S = 86_400.0  # nothing is built on what Slack said longer ago than this
LOCALE_FRESH_S = 86_400.0  # Slack is asked again for a locale after this long


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
    return row.email if row and _is_member(row) else ""


def is_member(database: Database, team: str, user: str) -> bool:
    """Whether Slack said so, not too long ago."""
    with database.reading() as session:
        row = session.get(PersonRow, (team, user))
    return row is not None and _is_member(row)


def standing(
    database: Database,
    team: str,
    user: str,
) -> Standing:
    """What Slack said of this person within the last FRESH_S; unknown otherwise."""
    with database.reading() as session:
        row = session.get(PersonRow, (team, user))
    if row is None or row.read_at <= clock.now() - FRESH_S:
        return Standing.UNKNOWN
    return Standing(row.standing)


def remember(
    database: Database,
    team: str,
    user: str,
    *,
    address: str = "",
    standing: Standing,
    is_admin: bool = False,
) -> None:
    with database.one_at_a_time(_serial(team, user)) as session:
        row = session.get(PersonRow, (team, user)) or PersonRow(team=team, user=user)
        row.email, row.standing, row.is_admin = address, standing, is_admin
        row.read_at = clock.now()
        session.add(row)


def is_admin(database: Database, team: str, user: str) -> bool | None:
    """Whether Slack said of somebody within the last FRESH_S that they are an admin.

    None when it said nothing.
    """
    with database.reading() as session:
        row = session.get(PersonRow, (team, user))
    if row is None or row.read_at <= clock.now() - FRESH_S or row.standing == Standing.UNKNOWN:
        return None
    return row.is_admin


def creator(database: Database, team: str, channel: str) -> str | None:
    """Who made the channel, as Slack once said; None when it did not."""
    with database.reading() as session:
        row = session.get(ChannelRow, (team, channel))
    return row.creator if row else None


def remember_creator(database: Database, team: str, channel: str, creator: str) -> None:
    with database.session() as session:
        put(session, ChannelRow(team=team, channel=channel, creator=creator))


def locale(database: Database, team: str, user: str) -> str:
    """What Slack last told us, however long ago; empty when it never did."""
    with database.reading() as session:
        row = session.get(PersonRow, (team, user))
    return row.locale if row else ""


def is_locale_fresh(database: Database, team: str, user: str) -> bool:
    with database.reading() as session:
        row = session.get(PersonRow, (team, user))
    return row is not None and row.locale_read_at > clock.now() - LOCALE_FRESH_S


def remember_locale(database: Database, team: str, user: str, locale: str) -> None:
    """Of somebody of whom nothing else is known, nothing else is taken for known."""
    with database.one_at_a_time(_serial(team, user)) as session:
        row = session.get(PersonRow, (team, user))
        row = row or PersonRow(team=team, user=user, read_at=0.0)
        row.locale, row.locale_read_at = locale, clock.now()
        session.add(row)


def erase(session: Session, team: str, user: str) -> None:
    """Delete what we know of a person; today's spending still counts."""
    for statement in _erasing(team, user):
        session.exec(statement)


def _erasing(team: str, user: str) -> Iterator[Any]:
    yield delete(PersonRow).where(col(PersonRow.team) == team, col(PersonRow.user) == user)
    yield delete(PreferencesRow).where(
        col(PreferencesRow.team) == team, col(PreferencesRow.owner) == user
    )
    today = time.strftime("%Y-%m-%d", time.gmtime(clock.now()))
    yield delete(SpentRow).where(
        col(SpentRow.team) == team, col(SpentRow.user) == user, col(SpentRow.day) < today
    )
    yield delete(HandOverPersonRow).where(
        col(HandOverPersonRow.team) == team, col(HandOverPersonRow.user) == user
    )


def _serial(team: str, user: str) -> str:
    return f"person:{team}:{user}"


def _is_member(row: PersonRow) -> bool:
    return row.standing == Standing.MEMBER and row.read_at > clock.now() - STALE_S
