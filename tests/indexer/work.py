"""Counts work, the same on every machine however busy: for tests of how a cost grows."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType


def work(task: Callable[[str], object], storage: str) -> int:
    """Calls made by the indexer's code while it reads a page, and characters passed in them.

    Characters count because copying a text again for each line added costs no more calls.
    """
    done = 0

    def count(frame: FrameType, event: str, _: object) -> None:
        nonlocal done
        if not str(frame.f_globals.get("__name__")).startswith("indexer."):
            return
        if event == "c_call":
            done += 1
        elif event == "call":
            done += 1 + sum(
                len(value) for value in frame.f_locals.values() if isinstance(value, str)
            )

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        task(storage)
    finally:
        sys.setprofile(before)
    return done
