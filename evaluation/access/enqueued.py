"""What was enqueued while a history goes on, taken from the queues as workers would."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from core.jobs import queue


def enqueued() -> Iterator[tuple[str, list[str]]]:
    """What waits in the queues, also what is put there meanwhile, until they are empty."""
    with queue.app.connection_for_read() as connection:
        open_queues = [connection.SimpleQueue(name) for name in sorted(set(queue.QUEUES.values()))]
        found = True
        while found:
            found = False
            for each in open_queues:
                while (message := _next(each)) is not None:
                    found = True
                    yield message
        for each in open_queues:
            each.close()


def _next(waiting: Any) -> tuple[str, list[str]] | None:
    try:
        message = waiting.get_nowait()
    except waiting.Empty:
        return None
    message.ack()
    return message.headers["task"], message.payload[0]
