"""A database of answered questions for the console: many, made up, spread over some months."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any

from sqlalchemy import insert

from core.models import Answer, Confidence, Evidence, Hit, Kind, Page, Record, Source
from core.policy.acl import OPEN_ID
from core.question import Completed
from core.states import ExplanationState, TurnState, Vote
from core.storage import clock
from core.storage.database import Database
from core.storage.index_tables import PageRow
from core.storage.report_tables import CitedPageRow, TurnFactsRow
from core.storage.tables import ExplanationRow, FeedbackRow, ThreadRow, TurnRow

BATCH = 2_000
DAYS = 90
PEOPLE, CHANNELS, PAGES, SPACES = 800, 60, 2_000, 8
PROMPT = "x" * 12_000  # as long as most are
DAY_S = 86_400.0

Rows = dict[Any, list[dict[str, Any]]]


def fill(database: Database, turns: int, seed: int) -> Iterator[int]:
    """Write so many; yields how many in each batch."""
    chance = random.Random(seed)
    now, record = clock.now(), _record().model_dump(mode="json")
    with database.session() as session:
        session.execute(insert(PageRow), [_page_row(number) for number in range(PAGES)])
    for first in range(0, turns, BATCH):
        numbers = range(first, min(first + BATCH, turns))
        rows: Rows = {table: [] for table in _TABLES}
        for number in numbers:
            at = now - (turns - number) / turns * DAYS * DAY_S
            _add(rows, f"t{number:08}", at, record, chance)
        with database.session() as session:
            for table, values in rows.items():
                if values:
                    session.execute(insert(table), values)
        yield len(numbers)
    database.refresh_statistics()


_TABLES = (ThreadRow, TurnRow, TurnFactsRow, CitedPageRow, FeedbackRow, ExplanationRow)


def _add(
    rows: Rows,
    turn_id: str,
    at: float,
    record: Mapping[str, Any],
    chance: random.Random,
) -> None:
    """A question, its answer and, of some, a vote and an explanation."""
    who: dict[str, Any] = {
        "team": "T1",
        "channel": f"C{chance.randrange(CHANNELS)}",
        "user": f"U{chance.randrange(PEOPLE)}",
        "private": chance.random() < 0.3,
        "asked_at": at,
    }
    found = chance.random() < 0.85
    thread = ThreadRow(id=turn_id, team="T1", channel=who["channel"], thread_ts=turn_id)
    rows[ThreadRow].append(thread.model_dump())
    rows[TurnRow].append(_turn(turn_id, who, record))
    rows[TurnFactsRow].append(_facts(turn_id, who, found, chance))
    for page in chance.sample(range(PAGES), 3):
        cited = CitedPageRow(turn_id=turn_id, page_id=str(page), asked_at=at, found=found)
        rows[CitedPageRow].append(cited.model_dump())
    if chance.random() < 0.15:
        vote = chance.choice([Vote.UP, Vote.UP, Vote.DOWN])
        cast = FeedbackRow(turn_id=turn_id, user=who["user"], vote=vote, at=at)
        rows[FeedbackRow].append(cast.model_dump())
    if chance.random() < 0.02:
        rows[ExplanationRow].append(_explanation(turn_id, at))


def _turn(turn_id: str, who: dict[str, Any], record: Mapping[str, Any]) -> dict[str, Any]:
    return TurnRow(
        **who,
        id=turn_id,
        thread_id=turn_id,
        ts=turn_id,
        question=f"How many days of leave do I get in Porto, {turn_id}?",
        finished_at=who["asked_at"] + 2,
        state=TurnState.DONE,
        record=dict(record),
    ).model_dump()


def _facts(turn_id: str, who: dict[str, Any], found: bool, chance: random.Random) -> dict[str, Any]:
    return TurnFactsRow(
        **who,
        turn_id=turn_id,
        day=int(who["asked_at"] // DAY_S),
        found=found,
        badge=chance.choice(list(Confidence)),
        seconds=chance.random() * 5,
        model="model",
        space=f"S{chance.randrange(SPACES)}",
        prompt_tokens=900,
        completion_tokens=50,
    ).model_dump()


def _explanation(turn_id: str, at: float) -> dict[str, Any]:
    usage = {"calls": 20, "prompt_tokens": 9_000, "completion_tokens": 900, "seconds": 9.0}
    return ExplanationRow(
        turn_id=turn_id,
        requested_by="U1",
        requested_at=at,
        state=ExplanationState.DONE,
        result={"turn_id": turn_id, "usage": usage},
    ).model_dump()


def _page(number: int) -> Page:
    title = f"Page {number}"
    return Page(id=str(number), space="HR", title=title, url=f"https://wiki.example/{number}")


def _page_row(number: int) -> dict[str, Any]:
    page = _page(number)
    return PageRow(
        id=page.id,
        space=page.space,
        title=page.title,
        record=page.model_dump(mode="json"),
        acl_id=OPEN_ID,
    ).model_dump()


def _record() -> Record:
    """Ten pieces of evidence, three of them sources."""
    hits = tuple(
        Hit(
            evidence=Evidence(id=f"e{number}", page_id="1", kind=Kind.PASSAGE, text="word " * 100),
            page=_page(number),
        )
        for number in range(10)
    )
    sources = tuple(
        Source(
            number=number,
            title=hit.page.title,
            url=hit.page.url,
            evidence_ids=(hit.evidence.id,),
        )
        for number, hit in enumerate(hits[:3], 1)
    )
    question = "How many days of leave do I get in Porto?"
    return Record(
        completed=Completed(question=question, text=question),
        answer=Answer(text="It is 25 [1].", sources=sources, confidence=Confidence.MEDIUM),
        hits=hits,
        prompt=PROMPT,
    )
