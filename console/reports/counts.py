"""Counts of questions and answers in a period: found, not found, green, voted on, seconds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import quantiles

from sqlalchemy import select as select_columns
from sqlmodel import Session, col, func, select

from console.reports.period import ReportPeriod, teams
from core.models import Confidence
from core.states import TurnState, Vote
from core.storage.database import Database
from core.storage.report_tables import TurnFactsRow
from core.storage.tables import FeedbackRow, ReportRow, TurnRow


@dataclass(frozen=True)
class DayCounts:
    """What became of the questions of one day."""

    day: str  # ISO 8601
    answered: int = 0
    not_found: int = 0
    failed: int = 0

    @property
    def asked(self) -> int:
        return self.answered + self.not_found + self.failed


@dataclass(frozen=True)
class QuestionCounts:
    """What became of the questions of a period."""

    days: tuple[DayCounts, ...]
    failed: dict[str, int]  # by core.states.NoAnswer
    waiting: int
    green: int  # answers with the green badge
    green_down: int  # of these: voted down
    up: int
    down: int
    reports: int
    median_s: float | None
    slow_s: float | None  # nine of ten answers came within
    people: int

    @property
    def asked(self) -> int:
        return sum(day.asked for day in self.days)

    @property
    def answered(self) -> int:
        return sum(day.answered for day in self.days)

    @property
    def not_found(self) -> int:
        return sum(day.not_found for day in self.days)


def count(database: Database, period: ReportPeriod) -> QuestionCounts:
    """One pass over each index; no question and no answer is read."""
    with database.reading() as session:
        facts = session.execute(
            select_columns(
                col(TurnFactsRow.asked_at),
                col(TurnFactsRow.found),
                col(TurnFactsRow.badge),
                col(TurnFactsRow.seconds),
                col(TurnFactsRow.user),
            ).where(col(TurnFactsRow.asked_at) >= period.since)
        ).all()
        failed = list(_failed(session, period))
        votes = _votes(session, period)
        reports = _reports(session, period)
        waiting = session.exec(select(func.count()).where(TurnRow.state == TurnState.WAITING)).one()
    middle, slow = _seconds([seconds for *_, seconds, _ in facts])
    return QuestionCounts(
        days=tuple(_days(period, [(at, found) for at, found, *_ in facts], failed)),
        failed=dict(Counter(reason for _, reason in failed).most_common()),
        waiting=waiting,
        green=sum(badge == Confidence.HIGH for _, _, badge, *_ in facts),
        green_down=votes[Vote.DOWN, Confidence.HIGH],
        up=sum(n for (vote, _), n in votes.items() if vote == Vote.UP),
        down=sum(n for (vote, _), n in votes.items() if vote == Vote.DOWN),
        reports=reports,
        median_s=middle,
        slow_s=slow,
        people=len({user for *_, user in facts}),
    )


def _failed(session: Session, period: ReportPeriod) -> Iterator[tuple[float, str]]:
    """When each question was asked that ended with a reason, from an index alone."""
    for team in teams(session):
        rows = select(TurnRow.asked_at, TurnRow.reason).where(
            TurnRow.team == team,
            TurnRow.asked_at >= period.since,
            TurnRow.reason != "",
        )
        yield from session.exec(rows)


def _votes(session: Session, period: ReportPeriod) -> Counter[tuple[str, str]]:
    """How many, by vote and badge."""
    counted = (
        select(FeedbackRow.vote, TurnFactsRow.badge, func.count())
        .join(TurnFactsRow, col(TurnFactsRow.turn_id) == col(FeedbackRow.turn_id))
        .where(col(TurnFactsRow.asked_at) >= period.since)
        .group_by(FeedbackRow.vote, TurnFactsRow.badge)
    )
    return Counter({(vote, badge): n for vote, badge, n in session.exec(counted)})


def _reports(session: Session, period: ReportPeriod) -> int:
    counted = (
        select(func.count())
        .select_from(ReportRow)
        .join(TurnFactsRow, col(TurnFactsRow.turn_id) == col(ReportRow.turn_id))
        .where(col(TurnFactsRow.asked_at) >= period.since)
    )
    return session.exec(counted).one()


def _days(
    period: ReportPeriod,
    facts: list[tuple[float, bool]],
    failed: list[tuple[float, str]],
) -> Iterator[DayCounts]:
    counted: Counter[tuple[str, str]] = Counter()
    for at, found in facts:
        counted[period.day_of(at), "answered" if found else "not_found"] += 1
    for at, _ in failed:
        counted[period.day_of(at), "failed"] += 1
    for day in period.dates:
        yield DayCounts(
            day,
            answered=counted[day, "answered"],
            not_found=counted[day, "not_found"],
            failed=counted[day, "failed"],
        )


def _seconds(all_of_them: list[float]) -> tuple[float | None, float | None]:
    """The median, and what nine of ten stay below; None where there are too few."""
    if len(all_of_them) < 2:
        return (all_of_them[0] if all_of_them else None), None
    tenths = quantiles(all_of_them, n=10, method="inclusive")
    return tenths[4], tenths[8]
