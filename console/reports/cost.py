"""Cost of model calls in a period: tokens and money by day, model, space and channel.

Groups of fewer than three people are put together. Money is counted by today's PRICES.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import case, func
from sqlalchemy import select as select_columns
from sqlmodel import Session, col

from core.policy.prices import cost
from core.reports.period import DAY_S, ReportPeriod
from core.reports.privacy import FEWEST
from core.states import ExplanationState
from core.storage.database import Database
from core.storage.report_tables import TurnFactsRow
from core.storage.tables import ExplanationRow
from core.usage import Usage

MOST_PEOPLE = 50  # who have cost most
PERSON = col(TurnFactsRow.team) + "/" + col(TurnFactsRow.user)
FEW = ""  # the name of the group of all groups that are too small


@dataclass
class Bill:
    """What a group of answers or explanations has cost."""

    name: str
    items: int = 0
    tokens: int = 0
    money: float | None = None  # None: no model of it has a price
    people: int = 0

    def add(self, items: int, tokens: int, money: float | None) -> None:
        self.items += items
        self.tokens += tokens
        if money is not None:
            self.money = (self.money or 0.0) + money


@dataclass(frozen=True)
class Bills:
    """What was paid; each part adds up to the same, explanations apart."""

    answers: Bill
    explanations: Bill
    days: tuple[Bill, ...]
    models: tuple[Bill, ...]
    spaces: tuple[Bill, ...]
    channels: tuple[Bill, ...]
    people: tuple[Bill, ...] = ()  # by TEAM/USER, where the operator has switched that on


def bills(
    database: Database, period: ReportPeriod, prices: str, *, by_person: bool = False
) -> Bills:
    """SQL adds up; money is counted by model."""
    place = case((col(TurnFactsRow.private), FEW), else_=col(TurnFactsRow.channel))
    with database.reading() as session:
        ask = _SpentTokens(session, period, prices)
        by_day = ask.sums(col(TurnFactsRow.day))
        days, models = ask.bills(by_day), ask.bills(by_day, by=1)
        spaces = ask.with_people(col(TurnFactsRow.space))
        channels = ask.with_people(place)
        people = ask.bills(ask.sums(PERSON)) if by_person else {}
        explained = _explanations(session, period)
    answers = Bill("answers")
    for bill in models.values():
        answers.add(bill.items, bill.tokens, bill.money)
    by_date = {period.day_of(day * DAY_S): bill for day, bill in days.items()}
    return Bills(
        answers=answers,
        explanations=explained,
        days=tuple(replace(by_date.get(day, Bill(day)), name=day) for day in period.dates),
        models=_largest(models.values()),
        spaces=_largest(_with_few_together(spaces.values())),
        channels=_largest(_with_few_together(channels.values())),
        people=_largest(people.values())[:MOST_PEOPLE],
    )


class _SpentTokens:
    """Sums of what SQL holds of a period, by any column and model."""

    def __init__(self, session: Session, period: ReportPeriod, prices: str) -> None:
        self._session = session
        self._here = col(TurnFactsRow.asked_at) >= period.since
        self._prices = prices

    def sums(self, column: Any) -> Sequence[Any]:
        """Rows of: value of the column, model, answers, tokens in and out."""
        by = (column, col(TurnFactsRow.model))
        counted = (
            select_columns(
                *by,
                func.count(),
                func.sum(TurnFactsRow.prompt_tokens),
                func.sum(TurnFactsRow.completion_tokens),
            )
            .where(self._here)
            .group_by(*by)
        )
        return self._session.execute(counted).all()

    def bills(self, sums: Sequence[Any], by: int = 0) -> dict[Any, Bill]:
        """A bill for each value of the first or, by 1, for each model."""
        found: dict[Any, Bill] = {}
        for row in sums:
            bill = found.setdefault(row[by], Bill(str(row[by])))
            _, model, items, given, written = row
            used = Usage(prompt_tokens=given, completion_tokens=written)
            bill.add(items, given + written, cost(used, model, self._prices) if model else None)
        return found

    def with_people(self, column: Any) -> dict[Any, Bill]:
        """The same, with the number of people in each group."""
        found = self.bills(self.sums(column))
        counted = select_columns(column, func.count(PERSON.distinct())).where(self._here)
        for name, people in self._session.execute(counted.group_by(column)):
            found[name].people = people
        return found


def _explanations(session: Session, period: ReportPeriod) -> Bill:
    """Of their results only the numbers are read."""
    result = col(ExplanationRow.result)
    rows = select_columns(
        result["usage", "prompt_tokens"].as_integer(),
        result["usage", "completion_tokens"].as_integer(),
        result["cost"].as_float(),
    ).where(
        col(ExplanationRow.requested_at) >= period.since,
        col(ExplanationRow.state) == ExplanationState.DONE,
    )
    bill = Bill("explanations")
    for given, written, money in session.execute(rows):
        bill.add(1, (given or 0) + (written or 0), money)
    return bill


def _with_few_together(bills: Iterable[Bill]) -> Iterator[Bill]:
    """Those of fewer than three people as one, with the smallest of the others.

    For all of them together may be one person's.
    """
    few, shown = Bill(FEW), list[Bill]()
    for bill in bills:
        if bill.name != FEW and bill.people >= FEWEST:
            shown.append(bill)
        else:
            few.add(bill.items, bill.tokens, bill.money)
    if few.items:
        if shown:
            smallest = min(shown, key=lambda bill: bill.items)
            shown.remove(smallest)
            few.add(smallest.items, smallest.tokens, smallest.money)
        shown.append(few)
    yield from shown


def _largest(bills: Iterable[Bill]) -> tuple[Bill, ...]:
    return tuple(sorted(bills, key=lambda bill: (bill.money or 0, bill.tokens, bill.items))[::-1])
