"""Erasure of a workspace that has uninstalled the app: what we know of it, and its conversations.

Our messages in its Slack stay: without its token nobody can delete them but the workspace itself.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement
from sqlmodel import Session, col, delete, select, update

from core import logs
from core.access import linked_accounts
from core.jobs.afterwards import PutOff, put_off
from core.jobs.leases import fenced
from core.jobs.pool import Chore
from core.policy import audit
from core.policy.audit import Act
from core.states import TurnState
from core.storage import clock
from core.storage.access_tables import AfterwardsRow, ChannelRow, LinkedAccountRow
from core.storage.database import Database
from core.storage.hearing_tables import GapRow, HeardRow, InstallationRow
from core.storage.loop_tables import DigestRow, FixRow, WelcomeRow
from core.storage.people_tables import PersonRow, PreferencesRow, SpentRow
from core.storage.tables import PostRow, TurnRow
from core.turns import erasure

# Each has a column of its own for the workspace.
OF_TEAM: tuple[Any, ...] = (
    PersonRow,
    PreferencesRow,
    SpentRow,
    ChannelRow,
    HeardRow,
    GapRow,
    DigestRow,
    FixRow,
    WelcomeRow,
)
KNOWN = (*OF_TEAM, LinkedAccountRow)

LATE_EVERY_S = 20.0
# Nobody who began before a removal is still writing after so long.
LATE_S = 86_400.0

log = logs.get(__name__)


def chores(database: Database) -> list[Chore]:
    """Of speakers where workspaces install the app: to erase what is written during a removal."""
    return [Chore("departed", LATE_EVERY_S, lambda: forget_late(database))]


def forget_what_is_known(session: Session, team: str) -> None:
    """People, settings, linked accounts with their tokens, and what was put off: few statements."""
    _forget_rows(session, team)
    waits = col(AfterwardsRow.given)["team"].as_string() == team
    session.exec(delete(AfterwardsRow).where(waits))


def forget_late(database: Database) -> list[str]:
    """Erase what came after a removal; of which workspaces there was something.

    A beat, a listener or a worker that was at it when the app was removed may write a row after
    everything was erased.
    """
    late = sorted(_left_behind(database))
    for team in late:
        with fenced(database) as session:
            if session.get(InstallationRow, team):  # installed again just now
                continue
            _forget_rows(session, team)
        put_off(database, PutOff.FORGET_TEAM, team=team, once=team, before=clock.now())
        log.info("team.forgotten_late", team=team)
    return late


def _left_behind(database: Database) -> list[str]:
    """Workspaces without the app of which there is more than tombstones."""
    removed = audit.teams(database, Act.UNINSTALLED, since=clock.now() - LATE_S)
    with database.reading() as session:
        installed = set(session.exec(select(InstallationRow.team)).all())
        return [team for team in removed - installed if _is_anything_left(session, team)]


def _is_anything_left(session: Session, team: str) -> bool:
    known = (select(1).select_from(each).where(each.team == team) for each in KNOWN)
    asked = select(1).where(TurnRow.team == team, TurnRow.state != TurnState.FORGOTTEN)
    return any(session.exec(query.limit(1)).first() for query in (*known, asked))


def _forget_rows(session: Session, team: str) -> None:
    for table in OF_TEAM:
        session.exec(delete(table).where(col(table.team) == team))
    linked_accounts.forget_team(session, team)


def forget_conversations(database: Database, team: str, before: float) -> int:
    """Erase all that was asked there before this time; how many turns there were.

    Only a question that waits leaves a tombstone for two days: a worker may just be answering it.
    """
    erased = 0
    there = (TurnRow.team == team, TurnRow.asked_at < before)
    for which in (TurnRow.state != TurnState.WAITING, TurnRow.state == TurnState.WAITING):
        while batch := _forget_batch(database, *there, which):
            erased += batch
    database.leave_no_trace()
    log.info("team.forgotten", team=team, turns=erased)
    return erased


def _forget_batch(database: Database, *which: ColumnElement[bool] | bool) -> int:
    """Nobody looks for their messages in Slack."""
    some = select(TurnRow).where(*which).limit(erasure.BATCH).with_for_update()
    with fenced(database) as session:
        rows = session.exec(some).all()
        ids = [row.id for row in rows]
        ended = [row.id for row in rows if row.state != TurnState.WAITING]
        erasure.erase(session, rows)
        session.exec(delete(PostRow).where(col(PostRow.turn_id).in_(ids)))
        tombstones = update(TurnRow).where(col(TurnRow.id).in_(ids))
        session.exec(tombstones.values(delivered_at=clock.now()))
        erasure.drop(session, ended)
        return len(ids)
