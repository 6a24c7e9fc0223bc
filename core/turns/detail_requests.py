"""Requests for the details of an answer: the bot opens a modal, a worker decides on access."""

from __future__ import annotations

from dataclasses import dataclass

from sqlmodel import col, delete

from core.jobs.leases import fenced
from core.states import DetailKind, DetailState
from core.storage import clock
from core.storage.database import Database
from core.storage.tables import DetailRequestRow
from core.storage.upsert import put

# Slack forgets a modal when it is closed; nobody looks at one for longer than this.
KEEP_S = 3600.0


@dataclass(frozen=True)
class DetailRequest:
    """A modal with the details of a turn, and whether the person may see them."""

    view_id: str
    turn_id: str
    user: str
    state: DetailState
    what: DetailKind = DetailKind.DETAILS
    audience: str = ""  # for whom the pages were confirmed; a principal, or empty for everybody


def ask(
    database: Database,
    view_id: str,
    turn_id: str,
    user: str,
    *,
    what: DetailKind = DetailKind.DETAILS,
) -> None:
    """Save who wants to see what, and delete requests whose modal is long closed."""
    expired = col(DetailRequestRow.at) < clock.now() - KEEP_S
    with fenced(database) as session:
        session.exec(delete(DetailRequestRow).where(expired))
        request = DetailRequestRow(view_id=view_id, turn_id=turn_id, user=user, what=what)
        put(session, request)


def load(database: Database, view_id: str) -> DetailRequest | None:
    with database.reading() as session:
        row = session.get(DetailRequestRow, view_id)
        if row is None:
            return None
        return DetailRequest(
            view_id=row.view_id,
            turn_id=row.turn_id,
            user=row.user,
            state=DetailState(row.state),
            what=DetailKind(row.what),
            audience=row.audience,
        )


def decide(
    database: Database,
    view_id: str,
    *,
    may_see: bool,
    audience: str,
) -> None:
    """Save whether the person may see it, and for which audience its pages were confirmed."""
    with fenced(database) as session:
        row = session.get_one(DetailRequestRow, view_id)
        row.state = DetailState.OPEN if may_see else DetailState.CLOSED
        row.audience = audience
