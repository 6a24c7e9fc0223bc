"""Sessions of the console: a link that works once opens one, and it ends by itself.

They live in this process: a restart ends all of them. What is kept of a link or a session is the
hash of its secret, so nothing in this process's memory lets anybody in.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import sha256

LINK_S = 600.0  # a link that nobody uses
IDLE_S = 1800.0  # a session in which nothing happens
LONGEST_S = 8 * 3600.0  # any session


class ConsoleRole(StrEnum):
    """What somebody may do in the console."""

    VIEWER = "viewer"  # numbers, gaps, pages, sync, cost
    OPERATOR = "operator"  # also single questions and answers, settings, the audit log

    def may(self, needed: ConsoleRole) -> bool:
        return needed is ConsoleRole.VIEWER or self is ConsoleRole.OPERATOR


@dataclass
class ConsoleSession:
    """Somebody who has come in."""

    role: ConsoleRole
    began: float
    used: float  # the last time
    who: str = ""  # in Slack, as TEAM/USER; empty: by a link
    # What forms carry: another site cannot read it (OWASP: synchronizer token).
    form_token: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)


class Sessions:
    """Links that were given out and sessions that are open; times are those of `clock`."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._links: dict[str, tuple[ConsoleRole, float]] = {}
        self._sessions: dict[str, ConsoleSession] = {}
        self._lock = threading.Lock()

    def link(self, role: ConsoleRole) -> str:
        """The secret of a new link."""
        secret = secrets.token_urlsafe(32)
        with self._lock:
            self._links[_hash(secret)] = (role, self._clock() + LINK_S)
        return secret

    def enter(self, link: str) -> str | None:
        """The secret of a new session; None for a link that was used, is too old or unknown."""
        now = self._clock()
        with self._lock:
            role, until = self._links.pop(_hash(link), (ConsoleRole.VIEWER, 0.0))
        return self.open(role) if now < until else None

    def open(self, role: ConsoleRole, who: str = "") -> str:
        """The secret of a new session."""
        secret, now = secrets.token_urlsafe(32), self._clock()
        with self._lock:
            self._sessions[_hash(secret)] = ConsoleSession(role, began=now, used=now, who=who)
        return secret

    def find(self, secret: str) -> ConsoleSession | None:
        """The session, which is used by that; None once it has ended."""
        now, key = self._clock(), _hash(secret)
        with self._lock:
            session = self._sessions.get(key)
            if session is None:
                return None
            if now - session.used >= IDLE_S or now - session.began >= LONGEST_S:
                del self._sessions[key]
                return None
            session.used = now
            return session

    def leave(self, secret: str) -> None:
        with self._lock:
            self._sessions.pop(_hash(secret), None)


def _hash(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()
