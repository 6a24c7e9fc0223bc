"""A flood of what nobody signed: what acknowledgements take with it and without, in turns."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import psutil

from evaluation.slack.figures import Figures, Json, acknowledged_ms, events_of_people, quantiles
from evaluation.slack.load import Crowd, Load, ask
from evaluation.slack.stage import Conditions, Stage, running
from sandbox.programs.stack import PATH
from sandbox.slack.workspace.link import RetryPolicy

TURNS = 3
RATE = 200  # unsigned requests a second


@dataclass(frozen=True)
class Turn:
    """A stretch of the load, with the flood or without."""

    flooded: bool
    began: float
    ended: float

    def holds(self, event: Json) -> bool:
        sent = float(event["sent_at"][0])
        return self.began <= sent <= self.ended


def flooded(conditions: Conditions, load: Load) -> Figures:
    """The load in turns: by itself, and with unsigned requests at RATE beside it.

    Raises:
        DidNotStart: a program did not.
    """
    with running(conditions) as stage:
        before = _memory_mb(stage)
        turns: list[Turn] = []
        answered: list[dict[str, int]] = []
        for _ in range(TURNS):
            turns.append(_turn(stage, load, is_flooded=False))
            with _flood(stage, answered):
                turns.append(_turn(stage, load, is_flooded=True))
        time.sleep(RetryPolicy().ack_s)
        events = events_of_people(stage.workspace)
        return {
            **_acknowledged("without", _of(events, turns, is_flooded=False)),
            **_acknowledged("flooded", _of(events, turns, is_flooded=True)),
            "n, unsigned: refused": _count(answered, "401", "413"),
            "n, unsigned: closed without a word": _count(answered, "0"),
            "n, unsigned: anything else": _count(answered) - _count(answered, "401", "413", "0"),
            "MB of the bot, before": before,
            "MB of the bot, after": _memory_mb(stage),
        }


def _turn(stage: Stage, load: Load, *, is_flooded: bool) -> Turn:
    began = time.time()
    crowd = Crowd(stage.stack.slack_url, stage.people, stage.channels)
    title = "flooded" if is_flooded else "without"
    asyncio.run(ask(crowd, load, title=title))
    return Turn(is_flooded, began, time.time())


@contextmanager
def _flood(stage: Stage, answered: list[dict[str, int]]) -> Iterator[None]:
    url = stage.stack.bot_url + PATH
    command = [sys.executable, "-m", "sandbox.programs.flood", url, "--rate", str(RATE)]
    programs = stage.stack.programs
    program = programs.start("flood", command, stage.stack.environment, ready="flooding")
    program.wait_until_ready()
    yield
    program.process.terminate()
    program.process.wait()
    answered.append(json.loads(program.last_words()))


def _of(events: Sequence[Json], turns: Sequence[Turn], *, is_flooded: bool) -> list[Json]:
    mine = [turn for turn in turns if turn.flooded is is_flooded]
    return [event for event in events if any(turn.holds(event) for turn in mine)]


def _acknowledged(name: str, events: Sequence[Json]) -> Figures:
    late = sum(not event["acknowledged"] or event["attempts"] > 1 for event in events)
    return {
        f"n, {name}: events": len(events),
        f"n, {name}: not acknowledged at once": late,
        **quantiles(f"ms, {name}: acknowledged", acknowledged_ms(events), 50, 99),
    }


def _count(answered: Sequence[dict[str, int]], *statuses: str) -> int:
    """How many had one of these statuses, or any."""
    return sum(
        number
        for each in answered
        for status, number in each.items()
        if not statuses or status in statuses
    )


def _memory_mb(stage: Stage) -> float:
    bot = psutil.Process(stage.stack.programs.running["bot"].process.pid)
    processes = [bot, *bot.children(recursive=True)]
    return round(sum(each.memory_info().rss for each in processes) / 1e6, 1)
