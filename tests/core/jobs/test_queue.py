"""The queue and its sweeper, over a real Redis: work that nobody does is enqueued again."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
import threading
import time

import pytest
import redis
from sqlmodel import update
from structlog.testing import capture_logs

from core.attribution import Explanation
from core.jobs.leases import Lease
from core.jobs.pool import Chore
from core.jobs.queue import QUEUES, TaskName, confirm_examples, enqueue
from core.models import Answer, Record
from core.question import Completed
from core.storage.database import Database
from core.storage.tables import ExplanationRow, TurnRow
from core.turns import explanations, turn_delivery, turn_store
from core.turns.turn import Address, NewQuestion, Turn
from core.turns.upkeep import sweeper
from sandbox.programs.environment import child_environment

ADDRESS = Address(team="T1", channel="C1", ts="1.5", thread_ts="1.0")
RECORD = Record(completed=Completed(question="?", text="?"), answer=Answer(text="Ben."))
LONG_AGO = 60.0


@pytest.fixture
def turn(database: Database) -> Turn:
    """A question whose messages were lost a while ago."""
    turn = turn_store.ask(database, NewQuestion(ADDRESS, user="U1", text="Who is on call?"))
    assert turn is not None
    age(database)
    return turn


@pytest.fixture
def explained(database: Database, turn: Turn) -> Turn:
    """A delivered answer whose explanation was asked for, and whose messages were lost."""
    turn_store.answer(database, turn.id, RECORD)
    turn_delivery.delivered(database, turn)
    explanations.request(database, turn.id, "U1")
    age(database)
    return turn


def age(database: Database) -> None:
    """Let everything that is open wait for longer than a queue ever takes."""
    then = {
        "work_enqueued_at": time.time() - LONG_AGO,
        "delivery_enqueued_at": time.time() - LONG_AGO,
    }
    with database.session() as session:
        session.exec(update(TurnRow).values(**then))
        session.exec(update(ExplanationRow).values(**then))


def queued(queues: redis.Redis) -> list[tuple[str, str, list[str]]]:
    """(queue, task, arguments) of all messages that wait."""
    found = []
    for queue in sorted(set(QUEUES.values())):
        messages = [json.loads(raw) for raw in reversed(queues.lrange(queue, 0, -1))]
        found += [
            (queue, message["headers"]["task"], json.loads(base64.b64decode(message["body"]))[0])
            for message in messages
        ]
    return found


def test_every_task_goes_to_its_queue_with_an_id_and_nothing_else(queues: redis.Redis) -> None:
    for task in TaskName:
        enqueue(task, "turn-1")
    assert queued(queues) == [
        ("answer", "worker.answer", ["turn-1"]),
        ("answer", "worker.take_up", ["turn-1"]),
        ("answer", "worker.admit", ["turn-1"]),
        ("answer", "worker.understand", ["turn-1"]),
        ("answer", "worker.confirm", ["turn-1"]),
        ("answer", "worker.confirm_examples", ["turn-1"]),
        ("answer", "worker.confirm_digest", ["turn-1"]),
        ("explain", "worker.explain", ["turn-1"]),
        ("speak", "bot.deliver", ["turn-1"]),
        ("speak", "bot.post_explanation", ["turn-1"]),
        ("speak", "bot.show_details", ["turn-1"]),
        ("speak", "bot.take_back", ["turn-1"]),
        ("speak", "bot.publish_home", ["turn-1"]),
        ("speak", "bot.suggest_prompts", ["turn-1"]),
        ("speak", "bot.afterwards", ["turn-1"]),
        ("speak", "bot.vet", ["turn-1"]),
    ]


def test_what_is_about_no_turn_says_for_whom_it_is_and_what_comes_then(
    queues: redis.Redis,
) -> None:
    confirm_examples(TaskName.PUBLISH_HOME, "T1", "U1", "shown")
    assert queued(queues) == [
        ("answer", "worker.confirm_examples", ["bot.publish_home", "T1", "U1", "shown"])
    ]


def test_a_queue_that_is_away_is_said_so() -> None:
    program = "from core.jobs.queue import TaskName, enqueue\nenqueue(TaskName.ANSWER, 'turn-1')"
    away = child_environment(REDIS_URL="redis://127.0.0.1:1/0")
    done = subprocess.run(
        [sys.executable, "-c", program], env=away, capture_output=True, text=True, check=False
    )
    assert done.stderr.splitlines()[-1].startswith(
        "core.errors.StoreUnavailable: Redis does not answer; is REDIS_URL right"
    )


def test_lost_messages_are_enqueued_again(
    database: Database, queues: redis.Redis, turn: Turn
) -> None:
    assert sweeper.sweep(database) == 2
    assert queued(queues) == [
        ("answer", "worker.answer", [turn.id]),
        ("speak", "bot.deliver", [turn.id]),
    ]


def test_lost_messages_of_an_explanation_are_enqueued_again(
    database: Database, queues: redis.Redis, explained: Turn
) -> None:
    assert sweeper.sweep(database) == 2
    assert queued(queues) == [
        ("explain", "worker.explain", [explained.id]),
        ("speak", "bot.post_explanation", [explained.id]),
    ]


def test_what_was_enqueued_again_is_given_time(
    database: Database, queues: redis.Redis, turn: Turn
) -> None:
    sweeper.sweep(database)
    assert sweeper.sweep(database) == 0
    assert len(queued(queues)) == 2


def test_work_whose_message_still_waits_in_a_busy_queue_is_left_alone(
    database: Database, queues: redis.Redis, turn: Turn
) -> None:
    enqueue(TaskName.ANSWER, turn.id)
    assert sweeper.sweep(database) == 1
    assert queued(queues) == [
        ("answer", "worker.answer", [turn.id]),
        ("speak", "bot.deliver", [turn.id]),
    ]


def test_a_delivery_that_slack_refuses_is_left_alone_until_its_time_comes(
    database: Database, queues: redis.Redis, turn: Turn
) -> None:
    turn_store.answer(database, turn.id, RECORD)
    turn_delivery.deliver_later(database, turn, LONG_AGO)
    assert sweeper.sweep(database) == 0
    turn_delivery.deliver_later(database, turn, -LONG_AGO)
    assert sweeper.sweep(database) == 1


def test_a_new_question_is_given_time(database: Database, queues: redis.Redis) -> None:
    turn_store.ask(database, NewQuestion(ADDRESS, user="U1", text="Who is on call?"))
    assert sweeper.sweep(database) == 0
    assert queued(queues) == []


def test_work_in_somebodys_hands_is_left_alone(
    database: Database, queues: redis.Redis, turn: Turn
) -> None:
    assert Lease(database, f"{TaskName.ANSWER}:{turn.id}").take()
    assert sweeper.sweep(database) == 1
    assert queued(queues) == [("speak", "bot.deliver", [turn.id])]


def test_work_of_a_dead_worker_is_enqueued_again(
    database: Database, queues: redis.Redis, turn: Turn
) -> None:
    assert Lease(database, f"{TaskName.ANSWER}:{turn.id}", seconds=-1).take()
    assert sweeper.sweep(database) == 2


def test_the_lease_of_another_turn_stops_nothing(
    database: Database, queues: redis.Redis, turn: Turn
) -> None:
    Lease(database, f"{TaskName.ANSWER}:another").take()
    assert sweeper.sweep(database) == 2


def test_an_answer_that_nobody_has_delivered_is_delivered(
    database: Database, queues: redis.Redis, turn: Turn
) -> None:
    turn_store.answer(database, turn.id, RECORD)
    assert sweeper.sweep(database) == 1
    assert queued(queues) == [("speak", "bot.deliver", [turn.id])]


def test_what_stands_in_slack_is_left_alone(
    database: Database, queues: redis.Redis, explained: Turn
) -> None:
    nothing = Explanation(turn_id=explained.id, repeats=1)
    explanations.save(database, nothing)
    explanations.delivered(database, explained.id)
    assert sweeper.sweep(database) == 0
    assert queued(queues) == []


def test_a_chore_that_fails_comes_again_and_ends_when_it_is_told_to() -> None:
    stop, did = threading.Event(), []

    def fail() -> None:
        did.append(1)
        if len(did) == 3:
            stop.set()
        raise KeyError(len(did))

    with capture_logs() as said:
        Chore("sweep", 0.001, fail).run(stop)
    assert len(did) == 3
    assert [(line["event"], line["log_level"]) for line in said] == [("sweep.failed", "error")] * 3


def test_celery_alone_is_no_pool() -> None:
    command = [sys.executable, "-m", "celery", "-A", "core.jobs.queue", "worker", "-Q", "answer"]
    done = subprocess.run(
        command, env=child_environment(), capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "start a pool with `python -m worker pool answer`" in done.stderr
