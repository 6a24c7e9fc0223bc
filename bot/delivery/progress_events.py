"""What a worker reports while somebody waits for it, and how far that is."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import redis

from bot.slack_api.parts import BotParts
from core import logs
from core.jobs.progress_events import Event

POLL_S = 1.0  # SQL is asked at least this often, whatever Redis says

log = logs.get(__name__)


def events(parts: BotParts, channel: str) -> Iterator[list[Event]]:
    """What the worker reports, at once and then at least once in POLL_S, without end; when Redis is away, just the beat."""
    yield []
    while True:
        try:
            yield from parts.events.follow(channel, wait_s=POLL_S)
        except redis.RedisError as error:
            log.warning("events.not_read", channel=channel, error=str(error))
            time.sleep(POLL_S)
            yield []


@dataclass
class Heard:
    """How far the worker is; kept, because what comes too soon after an update is shown by a later one."""

    stage: str = ""
    text: str = ""
    done: bool = False

    def hear(self, events: Sequence[Event]) -> None:
        for event in events:
            if event.kind == "start":
                self.text, self.done = "", False
            elif event.kind == "stage":
                self.stage = event.data
            elif event.kind == "text":
                self.text += event.data
            elif event.kind == "done":
                self.done = True


@dataclass
class ProgressRate:
    """How fast something counts up, told as `done/of`.

    The speed is measured from the first that was heard, not from zero: whoever takes work up again begins with much of it done.
    """

    done: int = 0
    of: int = 0
    _began: tuple[float, int] | None = None  # when the first was heard, and how many were done then

    def hear(self, told: str, now: float) -> None:
        done, _, of = told.partition("/")
        if not (done.isdigit() and of.isdigit()):
            return
        if self._began is None or int(done) < self._began[1]:
            self._began = now, int(done)
        self.done, self.of = int(done), int(of)

    def seconds_left(self, now: float) -> float | None:
        """None while there is nothing to judge by."""
        if self._began is None or self.done <= self._began[1]:
            return None
        return (self.of - self.done) * (now - self._began[0]) / (self.done - self._began[1])
