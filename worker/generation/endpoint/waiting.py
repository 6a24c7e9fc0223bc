"""Waiting for an endpoint: how long a reply is waited for, and when it is asked once more."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

import openai

from core.storage import clock

PAUSE_S = 10.0  # a model that has begun to write may be silent for so long
AGAIN_S = 0.2  # before the second request, where an endpoint does not say how long

Item = TypeVar("Item")


@dataclass(frozen=True)
class WaitLimits:
    """Times in seconds since 1970."""

    first_word: float  # until then it must have begun to write
    last_word: float  # until then it may write, as long as text grows

    def ends(self, *, text: str, heard_at: float) -> float:
        """How long the next sign of life is waited for."""
        if not text.strip():
            return self.first_word
        return min(heard_at + PAUSE_S, self.last_word)

    def allows(self, wait_s: float) -> bool:
        return clock.now() + wait_s < self.first_word


def again_in_s(error: openai.APIError) -> float | None:
    """Seconds after which a failed request may be sent once more; None: that is of no use."""
    if isinstance(error, openai.APIStatusError):
        if error.status_code == 429:
            return _retry_after(error)
        return AGAIN_S if error.status_code >= 500 else None
    # A connection that was kept open too long; one that times out would only time out again.
    is_lost = isinstance(error, openai.APIConnectionError)
    return AGAIN_S if is_lost and not isinstance(error, openai.APITimeoutError) else None


def awaited(items: Generator[Item], ends: Callable[[], float]) -> Iterator[Item]:
    """The items, each waited for until `ends()`, in seconds since 1970.

    They are made in a thread of its own, since a client's timeout is per read: a slow trickle never
    meets it, and a silence behind one meets it too late. A thread that is left behind ends with the
    read that it is in.

    Raises:
        TimeoutError: the time is over; the items are closed as soon as they can be.
    """
    pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="reply")
    try:
        while True:
            until = ends()
            item = pool.submit(next, items, None).result(timeout=max(0.0, until - clock.now()))
            if clock.now() > until:
                raise TimeoutError
            if item is None:
                return
            yield item
    finally:
        pool.submit(items.close)
        pool.shutdown(wait=False)


def _retry_after(error: openai.APIStatusError) -> float | None:
    """Retry-After in seconds; the other form, a date, no endpoint of models sends."""
    try:
        return max(AGAIN_S, float(error.response.headers.get("retry-after", "")))
    except ValueError:
        return None
