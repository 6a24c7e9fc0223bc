"""Reads a digest from SQL as it is now: without questions that were forgotten."""

from __future__ import annotations

from sqlmodel import Session, col, select

from core.digest import fixes
from core.digest.digest import Digest, DigestGap, DigestQuestion, Fix
from core.pages import PageKey
from core.states import TurnState
from core.storage.loop_tables import DigestGapRow, DigestPageRow, DigestQuestionRow, DigestRow
from core.storage.report_tables import TurnFactsRow
from core.storage.tables import ThreadRow, TurnRow


def digest(session: Session, row: DigestRow) -> Digest:
    """Without questions that were forgotten, and without gaps of which none is left."""
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
        gaps=_gaps(session, row),
    )


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
