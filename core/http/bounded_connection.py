"""A connection has so long to bring a request, and the slowest one makes room for a new one.

uvicorn waits for ever for headers and bodies, and its own limit of connections refuses whoever
comes last: some hundred silent connections would keep Slack out. Here they are closed instead.
"""

from __future__ import annotations

import asyncio
import time
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

MOST_HEADER_BYTES = 32_768
# Slack gives up after 3 s; what has not come whole by then is not from Slack.
REQUEST_S = 5.0
MOST_CONNECTIONS = 256
# A connection that brought a request may bring another one. Longer than callers keep theirs (many
# for 5 s, some for 60), or a request and our goodbye cross each other.
IDLE_S = 75.0


class BoundedConnection(H11Protocol):
    """uvicorn's protocol in pure Python, with a deadline for headers and body together."""

    waiting_since = 0.0
    _is_idle = False
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._expect_request()
        self._make_room()

    def data_received(self, data: bytes) -> None:
        if self._is_idle:
            self._expect_request()
        super().data_received(data)

    def on_response_complete(self) -> None:
        # Neither in the middle of a body that nobody wanted, nor of the next request.
        is_between = self.conn.their_state is not h11.SEND_BODY
        self._is_idle = is_between and not self.conn.trailing_data[0]
        self._wait(IDLE_S if self._is_idle else REQUEST_S)
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def is_receiving(self) -> bool:
        """Whether the request is not here yet: nobody has begun to work on it."""
        return self.conn.their_state in (h11.IDLE, h11.SEND_BODY)

    def _expect_request(self) -> None:
        self._is_idle = False
        self._wait(REQUEST_S)

    def _wait(self, seconds: float) -> None:
        self._stop_waiting()
        self.waiting_since = time.monotonic()
        self._deadline = self.loop.call_later(seconds, self._give_up)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _give_up(self) -> None:
        if self.is_receiving():
            self.transport.abort()

    def _make_room(self) -> None:
        """Drop the one that is not here yet for longest: Slack's requests come in one piece."""
        is_open = [each for each in self.connections if not each.transport.is_closing()]
        if len(is_open) <= MOST_CONNECTIONS:
            return
        slow = [
            each for each in is_open if isinstance(each, BoundedConnection) and each.is_receiving()
        ]
        oldest = min(slow, key=lambda each: each.waiting_since)
        oldest.transport.abort()
