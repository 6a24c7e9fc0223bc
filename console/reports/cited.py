"""Reports of pages: how often each was used, voted on, reported and found to be a cause.

Pages that fewer than three people have asked about are counted and not named.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sqlmodel import Session, col, func, select

from core.attribution import Explanation, Role
from core.pages import PageKey
from core.reports.period import ReportPeriod
from core.reports.privacy import FEWEST
from core.states import ExplanationState, Vote
from core.storage.database import Database
from core.storage.index_tables import EvidenceRow
from core.storage.report_tables import CitedPageRow, TurnFactsRow
from core.storage.tables import ExplanationRow, FeedbackRow, ReportRow

MOST = 300  # pages that are looked at, the worst first
MOST_EXPLANATIONS = 300  # that are read, the newest


@dataclass
class PageUse:
    """What is counted of a page in a period."""

    page: PageKey
    answers: int  # that cite it
    people: int = 0  # who got them
    up: int = 0
    down: int = 0
    reported: int = 0
    caused: int = 0  # explanations in which it was a cause

    @property
    def trouble(self) -> tuple[float, int]:
        """The worst first: by what people said against it, then by how much it is used."""
        return self.down + 2 * self.reported - 0.5 * self.up, self.answers


@dataclass(frozen=True)
class PageUses:
    """The pages that were used, the worst first."""

    pages: tuple[PageUse, ...]
    too_few: int  # of those looked at: pages that fewer than three people have asked about


def page_uses(database: Database, period: ReportPeriod) -> PageUses:
    with database.reading() as session:
        uses = _cited(session, period)
        _count_votes(session, period, uses)
        _count_reports(session, period, uses)
        _count_causes(session, period, uses)
        worst = sorted(uses.values(), key=lambda use: use.trouble, reverse=True)[:MOST]
        _count_people(session, period, worst)
    shown = tuple(use for use in worst if use.people >= FEWEST)
    return PageUses(shown, len(worst) - len(shown))


def _cited(session: Session, period: ReportPeriod) -> dict[PageKey, PageUse]:
    counted = (
        select(CitedPageRow.source, CitedPageRow.page_id, func.count())
        .where(CitedPageRow.asked_at >= period.since, col(CitedPageRow.found))
        .group_by(CitedPageRow.source, CitedPageRow.page_id)
    )
    uses: dict[PageKey, PageUse] = {}
    for source, page_id, answers in session.exec(counted):
        key = PageKey(source, page_id)
        uses[key] = PageUse(key, answers)
    return uses


def _count_people(session: Session, period: ReportPeriod, uses: Iterable[PageUse]) -> None:
    person = col(TurnFactsRow.team) + ":" + col(TurnFactsRow.user)
    for use in uses:
        counted = (
            select(func.count(person.distinct()))
            .join(CitedPageRow, col(TurnFactsRow.turn_id) == col(CitedPageRow.turn_id))
            .where(
                CitedPageRow.source == use.page.source,
                CitedPageRow.page_id == use.page.id,
                CitedPageRow.asked_at >= period.since,
                col(CitedPageRow.found),
            )
        )
        use.people = session.exec(counted).one()


def _count_votes(session: Session, period: ReportPeriod, uses: dict[PageKey, PageUse]) -> None:
    counted = (
        select(CitedPageRow.source, CitedPageRow.page_id, FeedbackRow.vote, func.count())
        .join(FeedbackRow, col(FeedbackRow.turn_id) == col(CitedPageRow.turn_id))
        .where(CitedPageRow.asked_at >= period.since)
        .group_by(CitedPageRow.source, CitedPageRow.page_id, FeedbackRow.vote)
    )
    for source, page_id, vote, votes in session.exec(counted):
        use = uses.get(PageKey(source, page_id))
        if use and vote == Vote.UP:
            use.up = votes
        elif use:
            use.down = votes


def _count_reports(session: Session, period: ReportPeriod, uses: dict[PageKey, PageUse]) -> None:
    """By the pieces that were reported, as far as they are there still."""
    rows = session.exec(select(ReportRow.evidence_ids).where(ReportRow.at >= period.since)).all()
    for found in rows:
        for page in set(_pages_of(session, found).values()):
            if page in uses:
                uses[page].reported += 1


def _count_causes(session: Session, period: ReportPeriod, uses: dict[PageKey, PageUse]) -> None:
    done = select(ExplanationRow.result).where(
        ExplanationRow.requested_at >= period.since,
        ExplanationRow.state == ExplanationState.DONE,
    )
    newest = done.order_by(col(ExplanationRow.requested_at).desc()).limit(MOST_EXPLANATIONS)
    for result in session.exec(newest).all():
        ids = list(_causes(Explanation.model_validate(result)))
        for page in set(_pages_of(session, ids).values()):
            if page in uses:
                uses[page].caused += 1


def _causes(explanation: Explanation) -> Iterator[str]:
    for effect in explanation.effects:
        if effect.role not in (None, Role.UNUSED):
            yield from effect.evidence_ids


def _pages_of(session: Session, evidence_ids: Iterable[str]) -> dict[str, PageKey]:
    rows = select(EvidenceRow.id, EvidenceRow.source, EvidenceRow.page_id).where(
        col(EvidenceRow.id).in_(list(evidence_ids))
    )
    return {each: PageKey(source, page_id) for each, source, page_id in session.execute(rows)}
