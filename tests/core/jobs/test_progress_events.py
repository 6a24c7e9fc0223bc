"""Events of a turn, over a real Redis, and without one."""

from __future__ import annotations

import threading
from itertools import islice

import pytest
import redis

from core.jobs.progress_events import Event, EventKind, Events, explain_channel
from core.storage.tables import new_words_key

KEY, OTHER = new_words_key(), new_words_key()
NOBODY = "redis://127.0.0.1:1/0"  # a port on which nobody listens


@pytest.fixture
def events(redis_url: str, queues: redis.Redis) -> Events:
    return Events(redis_url)


def first(events: Events, turn_id: str, count: int) -> list[Event]:
    """The first events of a turn, in as many looks as it takes."""
    found: list[Event] = []
    for new in events.follow(turn_id, wait_s=2, key=KEY):
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
        events.publish("1", event, key=KEY)
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
    events.publish("1", Event(EventKind.TEXT, "answer"), key=KEY)
    events.publish("2", Event(EventKind.TEXT, "another turn"), key=KEY)
    events.publish(explain_channel("1"), Event(EventKind.COUNT, done=1, total=9))
    assert first(events, explain_channel("1"), 1) == [Event(EventKind.COUNT, done=1, total=9)]


def test_what_a_worker_of_another_version_writes_breaks_nothing(
    events: Events, queues: redis.Redis
) -> None:
    events.publish("1", Event(EventKind.START))
    (key,) = queues.keys()
    queues.xadd(key, {"event": '["mood", "good"]'})
    queues.xadd(key, {"event": '["text", "Ben", 0, 0]'})  # of a version that sealed no words
    queues.xadd(key, {"event": '["stage", "retrieve"]'})  # without the two counts, as before
    events.publish("1", Event(EventKind.DONE))
    (heard,) = islice(events.follow("1", wait_s=0.1), 1)
    assert heard == [
        Event(EventKind.START),
        Event(EventKind.STAGE, "retrieve"),
        Event(EventKind.DONE),
    ]


@pytest.mark.parametrize("kind", [EventKind.TEXT, EventKind.SOURCE, EventKind.EVIDENCE])
def test_words_are_read_with_the_key_of_their_turn_alone(
    events: Events, queues: redis.Redis, kind: EventKind
) -> None:
    events.publish("1", Event(EventKind.START))
    events.publish("1", Event(kind, "the quokka", done=1), key=KEY)
    events.publish("1", Event(kind, "the quokka", done=2))  # a turn without a key says nothing
    (name,) = queues.keys()
    assert "quokka" not in str(queues.xrange(name))
    heard = {key: next(events.follow("1", wait_s=0.1, key=key)) for key in (KEY, OTHER, "")}
    start = Event(EventKind.START)
    assert heard == {KEY: [start, Event(kind, "the quokka", done=1)], OTHER: [start], "": [start]}


def test_events_are_forgotten_after_a_while(events: Events, queues: redis.Redis) -> None:
    events.publish("1", Event(EventKind.START))
    (key,) = queues.keys()
    assert queues.ttl(key) > 0


def test_publishing_without_redis_stops_nobody() -> None:
    Events(NOBODY).publish("1", Event(EventKind.START))


def test_following_without_redis_says_so() -> None:
    with pytest.raises(redis.RedisError):
        next(Events(NOBODY).follow("1", wait_s=0.1))
