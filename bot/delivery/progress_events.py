"""Follows the progress that a worker reports, and estimates the time that is left."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import redis

from core import logs
from core.access.disclosure import Disclosure
from core.jobs.progress_events import Event, EventKind, Events
from core.turns import disclosures

POLL_S = 1.0  # SQL is asked at least this often, whatever Redis says

log = logs.get(__name__)


def follow(events: Events, channel: str, *, key: str = "") -> Iterator[list[Event]]:
    """What the worker reports, at once and at least every POLL_S, without end.

    While Redis is away, empty lists come in that rhythm; words come where the turn's key is given.
    """
    yield []
    while True:
        try:
            yield from events.follow(channel, wait_s=POLL_S, key=key)
        except redis.RedisError as error:
            log.warning("events.not_read", channel=channel, error=str(error))
            time.sleep(POLL_S)
            yield []


@dataclass
class WorkerProgress:
    """How far the worker is; kept, because updates are rate-limited and a later one shows it."""

    stage: str = ""
    text: str = ""
    # What the text gives away. Before that is known, text is not taken in.
    shows: Disclosure | None = None
    done: bool = False
    urls: dict[str, str] = field(default_factory=dict)  # where each citation leads, by its number

    def apply(self, events: Sequence[Event]) -> None:
        for event in events:
            if event.kind is EventKind.START:
                self.text, self.shows, self.done, self.urls = "", None, False, {}
            elif event.kind is EventKind.STAGE:
                self.stage = event.data
            elif event.kind is EventKind.EVIDENCE:
                told = disclosures.of_event(event)
                self.shows = told if self.shows is None else self.shows | told
            elif event.kind is EventKind.SOURCE:
                self.urls[str(event.done)] = event.data
            elif event.kind is EventKind.TEXT and self.shows is not None:
                self.text += event.data
            elif event.kind is EventKind.DONE:
                self.done = True


@dataclass
class ProgressRate:
    """How fast something counts up.

    The rate is measured from the first report, not from zero: a worker that resumes begins with
    much of the work done.
    """

    done: int = 0
    total: int = 0
    _began_at: float | None = None  # when the first report came
    _began_with: int = 0  # how many were done then

    def update(self, events: Sequence[Event], now: float) -> None:
        counts = [event for event in events if event.kind is EventKind.COUNT]
        if not counts:
            return
        self.done, self.total = counts[-1].done, counts[-1].total
        if self._began_at is None or self.done < self._began_with:
            self._began_at, self._began_with = now, self.done

    def seconds_left(self, now: float) -> float | None:
        """None while there is nothing to judge by."""
        progressed = self.done - self._began_with
        if self._began_at is None or progressed <= 0:
            return None
        seconds_each = (now - self._began_at) / progressed
        return (self.total - self.done) * seconds_each
