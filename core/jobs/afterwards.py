"""What a listener puts off until it has acknowledged: rows in SQL, done by a speaker.

Slack may let us wait for anything that we ask of it, and nothing may wait before an
acknowledgement. So a listener writes down what is to be said, shown or asked, and the queue carries
the id alone. A row that nobody has taken up is enqueued again by core.turns.upkeep.sweeper.
"""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum
from typing import Any

from sqlmodel import Session, col, delete, func, select

from core.jobs.queue import TaskName, enqueue_or_log
from core.storage import clock
from core.storage.access_tables import AfterwardsRow
from core.storage.database import Database
from core.storage.tables import new_id

COURTESY_S = 300.0  # later than this, nobody wonders any more


class PutOff(StrEnum):
    """What is to be done."""

    TELL = "tell"  # an ephemeral message
    HOME = "home"  # publish the Home tab
    LEARN = "learn"  # ask Slack who somebody is
    HEAR = "hear"  # decide on a message with what was said before it
    MEANT = "meant"  # the same, once a model has said what it means
    EDIT = "edit"  # the same for a message that was edited
    ASK = "ask"  # move a question into direct messages
    HAND_OVER = "hand_over"  # ask people to help with a question, or show what became of it
    HAND_OVER_PREVIEW = "hand_over_preview"  # show in a modal what would be sent, and to whom
    DIGEST = "digest"  # post a digest, or show it as it is now
    WELCOME = "welcome"  # say in a channel what the bot is
    FORGET_TEAM = "forget_team"  # erase what a workspace has left behind


# What is dropped when it comes too late; everything else is done, however late.
COURTESIES = (PutOff.TELL, PutOff.HOME)
_WORDS = (PutOff.HEAR, PutOff.MEANT, PutOff.EDIT, PutOff.ASK, PutOff.TELL)


def put_off(
    database: Database,
    kind: PutOff,
    *,
    team: str,
    once: str = "",
    first: TaskName = TaskName.AFTERWARDS,
    **values: Any,
) -> None:
    """Have this done by a speaker for this workspace.

    What is put off already under the key `once`, only once. Another task may be done `first`, which
    then enqueues this one.
    """
    row_id = f"{kind}:{once}" if once else new_id()
    with database.one_at_a_time(f"afterwards:{row_id}") as session:
        if session.get(AfterwardsRow, row_id):
            return
        session.add(AfterwardsRow(id=row_id, kind=kind, given=values | {"team": team}))
    enqueue_or_log(row_id, first)


def load(database: Database, row_id: str) -> tuple[PutOff, dict[str, Any]] | None:
    """What is to be done, and with which values; None when it is done, or nobody waits for it."""
    with database.reading() as session:
        row = session.get(AfterwardsRow, row_id)
    if row is None:
        return None
    kind = PutOff(row.kind)
    if kind in COURTESIES and row.at < clock.now() - COURTESY_S:
        return None
    return kind, row.given


def add(database: Database, row_id: str, **values: Any) -> None:
    """Add values to what is to be done, if it is not done yet."""
    with database.session() as session:
        row = session.get(AfterwardsRow, row_id, with_for_update=True)
        if row:
            row.given = row.given | values


def team(database: Database, row_id: str) -> str:
    """For which workspace it is; empty when it is done."""
    with database.reading() as session:
        row = session.get(AfterwardsRow, row_id)
    return str(row.given.get("team", "")) if row else ""


def waiting(database: Database, kind: PutOff) -> int:
    """How many of this kind wait."""
    query = select(func.count()).select_from(AfterwardsRow).where(AfterwardsRow.kind == kind)
    with database.reading() as session:
        return session.exec(query).one()


def done(database: Database, row_id: str) -> None:
    with database.session() as session:
        session.exec(delete(AfterwardsRow).where(col(AfterwardsRow.id) == row_id))


def forget(session: Session, team: str, user: str, *, times: Collection[str] = ()) -> None:
    """Drop what this person has said and what waits; of messages and threads of these times.

    All of it where no time is given. Beside what somebody else says, these words alone are dropped.
    """
    for row in session.exec(select(AfterwardsRow).where(col(AfterwardsRow.kind).in_(_WORDS))):
        said = _said(row.given)
        is_meant = not times or said.intersection(times)
        if row.given.get("team") != team or not is_meant:
            continue
        if user in said:
            session.delete(row)
        elif told := row.given.get("message"):
            left = [line for line in told.get("before") or () if line["who"] != user]
            row.given = row.given | {"message": told | {"before": left}}


def _said(given: dict[str, Any]) -> set[str]:
    """Who said it, and Slack's times of the message and of its thread."""
    heard, edited = given.get("said") or {}, (given.get("event") or {}).get("message") or {}
    told = given.get("message") or {}
    places = (given, heard, heard.get("where") or {}, edited, told)
    names = ("user", "ts", "thread_ts")
    return {str(place[name]) for place in places for name in names if place.get(name)}
