"""Locks by what they are for: what one person writes is heard one by one, and nobody else waits.

They hold within one process: of two bots, Slack may give each one part of what somebody writes.
"""

from __future__ import annotations

import threading
from collections.abc import Hashable

LOCKS = 64  # two people who share one wait for each other, some milliseconds


class OneByOne:
    """A lock for each key, of a fixed number of them."""

    def __init__(self) -> None:
        self._locks = [threading.RLock() for _ in range(LOCKS)]

    def of(self, *key: Hashable) -> threading.RLock:
        return self._locks[hash(key) % LOCKS]
