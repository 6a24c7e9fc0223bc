"""Cancellation: runs work in its own thread, abandoned as soon as nobody wants its result.

Abandoned work ends by itself at the next thing it reports, or, while a model says nothing, when its
time is up.
"""

from __future__ import annotations

import contextvars
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TypeVar

CHECK_EVERY_S = 0.5

Result = TypeVar("Result")


def run_cancellable(
    work: Callable[[], Result],
    check: Callable[[], None],
    *,
    every_s: float = CHECK_EVERY_S,
) -> Result:
    """What the work returns, or what it or `check` raises, whichever comes first."""
    pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="cancellable")
    try:
        future = pool.submit(contextvars.copy_context().run, work)
        while not wait([future], timeout=every_s).done:
            check()
        return future.result()
    finally:
        pool.shutdown(wait=False)
