"""One question at a time in each thread: what is queued, when patience starts, what is next."""

from __future__ import annotations

import json
import time
from itertools import count

import pytest
import redis
from sqlmodel import update

from core.jobs.queue import TaskName
from core.models import Answer, Record
from core.question import Completed
from core.states import NoAnswer
from core.storage.database import Database
from core.storage.tables import TurnRow
from core.turns import thread_queue, turn_store
from core.turns.turn import Address, NewQuestion, Turn
from core.turns.upkeep import sweeper

RECORD = Record(completed=Completed(question="?", text="?"), answer=Answer(text="Ben."))
_ts = count(1)


def ask(database: Database, thread_ts: str = "1.0") -> Turn:
    where = Address(team="T1", channel="C1", ts=f"{next(_ts)}.5", thread_ts=thread_ts)
    turn = turn_store.ask(database, NewQuestion(where, user="U1", text="Who is on call?"))
    assert turn is not None
    return turn


def reload(database: Database, turn: Turn) -> Turn:
    found = turn_store.load(database, turn.id)
    assert found is not None
    return found


def test_a_question_is_queued_while_an_earlier_one_of_its_thread_waits(database: Database) -> None:
    first, second = ask(database), ask(database)
    assert (first.queued, second.queued) == (False, True)
    turn_store.answer(database, first.id, RECORD)
    assert not reload(database, second).queued


@pytest.mark.parametrize("other", ["2.0", "3.0"])
def test_other_threads_do_not_wait(database: Database, other: str) -> None:
    ask(database)
    assert not ask(database, other).queued


def test_questions_come_in_the_order_in_which_they_were_asked(database: Database) -> None:
    turns = [ask(database) for _ in range(3)]
    for turn in turns:
        assert thread_queue.head(database, turn.address) == turn.id
        turn_store.fail(database, turn.id, NoAnswer.STOPPED)
    assert thread_queue.head(database, turns[0].address) is None


def test_a_question_that_is_tried_again_goes_to_the_end(database: Database) -> None:
    first, second = ask(database), ask(database)
    turn_store.fail(database, first.id, NoAnswer.STOPPED)
    turn_store.ask_again(database, first.id)
    assert (reload(database, first).queued, reload(database, second).queued) == (True, False)


def test_the_patience_of_a_queued_question_begins_when_its_turn_comes(database: Database) -> None:
    first, second = ask(database), ask(database)
    with database.session() as session:
        session.exec(update(TurnRow).values(patience_from=time.time() - 1000))
    before = time.time()
    turn_store.answer(database, first.id, RECORD)
    assert before <= reload(database, second).patience_from <= time.time()


def test_whoever_ends_a_question_calls_the_next_and_not_itself(
    database: Database, queues: redis.Redis
) -> None:
    first, second = ask(database), ask(database)
    thread_queue.call_next(database, first.address, after=first.id)
    assert queues.lrange("answer", 0, -1) == []
    turn_store.answer(database, first.id, RECORD)
    thread_queue.call_next(database, first.address, after=first.id)
    (message,) = queues.lrange("answer", 0, -1)
    assert json.loads(message)["headers"]["task"] == TaskName.ANSWER
    assert second.id in json.loads(message)["headers"]["argsrepr"]


def test_the_sweeper_leaves_a_queued_question_alone_until_its_turn_comes(
    database: Database, queues: redis.Redis
) -> None:
    first, second = ask(database), ask(database)
    with database.session() as session:
        session.exec(update(TurnRow).values(work_enqueued_at=time.time() - 60))
    sweeper.sweep(database)
    assert queues.llen("answer") == 1
    queues.delete("answer")
    turn_store.answer(database, first.id, RECORD)
    sweeper.sweep(database)
    assert second.id in queues.lrange("answer", 0, -1)[0]


def test_the_patience_of_a_queued_question_whose_call_was_lost_begins_with_its_turn(
    database: Database, queues: redis.Redis
) -> None:
    first, second = ask(database), ask(database)
    turn_store.answer(database, first.id, RECORD)
    with (
        database.session() as session
    ):  # Given an answer that took longer than the patience of whoever waited behind it
        session.exec(
            update(TurnRow).values(
                work_enqueued_at=time.time() - 999, patience_from=time.time() - 999
            )
        )
    sweeper.sweep(database)
    assert second.id in queues.lrange("answer", 0, -1)[0]
