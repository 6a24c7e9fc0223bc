"""Progress of a turn as it happens: a Redis stream per turn, written by the worker, read by the bot's delivery.

Best effort: when Redis is away the answer is made and delivered all the same, only without progress in between.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import redis

from core import logs

KEEP_S = 600  # a stream outlives its turn's patience, then Redis forgets it
MOST = 2000  # entries kept per turn

log = logs.get(__name__)


@dataclass(frozen=True)
class Event:
    """One thing that happened.

    `start`: an attempt begins, forget the text of the one before; `stage`: the name of the step; `text`: the next piece of
    the answer; `done`: the answer is saved.
    """

    kind: str
    data: str = ""


class Events:
    """The streams of all turns."""

    def __init__(self, url: str) -> None:
        self._redis = redis.Redis.from_url(
            url, socket_connect_timeout=2, socket_timeout=5, decode_responses=True
        )

    def publish(self, turn_id: str, event: Event) -> None:
        try:
            with self._redis.pipeline() as pipe:
                pipe.xadd(
                    _key(turn_id),
                    {"event": json.dumps([event.kind, event.data])},
                    maxlen=MOST,
                    approximate=True,
                )
                pipe.expire(_key(turn_id), KEEP_S)
                pipe.execute()
        except redis.RedisError as error:
            log.warning("events.not_published", turn=turn_id, kind=event.kind, error=str(error))

    def forget(self, turn_id: str) -> None:
        """Remove what was said about a turn; what Redis cannot remove now it forgets by itself, after KEEP_S."""
        try:
            self._redis.delete(_key(turn_id), _key(explain_channel(turn_id)))
        except redis.RedisError as error:
            log.warning("events.not_forgotten", turn=turn_id, error=str(error))

    def follow(self, turn_id: str, *, wait_s: float) -> Iterator[list[Event]]:
        """Yield the new events, an empty list when `wait_s` passed without one; never ends by itself.

        Raises:
            redis.RedisError: Redis is away; the caller looks into SQL instead.
        """
        last = "0"
        while True:
            reply = self._redis.xread({_key(turn_id): last}, block=int(wait_s * 1000))
            entries = _entries(reply)
            last = entries[-1][0] if entries else last
            yield [Event(*json.loads(fields["event"])) for _, fields in entries]


def explain_channel(turn_id: str) -> str:
    """The name under which the explanation of a turn reports; its answer reports under the turn's id."""
    return f"{turn_id}:explain"


def _key(turn_id: str) -> str:
    return f"groundwire:turn:{turn_id}"


def _entries(reply: Any) -> list[tuple[str, dict[str, str]]]:
    """The entries of the one stream we read; redis-py answers with a list or, under RESP3, with a dict."""
    if not reply:
        return []
    streams = list(reply.values()) if isinstance(reply, dict) else [entries for _, entries in reply]
    return list(streams[0][0] if isinstance(reply, dict) else streams[0])
