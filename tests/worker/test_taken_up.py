"""When the model or the worker is back, questions get the answer that they had to do without."""

from __future__ import annotations

import threading

import pytest
import redis
from test_jobs import ask, parts, reload
from wiki import HOTEL, page, piece, put

from core.evidence import EvidenceStore
from core.models import Note
from core.states import NoAnswer, Vote, VoteBy
from core.turns import feedback, turn_delivery, turn_store
from core.turns.anew import edits
from core.turns.turn import NewQuestion, Turn
from sandbox.llm.client import ScriptedModel
from worker import jobs
from worker.answering import taking_up
from worker.bootstrap import WorkerParts
from worker.extractive.extractor import Extractor
from worker.generation.chat_model import ChatModel
from worker.pools import recovery
from worker.pools.recovery import Recovery


@pytest.fixture
def asking(store: EvidenceStore, extractor: Extractor, chat: ChatModel) -> WorkerParts:
    put(store, page("2", "Travel"), piece(HOTEL, "2"))
    return parts(store, extractor, chat)


def quoted(asking: WorkerParts, model: ScriptedModel) -> Turn:
    """A turn whose answer is quoted, since the model is down; from then on it is up."""
    model.fault(path_contains="/chat/completions", status=500, times=50)
    turn = ask(asking.database)
    jobs.answer(asking, turn.id)
    model.reset()
    return delivered(asking, turn)


def late(asking: WorkerParts) -> Turn:
    turn = ask(asking.database)
    turn_store.fail(asking.database, turn.id, NoAnswer.LATE)
    return delivered(asking, turn)


def delivered(asking: WorkerParts, turn: Turn) -> Turn:
    turn_delivery.delivered(asking.database, reload(asking, turn))
    return reload(asking, turn)


def notes(turn: Turn) -> tuple[Note, ...]:
    assert turn.record is not None
    return turn.record.answer.notes


def test_what_was_quoted_is_answered_by_the_model_when_it_is_back(
    asking: WorkerParts, model: ScriptedModel
) -> None:
    turn = quoted(asking, model)
    assert notes(turn) == (Note.MODEL_DOWN,)
    taking_up.take_up(asking, turn.id)
    now = reload(asking, turn)
    assert notes(now) == (Note.LATER,)
    assert now.record is not None
    assert now.record.answer.model
    assert (now.delivered, now.edition) == (False, turn.edition + 1)


def test_while_the_model_is_down_what_is_quoted_stays_as_it_is(
    asking: WorkerParts, model: ScriptedModel
) -> None:
    turn = quoted(asking, model)
    model.fault(path_contains="/chat/completions", status=500, times=50)
    taking_up.take_up(asking, turn.id)
    assert reload(asking, turn) == turn


def test_a_late_question_is_answered_by_itself_once(asking: WorkerParts) -> None:
    turn = late(asking)
    taking_up.take_up(asking, turn.id)
    taking_up.take_up(asking, turn.id)
    now = reload(asking, turn)
    assert notes(now) == (Note.LATER,)
    assert (now.reason, now.edition) == (None, turn.edition + 1)


def test_a_vote_that_comes_while_it_is_answered_keeps_the_answer_it_was_cast_on(
    asking: WorkerParts, model: ScriptedModel
) -> None:
    turn = quoted(asking, model)
    feedback.record(asking.database, turn.id, "U2", Vote.UP, by=VoteBy.BUTTON)
    taking_up.take_up(asking, turn.id)
    assert reload(asking, turn) == turn
    assert model.received() == []


def test_the_model_is_asked_for_a_word_only_where_a_turn_waits_for_it(
    asking: WorkerParts, model: ScriptedModel, queues: redis.Redis
) -> None:
    chat = asking.pipeline.generator.model
    looking = Recovery(asking.database, lambda: recovery.says_a_word(chat))
    assert looking.look() == 0
    assert model.received() == []
    quoted(asking, model)
    model.fault(path_contains="/chat/completions", status=500, times=50)
    assert looking.look() == 0
    model.reset()
    assert looking.look() == 1
    assert looking.look() == 0
    assert queues.llen("answer") == 1


def test_new_questions_come_before_those_that_are_taken_up(
    asking: WorkerParts, queues: redis.Redis
) -> None:
    late(asking)
    queues.lpush("answer", "a question that waits")
    looking = Recovery(asking.database, lambda: True)
    assert looking.look() == 0
    queues.flushdb()
    assert looking.look() == 1
    assert looking.look() == 0


def test_where_there_is_no_model_nobody_is_asked() -> None:
    assert recovery.says_a_word(None)


def test_a_question_that_is_edited_while_it_is_answered_is_begun_anew(
    asking: WorkerParts, model: ScriptedModel, queues: redis.Redis
) -> None:
    turn = ask(asking.database)
    model.delay(20)

    def edit() -> None:
        new = NewQuestion(turn.address, turn.user, "What does a hotel in Lisbon cost?")
        edits.ask_anew(asking.database, turn.id, new, edited_ts="9.000000")

    threading.Timer(0.7, edit).start()
    assert jobs.answer(asking, turn.id) is None
    edited = reload(asking, turn)
    assert (edited.question, edited.state, edited.record) == (
        "What does a hotel in Lisbon cost?",
        "waiting",
        None,
    )
    assert queues.llen("answer") == 1  # the same turn, since it is at the head of its thread
    model.reset()
    assert jobs.answer(asking, turn.id) is not None
    assert reload(asking, turn).state == "done"
