"""Events of a turn, over a real Redis, and without one."""

from __future__ import annotations

import threading
from itertools import islice

import pytest
import redis

from core.jobs.progress_events import Event, EventKind, Events, explain_channel

NOBODY = "redis://127.0.0.1:1/0"  # a port on which nobody listens


@pytest.fixture
def events(redis_url: str, queues: redis.Redis) -> Events:
    return Events(redis_url)


def first(events: Events, turn_id: str, count: int) -> list[Event]:
    """The first events of a turn, in as many looks as it takes."""
    found: list[Event] = []
    for new in events.follow(turn_id, wait_s=2):
        assert new, "nothing came"
        found += new
        if len(found) >= count:
            break
    return found


def test_events_arrive_in_their_order(events: Events) -> None:
    told = [
        Event(EventKind.START),
        Event(EventKind.STAGE, "retrieve"),
        Event(EventKind.TEXT, "Größe: 5\n"),
        Event(EventKind.TEXT, '"quoted"'),
        Event(EventKind.DONE),
    ]
    for event in told:
        events.publish("1", event)
    assert first(events, "1", len(told)) == told


def test_who_comes_late_hears_everything_and_then_what_is_new(events: Events) -> None:
    events.publish("1", Event(EventKind.START))
    following = events.follow("1", wait_s=2)
    assert next(following) == [Event(EventKind.START)]
    events.publish("1", Event(EventKind.DONE))
    assert next(following) == [Event(EventKind.DONE)]


def test_who_waits_is_woken_by_an_event(events: Events) -> None:
    threading.Timer(0.1, events.publish, ["1", Event(EventKind.DONE)]).start()
    assert next(events.follow("1", wait_s=4)) == [Event(EventKind.DONE)]


def test_an_empty_list_says_that_nothing_happened(events: Events) -> None:
    assert list(islice(events.follow("1", wait_s=0.02), 2)) == [[], []]


def test_the_explanation_of_a_turn_reports_beside_its_answer(events: Events) -> None:
    events.publish("1", Event(EventKind.TEXT, "answer"))
    events.publish("2", Event(EventKind.TEXT, "another turn"))
    events.publish(explain_channel("1"), Event(EventKind.COUNT, done=1, total=9))
    assert first(events, explain_channel("1"), 1) == [Event(EventKind.COUNT, done=1, total=9)]


def test_what_a_worker_of_another_version_writes_breaks_nothing(
    events: Events, queues: redis.Redis
) -> None:
    events.publish("1", Event(EventKind.START))
    (key,) = queues.keys()
    queues.xadd(key, {"event": '["mood", "good"]'})
    queues.xadd(key, {"event": '["text", "Ben"]'})  # without the two counts, as before
    events.publish("1", Event(EventKind.DONE))
    (heard,) = islice(events.follow("1", wait_s=0.1), 1)
    assert heard == [
        Event(EventKind.START),
        Event(EventKind.TEXT, "Ben"),
        Event(EventKind.DONE),
    ]


def test_events_are_forgotten_after_a_while(events: Events, queues: redis.Redis) -> None:
    events.publish("1", Event(EventKind.START))
    (key,) = queues.keys()
    assert queues.ttl(key) > 0


def test_publishing_without_redis_stops_nobody() -> None:
    Events(NOBODY).publish("1", Event(EventKind.START))


def test_following_without_redis_says_so() -> None:
    with pytest.raises(redis.RedisError):
        next(Events(NOBODY).follow("1", wait_s=0.1))
