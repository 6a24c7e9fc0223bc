"""The load: questions asked at a given rate, and the wait for the last answer."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import cycle, islice

import httpx
import yaml
from sqlmodel import col, func, select

from core.storage.database import Database
from core.storage.tables import TurnRow
from evaluation.harness.progress import counter
from sandbox.confluence.__main__ import SAMPLE
from sandbox.programs.stack import Stack

PEOPLE, CHANNELS = ("alice", "ben", "chloe", "dev"), ("general", "engineering", "hr")
DRAIN_S = 600.0  # all answers have come by then, or never will


@dataclass(frozen=True)
class Load:
    """Mentions at a constant rate for some seconds."""

    name: str
    rate: float
    seconds: float

    @property
    def mentions(self) -> int:
        return round(self.rate * self.seconds)


@dataclass(frozen=True)
class Asked:
    """A mention: where it stands, and when it was made."""

    channel: str
    ts: str

    @property
    def at(self) -> float:
        return float(self.ts)


async def ask(stack: Stack, load: Load, *, title: str) -> list[Asked]:
    """Ask at the given rate, whether or not earlier questions are answered."""
    questions = list(islice(_questions(), load.mentions))
    limits = httpx.Limits(max_connections=100)
    async with httpx.AsyncClient(
        base_url=stack.slack_url, trust_env=False, timeout=60, limits=limits
    ) as http:
        with counter(f"{title}: asking", len(questions)) as advance:
            sender = _Sender(http, load.rate, advance, began=time.monotonic())
            sent = (sender.say(number, question) for number, question in enumerate(questions))
            return await asyncio.gather(*sent)


@dataclass(frozen=True)
class _Sender:
    """Says each question at its time."""

    http: httpx.AsyncClient
    rate: float
    advance: Callable[..., None]
    began: float

    async def say(self, number: int, question: str) -> Asked:
        due = self.began + number / self.rate
        await asyncio.sleep(max(0.0, due - time.monotonic()))
        text = {
            "user": PEOPLE[number % len(PEOPLE)],
            "channel": CHANNELS[number % len(CHANNELS)],
            "text": f"@groundwire {question}",
        }
        sent = await self.http.post("/sandbox/say", json=text)
        self.advance()
        message = sent.json()
        return Asked(message["channel"], message["ts"])


def _questions() -> Iterator[str]:
    entries = yaml.safe_load((SAMPLE / "questions.yaml").read_text(encoding="utf-8"))
    return cycle(entry["question"] for entry in entries if "after" not in entry)


def until_all_answered(database: Database, count: int) -> float:
    """Seconds until every question has its final message."""
    began = time.monotonic()
    before = 0
    with counter("answering", count) as advance:
        while time.monotonic() - began < DRAIN_S:
            done = _delivered(database)
            advance(done - before)
            before = done
            if done >= count:
                break
            time.sleep(0.5)
    return round(time.monotonic() - began, 1)


def _delivered(database: Database) -> int:
    query = select(func.count()).where(col(TurnRow.delivered_at).is_not(None))
    with database.reading() as session:
        return session.exec(query).one()
