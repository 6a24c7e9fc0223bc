"""A week's digest is drafted once, and counts only what it names."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from sqlmodel import select

from core.models import Answer, Note, Record
from core.question import Completed
from core.reports.gaps import GapQuestion, WikiGap
from core.storage.database import Database
from core.storage.loop_tables import DigestGapRow
from core.turns import turn_store
from core.turns.turn import Address, NewQuestion
from worker.bootstrap import WorkerParts
from worker.digest import weekly
from worker.digest.drafting import Draft
from worker.digest.weekly import WeeklyDigest


class Counted(WeeklyDigest):
    """Counts how often sentences are drafted."""

    drafted = 0

    def _drafts(self, found: Any) -> dict[str, Draft | None]:
        Counted.drafted += 1
        return {}


@pytest.fixture
def parts(database: Database) -> WorkerParts:
    due = f"{datetime.now(UTC) - timedelta(minutes=1):%a %H:%M}".lower()
    settings = SimpleNamespace(
        digest_at=due, has_digest=True, digest_channels_of=lambda _: ["C9"], digest_owners=False
    )
    embedder = SimpleNamespace(embed=lambda texts: np.ones((len(texts), 1), np.float32))
    made: Any = SimpleNamespace(
        database=database,
        settings=settings,
        authorizer=SimpleNamespace(check_all=lambda *_: SimpleNamespace(allowed=set())),
        attributor=SimpleNamespace(embedder=embedder),
    )
    return cast(WorkerParts, made)


def test_what_is_told_already_is_not_drafted_again(database: Database, parts: WorkerParts) -> None:
    where = Address("T1", "C1", "1.0", "1.0")
    turn = turn_store.ask(database, NewQuestion(where, user="U1", text="Sauna?"))
    assert turn
    answer = Answer(text="Nothing.", notes=(Note.NOT_FOUND,))
    completed = Completed(question="Sauna?", text="Sauna?")
    assert turn_store.answer(database, turn.id, Record(completed=completed, answer=answer))
    for _ in range(3):  # pools
        Counted(parts).when_due()
    assert Counted.drafted == 1
    with database.reading() as session:
        assert len(session.exec(select(DigestGapRow)).all()) == 1
    Counted.drafted = 0


def test_numbers_are_of_what_is_named_alone() -> None:
    named = [GapQuestion(str(number), 0.0, "Sauna?", found=False) for number in (1, 2)]
    who = [("T1", f"U{number}") for number in range(4)]
    few = WikiGap(questions=named, people=set(who), named_by=set(who[:2]), asked=9)
    many = WikiGap(questions=named, people=set(who), named_by=set(who[:3]), asked=9)
    made = [weekly._new(gap, [], None) for gap in (few, many)]
    assert [(each.people, each.asked) for each in made] == [(0, 2), (3, 2)]
