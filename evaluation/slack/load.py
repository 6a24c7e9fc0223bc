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
    """Questions at a constant rate for some seconds, and what people say to each other."""

    name: str
    rate: float
    seconds: float
    talk: float = 0.0  # messages a second in channels that are for nobody of us

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
            began = time.monotonic()
            sender = _Sender(http, crowd, load.rate, advance, began)
            talker = _Sender(http, crowd, load.talk, lambda: None, began)
            said = range(round(load.talk * load.seconds))
            talked = asyncio.gather(*(talker.talk(number) for number in said))
            asked = await asyncio.gather(*(sender.say(*each) for each in enumerate(texts)))
            await talked
            return asked


@dataclass(frozen=True)
class _Sender:
    """Says everything at its time."""

    http: httpx.AsyncClient
    crowd: Crowd
    rate: float
    advance: Callable[..., None]
    began: float

    async def say(self, number: int, question: str) -> Asked:
        message = await self._send(number, _said(self.crowd, number, question))
        return Asked(message["channel"], message["ts"])

    async def talk(self, number: int) -> None:
        """What people say to each other, in a channel and without a mention."""
        person = self.crowd.people[number % len(self.crowd.people)]
        channel = self.crowd.channels[number % len(self.crowd.channels)]
        text = f"The build {number} is green, see you at lunch."
        await self._send(number, {"user": person, "channel": channel, "text": text})

    async def _send(self, number: int, message: dict[str, Any]) -> dict[str, Any]:
        due = self.began + number / self.rate
        await asyncio.sleep(max(0.0, due - time.monotonic()))
        sent = await self.http.post("/sandbox/say", json=message)
        self.advance()
        return dict(sent.json())


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
