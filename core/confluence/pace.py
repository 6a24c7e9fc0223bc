"""How fast requests may come: one pace for all threads, and retries that slow everybody down when the site asks for it."""

from __future__ import annotations

import threading
import time
from typing import Any

from urllib3.util import Retry

AT_ONCE = 4  # requests under way, over all threads
SLOWED_S = 60.0  # after a 429, requests come at half the pace for so long

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


class RequestPace:
    """Spreads requests evenly; one for all threads, since the limit is the site's and not a thread's."""

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
        """Until the site may be asked again: what it said to one request counts for those that had their turn already, too."""
        while (rest := self._quiet_until - time.monotonic()) > 0:
            time.sleep(rest)

    def slow_down(self, seconds: float) -> None:
        """The site asked for it: nothing is sent for so long, by anybody, and then at half the pace for a while."""
        with self._lock:
            self._quiet_until = max(self._quiet_until, time.monotonic() + seconds)
            self._next = max(self._next, self._quiet_until)
            self._slow_until = self._next + SLOWED_S

    def _turn(self) -> float:
        """Seconds until this request's turn."""
        with self._lock:
            now = time.monotonic()
            self._next = max(now, self._next + self._gap * (2 if now < self._slow_until else 1))
            return self._next - now


class Slowing(Retry):
    """urllib3's retries, which tell the pace of a 429 and keep to it."""

    pace: RequestPace | None = None

    @classmethod
    def of(cls, retry: Retry, pace: RequestPace) -> Slowing:
        """The same retries, under this pace."""
        made = cls(**{name: getattr(retry, name) for name in _ARGUMENTS.split()})
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
    "total connect read redirect status other allowed_methods status_forcelist backoff_factor backoff_max backoff_jitter "
    "raise_on_redirect raise_on_status history respect_retry_after_header remove_headers_on_redirect retry_after_max"
)
