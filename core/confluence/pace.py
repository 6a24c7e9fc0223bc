"""Throttle and retry policy for Confluence: one pace for all threads, slower after a 429."""

from __future__ import annotations

import threading
import time
from typing import Any

from urllib3.util import Retry

AT_ONCE = 4  # requests under way, over all threads
SLOWED_S = 60.0  # how long requests come at half the pace after a 429

RETRY = Retry(
    total=6,
    connect=2,
    read=2,
    status=5,
    backoff_factor=1,
    backoff_jitter=0.5,
    backoff_max=60,
    retry_after_max=300,
    status_forcelist={429, 500, 502, 503, 504},
    allowed_methods={"GET", "HEAD", "POST"},  # POST only asks: for names in bulk, for a permission
    raise_on_status=False,
)


TIMEOUT_S = 60

# While somebody waits for an answer: one more try, and an answer or an error within this time.
LIVE_RETRY = Retry(
    total=1,
    connect=1,
    read=0,
    status=1,
    backoff_factor=0.2,
    backoff_jitter=0.2,
    retry_after_max=5,  # whoever waits has given up by then
    status_forcelist={429, 500, 502, 503, 504},
    allowed_methods={"GET", "HEAD", "POST"},
    raise_on_status=False,
)
LIVE_TIMEOUT_S = 5
LIVE_PER_SECOND = 20.0


class RequestPace:
    """Rate limit: spreads requests evenly; one for all threads, since the limit is the site's."""

    def __init__(self, per_second: float) -> None:
        self._gap = 1 / per_second
        self._next = 0.0
        self._quiet_until = 0.0
        self._slow_until = 0.0
        self._lock = threading.Lock()
        self._under_way = threading.Semaphore(AT_ONCE)

    def __enter__(self) -> None:
        self._under_way.acquire()
        time.sleep(self._turn())
        self.wait()

    def __exit__(self, *_: object) -> None:
        self._under_way.release()

    def wait(self) -> None:
        """Wait until the site may be asked again, also when another request was told so."""
        while (rest := self._quiet_until - time.monotonic()) > 0:
            time.sleep(rest)

    def slow_down(self, seconds: float) -> None:
        """Send nothing for so long, from any thread, and then at half the pace for a while."""
        with self._lock:
            self._quiet_until = max(self._quiet_until, time.monotonic() + seconds)
            self._next = max(self._next, self._quiet_until)
            self._slow_until = self._next + SLOWED_S

    def _turn(self) -> float:
        """Seconds until this request's turn."""
        with self._lock:
            now = time.monotonic()
            gap = 2 * self._gap if now < self._slow_until else self._gap
            self._next = max(now, self._next + gap)
            return self._next - now


class Slowing(Retry):
    """urllib3's retries: a 429 slows down the pace of all threads."""

    pace: RequestPace | None = None

    @classmethod
    def of(cls, retry: Retry, pace: RequestPace) -> Slowing:
        """The same retries, under this pace."""
        made = cls(**{name: getattr(retry, name) for name in _ARGUMENTS})
        made.pace = pace
        return made

    def new(self, **more: Any) -> Slowing:
        made = super().new(**more)
        made.pace = self.pace
        return made

    def sleep(self, response: Any = None) -> None:
        if self.pace is not None and response is not None and response.status == 429:
            self.pace.slow_down(self.get_retry_after(response) or 0.0)
        super().sleep(response)
        if self.pace is not None:
            self.pace.wait()


_ARGUMENTS = (
    "total",
    "connect",
    "read",
    "redirect",
    "status",
    "other",
    "allowed_methods",
    "status_forcelist",
    "backoff_factor",
    "backoff_max",
    "backoff_jitter",
    "raise_on_redirect",
    "raise_on_status",
    "history",
    "respect_retry_after_header",
    "remove_headers_on_redirect",
    "retry_after_max",
)
