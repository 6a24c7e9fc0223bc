"""Server-sent events for workspace pages: what changed, without its content, to be fetched."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator

from sandbox.slack.workspace.values import Json

KEEPALIVE_S = 15.0


class Changes:
    """Listeners with their queues: html.spec.whatwg.org/multipage/server-sent-events.html"""

    def __init__(self) -> None:
        self._listeners: set[asyncio.Queue[Json | None]] = set()

    def tell(self, kind: str, channel: str = "", ts: str = "") -> None:
        for queue in self._listeners:
            queue.put_nowait({"kind": kind, "channel": channel, "ts": ts})

    def close(self) -> None:
        """End every stream, so that the server can stop."""
        for queue in self._listeners:
            queue.put_nowait(None)

    async def stream(self) -> AsyncIterator[str]:
        queue: asyncio.Queue[Json | None] = asyncio.Queue()
        self._listeners.add(queue)
        try:
            yield ": hello\n\n"
            while (line := await _next_line(queue)) is not None:
                yield line
        finally:
            self._listeners.discard(queue)


async def _next_line(queue: asyncio.Queue[Json | None]) -> str | None:
    try:
        change = await asyncio.wait_for(queue.get(), KEEPALIVE_S)
    except TimeoutError:
        return ": still here\n\n"
    return None if change is None else f"data: {json.dumps(change)}\n\n"
