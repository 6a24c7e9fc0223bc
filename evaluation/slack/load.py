"""The load: questions asked at a given rate, and the wait for the last answer."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from typing import Any

import httpx
import yaml
from sqlmodel import col, select

from core.storage.database import Database
from core.storage.tables import TurnRow
from evaluation.harness.progress import counter
from sandbox.confluence.__main__ import SAMPLE

ONE_IN = 4  # questions is asked in direct messages


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
    """A question: where it stands, and when it was asked."""

    channel: str
    ts: str

    @property
    def at(self) -> float:
        return float(self.ts)


@dataclass(frozen=True)
class Crowd:
    """Who asks, where, of which workspace."""

    url: str
    people: Sequence[str]
    channels: Sequence[str]


async def ask(crowd: Crowd, load: Load, *, title: str) -> list[Asked]:
    """Ask at the given rate, whether or not earlier questions are answered."""
    texts = list(islice(questions(), load.mentions))
    limits = httpx.Limits(max_connections=100)
    async with httpx.AsyncClient(
        base_url=crowd.url, trust_env=False, timeout=60, limits=limits
    ) as http:
        with counter(f"{title}: asking", len(texts)) as advance:
            sender = _Sender(http, crowd, load.rate, advance, began=time.monotonic())
            sent = (sender.say(number, question) for number, question in enumerate(texts))
            return await asyncio.gather(*sent)


@dataclass(frozen=True)
class _Sender:
    """Says each question at its time."""

    http: httpx.AsyncClient
    crowd: Crowd
    rate: float
    advance: Callable[..., None]
    began: float

    async def say(self, number: int, question: str) -> Asked:
        due = self.began + number / self.rate
        await asyncio.sleep(max(0.0, due - time.monotonic()))
        sent = await self.http.post("/sandbox/say", json=_said(self.crowd, number, question))
        self.advance()
        message = sent.json()
        return Asked(message["channel"], message["ts"])


def _said(crowd: Crowd, number: int, question: str) -> dict[str, Any]:
    person = crowd.people[number % len(crowd.people)]
    if number % ONE_IN == ONE_IN - 1:
        return {"user": person, "text": question, "dm": True}
    channel = crowd.channels[number % len(crowd.channels)]
    return {"user": person, "channel": channel, "text": f"@groundwire {question}"}


def questions() -> Iterator[str]:
    """Those of the sample that stand on their own, again and again."""
    entries = yaml.safe_load((SAMPLE / "questions.yaml").read_text(encoding="utf-8"))
    return cycle(entry["question"] for entry in entries if "after" not in entry)


def until_answered(database: Database, asked: Collection[Asked], most_s: float) -> float:
    """Seconds until each question has its final message, or until nobody waits any longer."""
    began = time.monotonic()
    wanted = {(each.channel, each.ts) for each in asked}
    before = 0
    with counter("answering", len(wanted)) as advance:
        while time.monotonic() - began < most_s:
            done = len(wanted & _delivered(database))
            advance(done - before)
            before = done
            if done == len(wanted):
                break
            time.sleep(0.5)
    return round(time.monotonic() - began, 1)


def _delivered(database: Database) -> set[tuple[str, str]]:
    query = select(TurnRow.channel, TurnRow.ts).where(col(TurnRow.delivered_at).is_not(None))
    with database.reading() as session:
        return {(channel, ts) for channel, ts in session.exec(query)}
