"""Questions that an operator may read, newest first: searched, filtered, page by page."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, exists, true
from sqlalchemy import select as select_columns
from sqlmodel import col, select

from core.models import Confidence
from core.reports.privacy import may_be_read
from core.states import TurnState, Vote
from core.storage.database import Database
from core.storage.report_tables import TurnFactsRow
from core.storage.tables import ExplanationRow, FeedbackRow, ReportRow, TurnRow

PAGE = 50  # questions shown at once
LOOKED_AT = 20_000  # of which a word is looked for at once: each is a page of the database


class QuestionOutcome(StrEnum):
    """What became of a question, as one filters by it."""

    ALL = "all"
    NOT_FOUND = "not_found"
    FAILED = "failed"
    DOWN = "down"
    GREEN_DOWN = "green_down"
    REPORTED = "reported"
    EXPLAINED = "explained"


@dataclass(frozen=True)
class AskedQuestion:
    """A question in a list."""

    turn_id: str
    asked_at: float
    channel: str  # empty: direct messages, whose channel tells who asked
    question: str  # empty: a button asked it, in words of a page
    state: str
    reason: str
    found: bool | None  # None: it has no answer
    badge: str
    seconds: float | None
    votes: tuple[str, ...] = ()


@dataclass(frozen=True)
class QuestionList:
    """A page of the list; `older` is where the next one begins, None at the end."""

    questions: tuple[AskedQuestion, ...]
    older: float | None = None


def questions(
    database: Database,
    *,
    before: float,
    words: str = "",
    outcome: QuestionOutcome = QuestionOutcome.ALL,
) -> QuestionList:
    """Those asked before this time whose text has these words, and of which this became."""
    query = _chosen(outcome).where(TurnRow.asked_at < before, may_be_read())
    query = query.order_by(col(TurnRow.asked_at).desc())
    query = query.limit(LOOKED_AT if words else PAGE + 1)
    found: list[AskedQuestion] = []
    looked_at, last = 0, before
    with database.reading() as session:
        for row in session.execute(query):
            looked_at, last = looked_at + 1, row.asked_at
            if _has(row.question, words):
                found.append(_question(row))
            if len(found) > PAGE:
                break
        shown = found[:PAGE]
        votes = _votes(session, [each.turn_id for each in shown])
    with_votes = tuple(_with_votes(each, votes) for each in shown)
    if len(found) > PAGE:
        return QuestionList(with_votes, shown[-1].asked_at)
    return QuestionList(with_votes, last if looked_at == LOOKED_AT else None)


def _chosen(outcome: QuestionOutcome) -> Any:
    """The columns of a list: none of them is long, and the record stays where it is."""
    columns = select_columns(
        col(TurnRow.id),
        col(TurnRow.asked_at),
        col(TurnRow.channel),
        col(TurnRow.private),
        col(TurnRow.question),
        col(TurnRow.by_button),
        col(TurnRow.state),
        col(TurnRow.reason),
        col(TurnFactsRow.found),
        col(TurnFactsRow.badge),
        col(TurnFactsRow.seconds),
    ).outerjoin(TurnFactsRow, col(TurnFactsRow.turn_id) == col(TurnRow.id))
    there = col(TurnRow.state).not_in((TurnState.FORGOTTEN, TurnState.REPLACED))
    return columns.where(there, *_only(outcome))


def _only(outcome: QuestionOutcome) -> tuple[ColumnElement[bool], ...]:
    turn_id = col(TurnRow.id)
    voted_down = exists().where(
        col(FeedbackRow.turn_id) == turn_id, col(FeedbackRow.vote) == Vote.DOWN
    )
    only: dict[QuestionOutcome, tuple[ColumnElement[bool], ...]] = {
        QuestionOutcome.NOT_FOUND: (~col(TurnFactsRow.found),),
        QuestionOutcome.FAILED: (col(TurnRow.reason) != "",),
        QuestionOutcome.DOWN: (voted_down,),
        QuestionOutcome.GREEN_DOWN: (voted_down, col(TurnFactsRow.badge) == Confidence.HIGH),
        QuestionOutcome.REPORTED: (exists().where(col(ReportRow.turn_id) == turn_id),),
        QuestionOutcome.EXPLAINED: (exists().where(col(ExplanationRow.turn_id) == turn_id),),
    }
    return only.get(outcome, (true(),))


def _has(question: str, words: str) -> bool:
    text = question.casefold()
    return all(word in text for word in words.casefold().split())


def _question(row: Any) -> AskedQuestion:
    return AskedQuestion(
        turn_id=row.id,
        asked_at=row.asked_at,
        channel="" if row.private else row.channel,
        question="" if row.by_button else row.question,
        state=row.state,
        reason=row.reason,
        found=row.found,
        badge=row.badge or "",
        seconds=row.seconds,
    )


def _votes(session: Any, turn_ids: list[str]) -> dict[str, list[str]]:
    rows = select(FeedbackRow.turn_id, FeedbackRow.vote).where(
        col(FeedbackRow.turn_id).in_(turn_ids)
    )
    found: dict[str, list[str]] = {}
    for turn_id, vote in session.exec(rows):
        found.setdefault(turn_id, []).append(vote)
    return found


def _with_votes(asked: AskedQuestion, votes: dict[str, list[str]]) -> AskedQuestion:
    return replace(asked, votes=tuple(sorted(votes.get(asked.turn_id, ()), reverse=True)))
