"""Erasure of a workspace that has uninstalled the app: what we know of it, and its conversations.

Our messages in its Slack stay: without its token nobody can delete them but the workspace itself.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement
from sqlmodel import Session, col, delete, select, update

from core import logs
from core.access import linked_accounts
from core.jobs.leases import fenced
from core.states import TurnState
from core.storage import clock
from core.storage.access_tables import AfterwardsRow, ChannelRow
from core.storage.database import Database
from core.storage.hearing_tables import GapRow, HeardRow
from core.storage.people_tables import PersonRow, PreferencesRow, SpentRow
from core.storage.tables import PostRow, TurnRow
from core.turns import erasure

# Each has a column of its own for the workspace.
OF_TEAM: tuple[Any, ...] = (PersonRow, PreferencesRow, SpentRow, ChannelRow, HeardRow, GapRow)

log = logs.get(__name__)


def forget_what_is_known(session: Session, team: str) -> None:
    """People, settings, linked accounts with their tokens, and what was put off: few statements."""
    for table in OF_TEAM:
        session.exec(delete(table).where(col(table.team) == team))
    linked_accounts.forget_team(session, team)
    put_off = col(AfterwardsRow.given)["team"].as_string() == team
    session.exec(delete(AfterwardsRow).where(put_off))


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
