"""Counts of questions and answers in a period: found, not found, green, voted on, seconds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import Integer, cast
from sqlalchemy import select as select_columns
from sqlmodel import Session, col, func, select

from core.models import Confidence
from core.reports.period import DAY_S, ReportPeriod, teams
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
    """SQL adds up; no question and no answer is read."""
    with database.reading() as session:
        groups = _groups(session, period)
        failed = list(_failed(session, period))
        votes = _votes(session, period)
        reports = _reports(session, period)
        people = _people(session, period)
        middle, slow = _seconds(session, period)
        waiting = session.exec(select(func.count()).where(TurnRow.state == TurnState.WAITING)).one()
    return QuestionCounts(
        days=tuple(_days(period, groups, failed)),
        failed=dict(Counter(reason for _, reason in failed).most_common()),
        waiting=waiting,
        green=sum(n for (_, _, badge), n in groups.items() if badge == Confidence.HIGH),
        green_down=votes[Vote.DOWN, Confidence.HIGH],
        up=sum(n for (vote, _), n in votes.items() if vote == Vote.UP),
        down=sum(n for (vote, _), n in votes.items() if vote == Vote.DOWN),
        reports=reports,
        median_s=middle,
        slow_s=slow,
        people=people,
    )


def _groups(session: Session, period: ReportPeriod) -> Counter[tuple[int, bool, str]]:
    """How many answers, by day, whether something was found, and badge."""
    by = (col(TurnFactsRow.day), col(TurnFactsRow.found), col(TurnFactsRow.badge))
    counted = (
        select_columns(*by, func.count())
        .where(col(TurnFactsRow.asked_at) >= period.since)
        .group_by(*by)
    )
    return Counter({(day, found, badge): n for day, found, badge, n in session.execute(counted)})


def _people(session: Session, period: ReportPeriod) -> int:
    person = col(TurnFactsRow.team) + ":" + col(TurnFactsRow.user)
    counted = select(func.count(person.distinct())).where(TurnFactsRow.asked_at >= period.since)
    return session.exec(counted).one()


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
    groups: Counter[tuple[int, bool, str]],
    failed: list[tuple[float, str]],
) -> Iterator[DayCounts]:
    counted: Counter[tuple[str, str]] = Counter()
    for (day, found, _), n in groups.items():
        counted[period.day_of(day * DAY_S), "answered" if found else "not_found"] += n
    for at, _ in failed:
        counted[period.day_of(at), "failed"] += 1
    for date in period.dates:
        yield DayCounts(
            date,
            answered=counted[date, "answered"],
            not_found=counted[date, "not_found"],
            failed=counted[date, "failed"],
        )


def _seconds(session: Session, period: ReportPeriod) -> tuple[float | None, float | None]:
    """The median, and what nine of ten answers stay below, to a tenth; None without answers."""
    tenth = cast(col(TurnFactsRow.seconds) * 10, Integer)
    counted = (
        select_columns(tenth, func.count())
        .where(col(TurnFactsRow.asked_at) >= period.since)
        .group_by(tenth)
        .order_by(tenth)
    )
    groups = session.execute(counted).all()
    all_of_them = sum(n for _, n in groups)
    found: list[float | None] = []
    for share in (0.5, 0.9):
        below, at = 0, None
        for tenths, n in groups:
            below += n
            if below >= share * all_of_them:
                at = tenths / 10
                break
        found.append(at)
    return found[0], found[1]
