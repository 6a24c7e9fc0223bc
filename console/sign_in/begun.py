"""Sign-ins that were begun: each ends within ten minutes, once, in the browser that began it."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable
from hashlib import sha256

VALID_S = 600.0
MOST = 1_000  # at once: whoever begins more makes the oldest end


class SignInsBegun:
    """In memory, and by hashes: nothing in it lets anybody in."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._begun: dict[str, tuple[str, float]] = {}
        self._lock = threading.Lock()

    def begin(self) -> tuple[str, str]:
        """A state, which goes to Slack and into a cookie, and a nonce for the ID token."""
        state, nonce = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
        with self._lock:
            while len(self._begun) >= MOST:
                del self._begun[next(iter(self._begun))]
            self._begun[_hash(state)] = nonce, self._clock() + VALID_S
        return state, nonce

    def end(self, state: str) -> str | None:
        """Its nonce, once; None for what was not begun here, is ended, or too old."""
        with self._lock:
            nonce, until = self._begun.pop(_hash(state), ("", 0.0))
        return nonce if self._clock() < until else None


def _hash(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()
