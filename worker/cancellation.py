"""Lets somebody end work that waits: done in a thread of its own, and left behind as soon as nobody wants its result any more.

What is left behind ends by itself at the next thing it reports; of a model that says nothing, when its time is up.
"""

from __future__ import annotations

import contextvars
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TypeVar

EVERY_S = 0.5

Result = TypeVar("Result")


def watched(
    work: Callable[[], Result], check: Callable[[], None], *, every_s: float = EVERY_S
) -> Result:
    """What the work gives, or what it or `check` raises, whichever comes first."""
    pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="watched")
    try:
        doing = pool.submit(contextvars.copy_context().run, work)
        while not wait([doing], timeout=every_s).done:
            check()
        return doing.result()
    finally:
        pool.shutdown(wait=False)
