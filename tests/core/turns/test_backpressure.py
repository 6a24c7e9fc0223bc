"""Questions in line: who steps aside, who is called back, and what is not lost by it."""

from __future__ import annotations

import time

import pytest
import redis
from test_queue import ADDRESS, queued

from core.jobs.leases import lease
from core.jobs.queue import TaskName, enqueue
from core.storage.database import Database
from core.turns import backpressure, turn_store
from core.turns.turn import NewQuestion, Turn
from core.turns.upkeep import sweeper

PATIENCE_S = 60.0


@pytest.fixture
def turn(database: Database) -> Turn:
    turn = turn_store.ask(database, NewQuestion(ADDRESS, user="U1", text="Who is on call?"))
    assert turn is not None
    return turn


def test_others_wait_for_a_speaker_when_messages_wait(queues: redis.Redis) -> None:
    assert not backpressure.others_wait_for_a_speaker()
    enqueue(TaskName.DELIVER, "turn-1")
    assert backpressure.others_wait_for_a_speaker()


def test_a_worker_calls_the_speaker_back_that_stepped_aside_and_only_once(
    database: Database, queues: redis.Redis, turn: Turn
) -> None:
    assert backpressure.step_aside(database, turn.id, time.time() + PATIENCE_S)
    turn_store.start(database, turn.id)
    backpressure.call_back(database, turn.id)
    backpressure.call_back(database, turn.id)
    assert queued(queues) == [("speak", "bot.deliver", [turn.id])]


def test_nobody_is_called_back_who_did_not_step_aside(
    database: Database, queues: redis.Redis, turn: Turn
) -> None:
    backpressure.call_back(database, turn.id)
    assert queued(queues) == []


def test_nobody_steps_aside_from_what_a_worker_has_taken_up(database: Database, turn: Turn) -> None:
    turn_store.start(database, turn.id)
    assert not backpressure.step_aside(database, turn.id, time.time() + PATIENCE_S)


def test_what_no_worker_takes_up_is_found_by_the_sweeper_when_the_patience_is_over(
    database: Database, queues: redis.Redis, turn: Turn
) -> None:
    backpressure.step_aside(database, turn.id, time.time() + PATIENCE_S)
    assert sweeper.sweep(database) == 0
    backpressure.step_aside(database, turn.id, time.time() - sweeper.OVERDUE_S - 1)
    assert sweeper.sweep(database) == 1
    assert queued(queues) == [("speak", "bot.deliver", [turn.id])]


def test_the_line_moves_while_any_question_is_being_answered(database: Database) -> None:
    with lease(database, f"{TaskName.DELIVER}:a"):
        assert not backpressure.moves(database)
    with lease(database, f"{TaskName.ANSWER}:b"):
        assert backpressure.moves(database)
    assert not backpressure.moves(database)
