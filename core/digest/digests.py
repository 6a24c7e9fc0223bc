"""Digests in SQL: made once for a week, posted at most once, and shown again when they change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session, col, delete, select, update

from core.digest import fixes
from core.digest.digest import Digest, DigestGap, DigestQuestion, Fix
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
from core.storage.report_tables import TurnFactsRow
from core.storage.tables import ThreadRow, TurnRow

KEPT_S = 90 * 86_400.0  # after that nobody presses a button of a digest any more
AGAIN_S = 30.0  # seconds after which one that is not shown yet is confirmed once more


@dataclass(frozen=True)
class NewGap:
    """A gap that is about to be told of."""

    turn_ids: tuple[str, ...]
    people: int  # who asked; 0: too few to be told
    asked: int
    near: tuple[PageKey, ...] = ()
    draft: str = ""
    draft_of: str = ""
    drafted_from: frozenset[PageKey] = frozenset()


def save(database: Database, team: str, whom: str, week: int, gaps: Sequence[NewGap]) -> str:
    """Have this told, unless they are told of this week already; its id, or empty."""
    with database.one_at_a_time(f"digest:{team}") as session:
        there = select(DigestRow.id).where(
            DigestRow.team == team, DigestRow.whom == whom, DigestRow.week == week
        )
        if session.exec(there).first():
            return ""
        row = DigestRow(team=team, whom=whom, week=week)
        session.add(row)
        session.flush()
        for number, gap in enumerate(gaps, 1):
            _save_gap(session, row.id, number, gap)
        return row.id


def load(database: Database, digest_id: str) -> Digest | None:
    """As it is now: without questions that were forgotten."""
    with database.reading() as session:
        row = session.get(DigestRow, digest_id)
        if row is None:
            return None
        return _digest(row, _gaps(session, row))


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
    """Note that it is about to be posted; False when it was before: nobody gets it twice."""
    unsent = update(DigestRow).where(
        col(DigestRow.id) == digest_id, col(DigestRow.begun_at).is_(None)
    )
    with database.session() as session:
        begun = session.exec(unsent.values(begun_at=clock.now(), user=user))
        return begun.rowcount == 1


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


def _gaps(session: Session, row: DigestRow) -> tuple[DigestGap, ...]:
    gaps = select(DigestGapRow).where(DigestGapRow.digest_id == row.id)
    questions, pages = _questions(session, row.id), _pages(session, row.id)
    marked = fixes.of_digest(session, row.id)
    found = []
    for gap in session.exec(gaps.order_by(col(DigestGapRow.number))).all():
        if gap.number in questions:
            near = pages.get(gap.number, [])
            fix = marked.get(fixes.id_of(row.id, gap.number))
            found.append(_gap(gap, questions[gap.number], near, fix))
    return tuple(found)


def _gap(
    row: DigestGapRow,
    questions: list[DigestQuestion],
    pages: list[DigestPageRow],
    fix: Fix | None,
) -> DigestGap:
    return DigestGap(
        number=row.number,
        people=row.people,
        asked=row.asked,
        draft=row.draft if row.draft_of in {"", *(each.turn_id for each in questions)} else "",
        draft_of=row.draft_of,
        questions=tuple(questions),
        near=tuple(PageKey(each.source, each.page_id) for each in pages if each.is_near),
        drafted_from=frozenset(
            PageKey(each.source, each.page_id) for each in pages if each.in_draft
        ),
        fix=fix,
    )


def _questions(session: Session, digest_id: str) -> dict[int, list[DigestQuestion]]:
    """By gap, the first one first."""
    query = (
        select(DigestQuestionRow.number, TurnRow, ThreadRow.thread_ts, TurnFactsRow.found)
        .join(TurnRow, col(TurnRow.id) == col(DigestQuestionRow.turn_id))
        .join(ThreadRow, col(ThreadRow.id) == col(TurnRow.thread_id))
        .join(TurnFactsRow, col(TurnFactsRow.turn_id) == col(TurnRow.id))
        .where(DigestQuestionRow.digest_id == digest_id, TurnRow.state == TurnState.DONE)
        .order_by(col(TurnRow.asked_at))
    )
    found: dict[int, list[DigestQuestion]] = {}
    for number, turn, thread_ts, was_found in session.exec(query).all():
        question = DigestQuestion(turn.id, turn.question, turn.channel, thread_ts, was_found)
        found.setdefault(number, []).append(question)
    return found


def _pages(session: Session, digest_id: str) -> dict[int, list[DigestPageRow]]:
    query = select(DigestPageRow).where(DigestPageRow.digest_id == digest_id)
    found: dict[int, list[DigestPageRow]] = {}
    for row in session.exec(query).all():
        found.setdefault(row.number, []).append(row)
    return found


def _digest(row: DigestRow, gaps: tuple[DigestGap, ...]) -> Digest:
    return Digest(
        id=row.id,
        team=row.team,
        whom=row.whom,
        week=row.week,
        user=row.user,
        begun=row.begun_at is not None,
        channel=row.channel,
        ts=row.ts,
        edition=row.edition,
        shown=row.shown,
        gaps=gaps,
    )
