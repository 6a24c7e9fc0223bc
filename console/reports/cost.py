"""Cost of model calls in a period: tokens and money by day, model, space and channel.

Groups of fewer than three people are put together. Money is counted by today's PRICES.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import select as select_columns
from sqlmodel import Session, col

from console.reports.period import ReportPeriod
from console.reports.privacy import FEWEST
from core.policy.prices import cost
from core.states import ExplanationState
from core.storage.database import Database
from core.storage.report_tables import TurnFactsRow
from core.storage.tables import ExplanationRow
from core.usage import Usage

FEW = ""  # the name of the group of all groups that are too small


@dataclass
class Bill:
    """What a group of answers or explanations has cost."""

    name: str
    items: int = 0
    tokens: int = 0
    money: float | None = None  # None: no model of it has a price
    people: set[tuple[str, str]] = field(default_factory=set)

    def add(self, tokens: int, money: float | None, person: tuple[str, str]) -> None:
        self.items += 1
        self.tokens += tokens
        if money is not None:
            self.money = (self.money or 0.0) + money
        self.people.add(person)


@dataclass(frozen=True)
class Bills:
    """What was paid; each part adds up to the same, explanations apart."""

    answers: Bill
    explanations: Bill
    days: tuple[Bill, ...]
    models: tuple[Bill, ...]
    spaces: tuple[Bill, ...]
    channels: tuple[Bill, ...]


def bills(database: Database, period: ReportPeriod, prices: str) -> Bills:
    """Rows are added up as SQL hands them over: a month of answers needs no objects."""
    answers = Bill("answers")
    by_day, by_model = _BillsByName(), _BillsByName()
    by_space, by_channel = _BillsByName(), _BillsByName()
    per_token = _PerToken(prices)
    with database.reading() as session:
        for row in session.execute(_rows(period)):
            tokens = row.prompt_tokens + row.completion_tokens
            money = per_token.money(row.model, row.prompt_tokens, row.completion_tokens)
            person = (row.team, row.user)
            place = FEW if row.private else row.channel
            answers.add(tokens, money, person)
            by_day(period.day_of(row.asked_at)).add(tokens, money, person)
            by_model(row.model).add(tokens, money, person)
            by_space(row.space).add(tokens, money, person)
            by_channel(place).add(tokens, money, person)
        explained = _explanations(session, period)
    return Bills(
        answers=answers,
        explanations=explained,
        days=tuple(by_day(day) for day in period.dates),
        models=_largest(by_model.all.values()),
        spaces=_largest(_with_few_together(by_space.all.values())),
        channels=_largest(_with_few_together(by_channel.all.values())),
    )


def _rows(period: ReportPeriod) -> Any:
    return select_columns(
        col(TurnFactsRow.asked_at),
        col(TurnFactsRow.team),
        col(TurnFactsRow.user),
        col(TurnFactsRow.private),
        col(TurnFactsRow.channel),
        col(TurnFactsRow.space),
        col(TurnFactsRow.model),
        col(TurnFactsRow.prompt_tokens),
        col(TurnFactsRow.completion_tokens),
    ).where(col(TurnFactsRow.asked_at) >= period.since)


class _PerToken:
    """Money for tokens of a model; its price is looked up once."""

    def __init__(self, prices: str) -> None:
        self._prices = prices
        self._known: dict[str, tuple[float, float] | None] = {"": None}

    def money(self, model: str, given: int, written: int) -> float | None:
        if model not in self._known:
            self._known[model] = self._look_up(model)
        price = self._known[model]
        return None if price is None else given * price[0] + written * price[1]

    def _look_up(self, model: str) -> tuple[float, float] | None:
        given = cost(Usage(prompt_tokens=1), model, self._prices)
        written = cost(Usage(completion_tokens=1), model, self._prices)
        return None if given is None or written is None else (given, written)


def _explanations(session: Session, period: ReportPeriod) -> Bill:
    """Of their results only the numbers are read."""
    result = col(ExplanationRow.result)
    rows = select_columns(
        col(ExplanationRow.requested_by),
        result["usage"]["prompt_tokens"].as_integer(),
        result["usage"]["completion_tokens"].as_integer(),
        result["cost"].as_float(),
    ).where(
        col(ExplanationRow.requested_at) >= period.since,
        col(ExplanationRow.state) == ExplanationState.DONE,
    )
    bill = Bill("explanations")
    for person, given, written, money in session.execute(rows):
        bill.add((given or 0) + (written or 0), money, ("", person))
    return bill


class _BillsByName:
    """Bills by name, made when they are asked for."""

    def __init__(self) -> None:
        self.all: dict[str, Bill] = {}

    def __call__(self, name: str) -> Bill:
        return self.all.setdefault(name, Bill(name))


def _with_few_together(bills: Iterable[Bill]) -> Iterator[Bill]:
    """Those of fewer than three people as one."""
    few = Bill(FEW)
    for bill in bills:
        if bill.name != FEW and len(bill.people) >= FEWEST:
            yield bill
            continue
        few.items += bill.items
        few.tokens += bill.tokens
        few.people |= bill.people
        if bill.money is not None:
            few.money = (few.money or 0.0) + bill.money
    if few.items:
        yield few


def _largest(bills: Iterable[Bill]) -> tuple[Bill, ...]:
    return tuple(sorted(bills, key=lambda bill: (bill.money or 0, bill.tokens, bill.items))[::-1])
