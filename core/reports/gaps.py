"""Gaps: questions that found nothing, were voted down, or that a page should answer as people say.

Those that mean the same stand together; what was asked again and is answered now is none any more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sqlalchemy import or_
from sqlalchemy import select as select_columns
from sqlmodel import Session, col, exists, select

from core.embeddings import Vectors
from core.pages import PageKey
from core.reports.period import ReportPeriod
from core.reports.privacy import FEWEST, may_be_read
from core.states import Cure, TurnState, Vote
from core.storage.database import Database
from core.storage.hand_over_tables import HandOverRow
from core.storage.loop_tables import FixQuestionRow
from core.storage.report_tables import CitedPageRow, TurnFactsRow
from core.storage.tables import FeedbackRow, TurnRow

MOST = 400  # questions that are compared, the newest
# Two questions ask for the same from this cosine on: with the bundled encoder every question of
# ConfQuestions' development half and its German translation are above, and of pairs of different
# questions that employees typed about one wiki .5 in a thousand.
ALIKE = 0.6

Embed = Callable[[Sequence[str]], Vectors]


@dataclass(frozen=True)
class GapQuestion:
    """A question that was not answered well."""

    turn_id: str
    asked_at: float
    text: str  # empty: it may be counted and not read
    found: bool  # True: it was answered, and somebody said that it should be answered better
    pages: tuple[PageKey, ...] = ()  # the nearest, or those of the answer


@dataclass
class WikiGap:
    """Questions that mean the same; only those that may be read are named."""

    questions: list[GapQuestion] = field(default_factory=list)
    people: set[tuple[str, str]] = field(default_factory=set)
    named_by: set[tuple[str, str]] = field(default_factory=set)  # who asked those in `questions`
    asked: int = 0

    @property
    def is_shown(self) -> bool:
        return bool(self.questions)

    @property
    def has_enough_people(self) -> bool:
        """Whether numbers about them tell of no single person."""
        return len(self.people) >= FEWEST

    @property
    def pages(self) -> tuple[PageKey, ...]:
        """The nearest pages, those first that are nearest to most of its questions."""
        counted: dict[PageKey, int] = {}
        for question in self.questions:
            for page in question.pages:
                counted[page] = counted.get(page, 0) + 1
        return tuple(sorted(counted, key=lambda page: -counted[page])[:3])


@dataclass(frozen=True)
class Gaps:
    """What the wiki lacks, most asked first."""

    gaps: tuple[WikiGap, ...]
    private: int  # questions in groups of which nothing may be shown


def gaps(database: Database, period: ReportPeriod, embed: Embed, team: str = "") -> Gaps:
    """Of one workspace, or of all."""
    with database.reading() as session:
        rows = session.execute(_failed(period, team)).all()
        pages = _nearest(session, [row.id for row in rows if row.may_be_read])
    groups: list[WikiGap] = []
    places = _grouped(embed([row.question for row in rows]))
    for place, row in zip(places, rows, strict=True):
        if place == len(groups):
            groups.append(WikiGap())
        _add(groups[place], row, pages.get(row.id, ()))
    shown = sorted(
        (gap for gap in groups if gap.is_shown),
        key=lambda gap: (len(gap.people) if gap.has_enough_people else 0, len(gap.questions)),
        reverse=True,
    )
    return Gaps(tuple(shown), sum(gap.asked for gap in groups if not gap.is_shown))


def _add(gap: WikiGap, row: Any, pages: tuple[PageKey, ...]) -> None:
    gap.asked += 1
    gap.people.add((row.team, row.user))
    if row.may_be_read and not row.by_button:
        question = GapQuestion(row.id, row.asked_at, row.question, row.found, pages)
        gap.questions.append(question)
        gap.named_by.add((row.team, row.user))


def _failed(period: ReportPeriod, team: str) -> Any:
    """The newest; those that a button asked say words of a page, and are counted alone."""
    voted_down = exists().where(
        col(FeedbackRow.turn_id) == col(TurnRow.id), col(FeedbackRow.vote) == Vote.DOWN
    )
    should_say = exists().where(
        col(HandOverRow.turn_id) == col(TurnRow.id), col(HandOverRow.should_say).is_(True)
    )
    cured = exists().where(
        col(FixQuestionRow.turn_id) == col(TurnRow.id),
        col(FixQuestionRow.outcome).in_((Cure.ANSWERED, Cure.OTHERWISE)),
    )
    query = (
        select_columns(
            col(TurnRow.id),
            col(TurnRow.team),
            col(TurnRow.user),
            col(TurnRow.asked_at),
            col(TurnRow.question),
            col(TurnRow.by_button),
            col(TurnFactsRow.found),
            may_be_read().label("may_be_read"),
        )
        .join(TurnFactsRow, col(TurnFactsRow.turn_id) == col(TurnRow.id))
        .where(
            col(TurnFactsRow.asked_at) >= period.since,
            col(TurnRow.state) == TurnState.DONE,
            or_(~col(TurnFactsRow.found), voted_down, should_say),
            ~cured,
        )
    )
    if team:
        query = query.where(col(TurnRow.team) == team)
    return query.order_by(col(TurnFactsRow.asked_at).desc()).limit(MOST)


def _nearest(session: Session, turn_ids: Sequence[str]) -> dict[str, tuple[PageKey, ...]]:
    rows = select(CitedPageRow.turn_id, CitedPageRow.source, CitedPageRow.page_id).where(
        col(CitedPageRow.turn_id).in_(turn_ids)
    )
    found: dict[str, list[PageKey]] = {}
    for turn_id, source, page_id in session.exec(rows):
        found.setdefault(turn_id, []).append(PageKey(source, page_id))
    return {turn_id: tuple(pages) for turn_id, pages in found.items()}


def _grouped(vectors: Vectors) -> list[int]:
    """The number of each text's group: that of the first text that it is like, else a new one.

    >>> _grouped(np.array([[1, 0], [0, 1], [0.8, 0.6]], np.float32))
    [0, 1, 0]
    """
    first: list[int] = []  # of each group
    places: list[int] = []
    for number, vector in enumerate(vectors):
        alike = vectors[first] @ vector if first else np.zeros(0, np.float32)
        nearest = int(alike.argmax()) if len(alike) else -1
        if nearest >= 0 and alike[nearest] >= ALIKE:
            places.append(nearest)
            continue
        first.append(number)
        places.append(len(first) - 1)
    return places
