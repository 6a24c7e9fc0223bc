"""Progress events: a Redis stream per turn, written by the worker, read by the bot's delivery.

Best effort: when Redis is away the answer is made and delivered all the same, only without
progress in between.

Redis may write what it is told to a disk, where it outlives what is deleted. So words are sealed
with a key of their turn, which is in SQL alone and is dropped with everything else of a turn that
is forgotten.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

import redis
from cryptography.fernet import Fernet, InvalidToken

from core import logs
from core.models import Source

KEEP_S = 600  # a stream outlives its turn's patience, then Redis forgets it
MOST = 2000  # entries kept per turn

log = logs.get(__name__)


class EventKind(StrEnum):
    """What an event tells."""

    START = "start"  # an attempt begins: forget the text of the one before
    STAGE = "stage"  # `data` is the name of the step
    # `data` is what the text gives away, see core.turns.disclosures; text before it is not shown.
    EVIDENCE = "sealed-evidence"
    SOURCE = "sealed-source"  # `data` is the address that the citation `done` of the text leads to
    TEXT = "sealed-text"  # `data` is the next piece of the answer
    COUNT = "count"  # `done` of `total` are done
    DONE = "done"  # the answer is saved


SEALED = {EventKind.EVIDENCE, EventKind.SOURCE, EventKind.TEXT}


@dataclass(frozen=True)
class Event:
    """One thing that happened."""

    kind: EventKind
    data: str = ""
    done: int = 0
    total: int = 0


class Events:
    """The streams of all turns."""

    def __init__(self, url: str) -> None:
        self._redis = redis.Redis.from_url(
            url, socket_connect_timeout=2, socket_timeout=5, decode_responses=True
        )

    def publish(self, turn_id: str, event: Event, *, key: str = "") -> None:
        """Tell whoever follows; with the turn's key, without which words are not told."""
        if event.kind in SEALED:
            if not key:
                return
            sealed = Fernet(key).encrypt(event.data.encode())
            event = replace(event, data=sealed.decode())
        stream = _key(turn_id)
        data = json.dumps([event.kind, event.data, event.done, event.total])
        try:
            with self._redis.pipeline() as pipe:
                pipe.xadd(stream, {"event": data}, maxlen=MOST, approximate=True)
                pipe.expire(stream, KEEP_S)
                pipe.execute()
        except redis.RedisError as error:
            log.warning(
                "events.not_published",
                turn=turn_id,
                kind=event.kind,
                error=str(error),
            )

    def forget(self, turn_id: str) -> None:
        """Delete the events of a turn; what Redis cannot delete now it drops after KEEP_S."""
        try:
            self._redis.delete(_key(turn_id), _key(explain_channel(turn_id)))
        except redis.RedisError as error:
            log.warning("events.not_forgotten", turn=turn_id, error=str(error))

    def follow(self, turn_id: str, *, wait_s: float, key: str = "") -> Iterator[list[Event]]:
        """Yield new events, an empty list when `wait_s` passed without one; never ends by itself.

        Words are left out that were not sealed with this key.

        Raises:
            redis.RedisError: Redis is away; the caller looks into SQL instead.
        """
        stream = _key(turn_id)
        block = int(wait_s * 1000)
        last = "0"
        while True:
            reply = self._redis.xread({stream: last}, block=block)
            entries = _entries(reply)
            last = entries[-1][0] if entries else last
            yield _events(entries, key)


def cited_event(source: Source) -> Event:
    """Tells where a citation leads, before the text in which it stands."""
    return Event(EventKind.SOURCE, source.url, source.number)


def explain_channel(turn_id: str) -> str:
    """The stream of a turn's explanation; its answer reports under the turn's id."""
    return f"{turn_id}:explain"


def _key(turn_id: str) -> str:
    return f"groundwire:turn:{turn_id}"


def _events(entries: list[tuple[str, dict[str, str]]], key: str) -> list[Event]:
    """Those of a kind that this version knows; a worker of another version may write others."""
    found = []
    for _, fields in entries:
        kind, *more = json.loads(fields["event"])
        if kind in list(EventKind):
            found.append(_opened(Event(EventKind(kind), *more), key))
    return [event for event in found if event]


def _opened(event: Event, key: str) -> Event | None:
    if event.kind not in SEALED:
        return event
    try:
        return replace(event, data=Fernet(key).decrypt(event.data).decode()) if key else None
    except InvalidToken:
        return None


def _entries(reply: Any) -> list[tuple[str, dict[str, str]]]:
    """The entries of the one stream we read; redis-py sends a list or, under RESP3, a dict."""
    if not reply:
        return []
    if isinstance(reply, dict):
        (batches,) = reply.values()
        return list(batches[0])
    ((_, entries),) = reply
    return list(entries)
