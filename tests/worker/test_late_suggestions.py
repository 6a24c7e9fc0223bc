"""Suggestions never delay an answer: what is late comes by an edit, once, or not at all."""

from __future__ import annotations

import dataclasses
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from test_jobs import ask, parts, reload
from wiki import HOTEL, page, piece, put, searching

from core.errors import StoreUnavailable
from core.evidence import EvidenceStore
from core.pages import PageKey
from core.policy.acl import Reader
from core.states import NoAnswer
from core.turns import erasure, turn_delivery, turn_store
from core.turns.turn import Turn
from core.usage import Usage
from worker import jobs
from worker.bootstrap import WorkerParts
from worker.extractive.extractor import Extractor
from worker.suggestions.candidates import Answered
from worker.suggestions.suggester import Suggester, Suggestion

# They are not looked for while answers wait to be spoken, such as another test may have left.
pytestmark = pytest.mark.usefixtures("queues")

NEXT = "What does a hotel in Lisbon cost?"
TRAVEL = PageKey("confluence", "2")


class Held(Suggester):
    """Suggests one question, once it is let."""

    def __init__(self, store: EvidenceStore, error: StoreUnavailable | None = None) -> None:
        super().__init__(searching(store))
        self.let = threading.Event()
        self.error = error

    def suggest(
        self, turn: Answered, reader: Reader, *, deadline: float
    ) -> tuple[tuple[Suggestion, ...], Usage]:
        assert self.let.wait(20)
        if self.error:
            raise self.error
        return (Suggestion(NEXT, TRAVEL, frozenset(), frozenset({TRAVEL})),), Usage(calls=1)


@pytest.fixture
def held(store: EvidenceStore) -> Held:
    put(store, page("2", "Travel"), piece(HOTEL, "2"))
    return Held(store)


@pytest.fixture
def quoting(store: EvidenceStore, held: Held, extractor: Extractor) -> WorkerParts:
    return suggesting(parts(store, extractor, None), held)


def suggesting(made: WorkerParts, suggester: Suggester) -> WorkerParts:
    pipeline = dataclasses.replace(made.pipeline, suggester=suggester)
    return dataclasses.replace(made, pipeline=pipeline)


def as_the_task_does(quoting: WorkerParts, turn_id: str) -> None:
    """Answers it once its thread is free: a moment after the answer before it is saved."""
    made = jobs.answer(quoting, turn_id)
    until = time.monotonic() + 20
    while made is None and time.monotonic() < until:
        time.sleep(0.02)
        made = jobs.answer(quoting, turn_id)
    assert made is not None
    made.join_later()


@contextmanager
def answered_first(quoting: WorkerParts) -> Iterator[Turn]:
    """A turn that is answered, and whose suggestions are still looked for; then they have come."""
    asked = ask(quoting.database)
    worker = threading.Thread(target=as_the_task_does, args=(quoting, asked.id))
    worker.start()
    until = time.monotonic() + 20
    while reload(quoting, asked).record is None and time.monotonic() < until:
        time.sleep(0.02)
    yield reload(quoting, asked)
    worker.join()


def suggestions(turn: Turn) -> tuple[str, ...]:
    assert turn.record is not None
    return turn.record.answer.suggestions


def test_suggestions_that_are_ready_come_with_the_answer(quoting: WorkerParts, held: Held) -> None:
    held.let.set()
    turn = ask(quoting.database)
    jobs.answer(quoting, turn.id)
    done = reload(quoting, turn)
    assert suggestions(done) == (NEXT,)
    assert done.record is not None
    assert (done.edition, done.record.suggested, done.record.usage.calls) == (0, ((TRAVEL,),), 1)


def test_late_suggestions_are_added_once_the_answer_stands_and_it_is_delivered_again(
    quoting: WorkerParts, held: Held
) -> None:
    with answered_first(quoting) as turn:
        assert (turn.edition, suggestions(turn)) == (0, ())
        held.let.set()
        turn_delivery.delivered(quoting.database, turn)
    later = reload(quoting, turn)
    assert (later.edition, later.delivered, suggestions(later)) == (1, False, (NEXT,))
    assert later.record is not None
    assert turn.record is not None
    assert later.record.answer.text == turn.record.answer.text
    assert later.record.suggested == ((TRAVEL,),)


def test_an_answer_that_was_taken_back_gets_no_suggestions(
    quoting: WorkerParts, held: Held
) -> None:
    with answered_first(quoting) as turn:
        turn_store.take_back(quoting.database, turn, NoAnswer.CLOSED)
        held.let.set()
    assert reload(quoting, turn).record is None


def test_a_forgotten_question_gets_no_suggestions(quoting: WorkerParts, held: Held) -> None:
    with answered_first(quoting) as turn:
        erasure.forget_turn(quoting.database, turn.id, turn.user)
        held.let.set()
    assert reload(quoting, turn).record is None


def test_suggestions_that_fail_cost_no_answer(store: EvidenceStore, quoting: WorkerParts) -> None:
    failing = Held(store, StoreUnavailable("no database"))
    failing.let.set()
    turn = ask(quoting.database)
    jobs.answer(suggesting(quoting, failing), turn.id)
    assert suggestions(reload(quoting, turn)) == ()


def test_the_next_question_of_a_thread_does_not_wait_for_suggestions(
    quoting: WorkerParts, held: Held
) -> None:
    with answered_first(quoting) as turn:
        second = ask(quoting.database, ts="1.7")
        answers = threading.Thread(target=as_the_task_does, args=(quoting, second.id))
        answers.start()
        until = time.monotonic() + 20
        while reload(quoting, second).record is None and time.monotonic() < until:
            time.sleep(0.02)
        assert reload(quoting, second).record is not None
        held.let.set()
        turn_delivery.delivered(quoting.database, turn)
        turn_delivery.delivered(quoting.database, reload(quoting, second))
        answers.join()
