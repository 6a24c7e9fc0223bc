"""Erasure of a workspace that has uninstalled the app: what we know of it, and its conversations.

Our messages in its Slack stay: without its token nobody can delete them but the workspace itself.
"""

from __future__ import annotations

import time
from typing import Any

from sqlmodel import Session, col, delete, select, update

from core import logs
from core.access import linked_accounts
from core.states import TurnState
from core.storage.access_tables import AfterwardsRow, ChannelRow
from core.storage.database import Database
from core.storage.hearing_tables import GapRow, HeardRow
from core.storage.tables import PersonRow, PostRow, PreferencesRow, SpentRow, TurnRow
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

    Their tombstones go two days later, as others do: a worker may just be answering one of them.
    """
    erased = 0
    while batch := _forget_batch(database, team, before):
        erased += batch
    _end(database, team, before)
    database.leave_no_trace()
    log.info("team.forgotten", team=team, turns=erased)
    return erased


def _forget_batch(database: Database, team: str, before: float) -> int:
    left = select(TurnRow).where(
        TurnRow.team == team, TurnRow.asked_at < before, TurnRow.state != TurnState.FORGOTTEN
    )
    with database.session() as session:
        rows = session.exec(left.limit(erasure.BATCH).with_for_update()).all()
        erasure.erase(session, rows)
        return len(rows)


def _end(database: Database, team: str, before: float) -> None:
    """Nobody looks for their messages in Slack."""
    tombstones = (
        col(TurnRow.team) == team,
        col(TurnRow.asked_at) < before,
        col(TurnRow.state) == TurnState.FORGOTTEN,
    )
    of_these = col(PostRow.turn_id).in_(select(TurnRow.id).where(*tombstones))
    with database.session() as session:
        session.exec(delete(PostRow).where(of_these))
        ended = update(TurnRow).where(*tombstones, col(TurnRow.delivered_at).is_(None))
        session.exec(ended.values(delivered_at=time.time()))
