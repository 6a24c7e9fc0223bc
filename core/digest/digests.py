"""Digests in SQL: made once for a week, posted at most once, and shown again when they change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import ColumnElement, and_
from sqlmodel import Session, col, delete, select, update

from core.digest import reading
from core.digest.digest import Digest
from core.pages import PageKey
from core.states import TurnState
from core.storage import clock
from core.storage.database import Database
from core.storage.loop_tables import (
    DigestGapRow,
    DigestPageRow,
    DigestQuestionRow,
    DigestRow,
    FixRow,
)
from core.storage.tables import TurnRow

KEPT_S = 90 * 86_400.0  # after that nobody presses a button of a digest any more
APART_S = 6 * 86_400.0  # two digests for the same are at least so far apart
AGAIN_S = 30.0  # seconds after which one that is not shown yet is confirmed once more


@dataclass(frozen=True)
class NewGap:
    """A gap that is about to be told of."""

    turn_ids: tuple[str, ...]
    people: int  # who asked these questions; 0: too few to be told
    asked: int  # how many questions these are
    near: tuple[PageKey, ...] = ()
    draft: str = ""
    draft_of: str = ""
    drafted_from: frozenset[PageKey] = frozenset()


def save(database: Database, team: str, whom: str, week: int, gaps: Sequence[NewGap]) -> str:
    """Have this told, unless they are told of this week already; its id, or empty."""
    with database.one_at_a_time(f"digest:{team}") as session:
        left = _still_there(session, gaps)
        if not left or _is_made(session, team, whom, week):
            return ""
        row = DigestRow(team=team, whom=whom, week=week)
        session.add(row)
        session.flush()
        for number, gap in enumerate(left, 1):
            _save_gap(session, row.id, number, gap)
        return row.id


def is_made(database: Database, team: str, whom: str, week: int) -> bool:
    """Whether they are told of this week already."""
    with database.reading() as session:
        return _is_made(session, team, whom, week)


def load(database: Database, digest_id: str) -> Digest | None:
    """As it is now: without questions that were forgotten."""
    with database.reading() as session:
        row = session.get(DigestRow, digest_id)
        if row is None:
            return None
        return reading.digest(session, row)


def to_be_shown(database: Database) -> list[str]:
    """Those that do not stand in Slack as they are now; each is given out every AGAIN_S seconds."""
    now = clock.now()
    query = select(DigestRow.id).where(
        col(DigestRow.shown) < col(DigestRow.edition),
        col(DigestRow.said_at) < now - AGAIN_S,
    )
    with database.reading() as session:
        found = list(session.exec(query).all())
    if found:
        with database.session() as session:
            rows = update(DigestRow).where(col(DigestRow.id).in_(found))
            session.exec(rows.values(said_at=now))
    return found


def begin(database: Database, digest_id: str, user: str) -> bool:
    """Note that it is about to be posted; False when it was before: nobody gets it twice.

    Nor does a person of two accounts get two: the second one is never posted.
    """
    with database.one_at_a_time("digest.begun") as session:
        row = session.get(DigestRow, digest_id)
        if row is None or row.begun_at is not None:
            return False
        if user and _has_another(session, row, user):
            row.shown = row.edition
            return False
        row.begun_at, row.user = clock.now(), user
        return True


def not_begun(database: Database, digest_id: str) -> None:
    """Slack has said that it did not take it: it may be tried again."""
    _set(database, digest_id, begun_at=None)


def save_place(database: Database, digest_id: str, channel: str, ts: str) -> None:
    _set(database, digest_id, channel=channel, ts=ts)


def save_shown(database: Database, digest_id: str, edition: int) -> None:
    """This edition stands in Slack, or there is nothing of it to be said."""
    _set(database, digest_id, shown=edition)


def drop_questions(database: Database, digest_id: str, turn_ids: Iterable[str]) -> None:
    """These may not be told there."""
    with database.session() as session:
        rows = delete(DigestQuestionRow).where(
            col(DigestQuestionRow.digest_id) == digest_id,
            col(DigestQuestionRow.turn_id).in_(list(turn_ids)),
        )
        session.exec(rows)


def prune(database: Database) -> None:
    """Delete what nobody presses any more, and what was said of questions that no list has."""
    old = clock.now() - KEPT_S
    with database.session() as session:
        session.exec(delete(DigestRow).where(col(DigestRow.week) < old))
        session.exec(delete(FixRow).where(col(FixRow.marked_at) < old))


def _set(database: Database, digest_id: str, **values: object) -> None:
    with database.session() as session:
        session.exec(update(DigestRow).where(col(DigestRow.id) == digest_id).values(**values))


def _is_made(session: Session, team: str, whom: str, week: int) -> bool:
    """Also when that was due at another hour, before DIGEST_AT was changed."""
    there = select(DigestRow.id).where(
        DigestRow.team == team, DigestRow.whom == whom, _is_near(week)
    )
    return session.exec(there).first() is not None


def _has_another(session: Session, row: DigestRow, user: str) -> bool:
    there = select(DigestRow.id).where(
        DigestRow.team == row.team,
        DigestRow.user == user,
        DigestRow.id != row.id,
        col(DigestRow.begun_at).is_not(None),
        _is_near(row.week),
    )
    return session.exec(there).first() is not None


def _is_near(week: int) -> ColumnElement[bool]:
    return and_(col(DigestRow.week) > week - APART_S, col(DigestRow.week) < week + APART_S)


def _still_there(session: Session, gaps: Sequence[NewGap]) -> list[NewGap]:
    """Without what was forgotten while it was drafted, and without what was drafted of that."""
    wanted = {turn_id for gap in gaps for turn_id in gap.turn_ids}
    done = select(TurnRow.id).where(col(TurnRow.id).in_(wanted), TurnRow.state == TurnState.DONE)
    there = set(session.exec(done).all())
    left = []
    for gap in gaps:
        turn_ids = tuple(each for each in gap.turn_ids if each in there)
        if gap.draft_of and gap.draft_of not in turn_ids:
            gap = replace(gap, draft="", draft_of="", drafted_from=frozenset())
        if turn_ids:
            left.append(replace(gap, turn_ids=turn_ids))
    return left


def _save_gap(session: Session, digest_id: str, number: int, gap: NewGap) -> None:
    here: Any = {"digest_id": digest_id, "number": number}
    session.add(
        DigestGapRow(
            **here, people=gap.people, asked=gap.asked, draft=gap.draft, draft_of=gap.draft_of
        )
    )
    session.flush()
    for turn_id in gap.turn_ids:
        session.add(DigestQuestionRow(**here, turn_id=turn_id))
    for page in sorted(set(gap.near) | gap.drafted_from):
        row = DigestPageRow(
            **here,
            source=page.source,
            page_id=page.id,
            is_near=page in gap.near,
            in_draft=page in gap.drafted_from,
        )
        session.add(row)
