"""Audit log: who did something that the operator has to answer for; rows are only ever added.

It names people, turns, channels, pages and settings by their ids and holds no word of a page or a
question, so erasing a person leaves it as it is. Nothing changes a row; only age deletes one.
"""

from __future__ import annotations

import os
import pwd
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any

from sqlmodel import and_, col, delete, or_, select

from core.storage.access_tables import AuditRow
from core.storage.database import Database

BATCH = 500  # rows in memory at once


class Act(StrEnum):
    """What somebody did."""

    SETTING_CHANGED = "setting_changed"
    EXPORTED = "exported"
    LOOKED_INTO = "looked_into"  # somebody else's answer, or what somebody may read
    LINKED = "linked"
    UNLINKED = "unlinked"
    INSTALLED = "installed"  # the app, in a workspace
    UNINSTALLED = "uninstalled"
    MARKED_FIXED = "marked_fixed"  # a gap of the wiki
    PAIR_DECIDED = "pair_decided"  # a question and answer pair, accepted or refused
    SIGNED_IN = "signed_in"  # to the console, with Slack
    REFUSED = "refused"
    DELETED_FOR_OTHER = "deleted_for_other"  # an answer, by an admin
    PERSON_FORGOTTEN = "person_forgotten"  # by the operator


def write(
    database: Database,
    act: Act,
    *,
    team: str = "",
    actor: str = "",
    subject: str = "",
    details: Mapping[str, Any] | None = None,
) -> None:
    """Add a row; `actor` is empty for the operator at the command line.

    `details` are ids, and names of settings with their values; never a secret, never a text.
    """
    row = AuditRow(
        act=act,
        team=team,
        actor=actor,
        subject=subject,
        details=dict(details or {}),
    )
    with database.session() as session:
        session.add(row)


def by_operator(
    database: Database,
    act: Act,
    *,
    team: str = "",
    subject: str = "",
    details: Mapping[str, Any] | None = None,
) -> None:
    """The same for a command, with the name of its account on this machine."""
    account = os.getuid()
    try:
        name = pwd.getpwuid(account).pw_name
    except KeyError:  # as in a container: there is no name for it
        name = str(account)
    known = {**(details or {}), "os_user": name}
    write(database, act, team=team, subject=subject, details=known)


def entries(database: Database, since: float = 0.0) -> Iterator[AuditRow]:
    """All rows of this time or later, the oldest first."""
    at, last = since, ""
    while rows := _batch(database, at, last):
        yield from rows
        at, last = rows[-1].at, rows[-1].id


def newest(database: Database, before: float, most: int) -> list[AuditRow]:
    """So many rows from before this time, the newest first."""
    rows = select(AuditRow).where(AuditRow.at < before).order_by(col(AuditRow.at).desc())
    with database.reading() as session:
        return list(session.exec(rows.limit(most)).all())


def teams(database: Database, act: Act, *, since: float) -> set[str]:
    """Workspaces where somebody has done this after that time."""
    done = select(AuditRow.team).where(AuditRow.act == act, AuditRow.at > since)
    with database.reading() as session:
        return set(session.exec(done.distinct()).all())


def prune(database: Database, before: float) -> int:
    """Delete what is older; how many rows there were."""
    with database.session() as session:
        return session.exec(delete(AuditRow).where(col(AuditRow.at) < before)).rowcount


def _batch(database: Database, at: float, last: str) -> list[AuditRow]:
    """The rows behind this one, in the order of time and id."""
    same_moment = and_(col(AuditRow.at) == at, col(AuditRow.id) > last)
    query = (
        select(AuditRow)
        .where(or_(col(AuditRow.at) > at, same_moment))
        .order_by(col(AuditRow.at), col(AuditRow.id))
    )
    with database.reading() as session:
        return list(session.exec(query.limit(BATCH)).all())
