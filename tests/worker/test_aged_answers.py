"""Stale sources: earlier answers of a thread are checked again when it is used.

In a channel for everybody, in private for whoever asked.
"""

from __future__ import annotations

import dataclasses

import pytest
import redis
from test_jobs import QUESTION, answered, ask, parts, reload
from wiki import BACKUP, HOTEL, LEAVE, page, piece, put

from core.evidence import EvidenceStore
from core.jobs.queue import TaskName
from core.models import Since
from core.settings.values import PermissionMode
from core.turns import detail_requests, turn_store
from core.turns.turn import Address, NewQuestion, Turn
from worker import confirmation, jobs
from worker.bootstrap import WorkerParts
from worker.extractive.extractor import Extractor
from worker.retrieval.readers import Readers

TRAVEL = page("2", "Travel")


@pytest.fixture
def quoting(store: EvidenceStore, extractor: Extractor, queues: redis.Redis) -> WorkerParts:
    """The worker's parts without a model; a queue listens."""
    put(store, page("1", "Leave"), piece(LEAVE, "1"), piece(BACKUP, "1"))
    put(store, TRAVEL, piece(HOTEL, "2"))
    return parts(store, extractor, None)


def edit(store: EvidenceStore, version: int = 2) -> None:
    put(
        store,
        TRAVEL.model_copy(update={"version": version}),
        piece(f"{HOTEL} Version {version}.", "2"),
    )


def since(parts: WorkerParts, turn: Turn) -> list[Since | None]:
    record = reload(parts, turn).record
    assert record is not None
    return [source.since for source in record.answer.sources]


def told(queues: redis.Redis) -> int:
    """How many messages are to be said again; they are taken from the queue."""
    found = sum(TaskName.DELIVER in raw for raw in queues.lrange("speak", 0, -1))
    queues.delete("speak")
    return found


def test_the_next_question_of_the_thread_has_an_aged_answer_shown_anew_once(
    quoting: WorkerParts, store: EvidenceStore, queues: redis.Redis
) -> None:
    first, _ = answered(quoting, ts="1.5")
    assert told(queues) == 0
    edit(store)
    answered(quoting, "And the backup?", ts="2.5")
    assert since(quoting, first) == [Since.CHANGED]
    assert told(queues) == 1

    answered(quoting, "And the leave?", ts="3.5")
    assert told(queues) == 0  # it is no news any more


def test_only_the_last_few_answers_are_looked_at(
    quoting: WorkerParts, store: EvidenceStore, queues: redis.Redis
) -> None:
    turns = [
        answered(quoting, ts=f"{number}.5")[0] for number in range(1, confirmation.LOOKED_AT + 2)
    ]
    edit(store)
    answered(quoting, "And the backup?", ts="9.5")
    assert [since(quoting, turn) for turn in turns] == [
        [None],
        *[[Since.CHANGED]] * confirmation.LOOKED_AT,
    ]
    assert told(queues) == confirmation.LOOKED_AT


def test_another_thread_is_left_alone(
    quoting: WorkerParts, store: EvidenceStore, queues: redis.Redis
) -> None:
    first, _ = answered(quoting)
    edit(store)
    other = turn_store.ask(
        quoting.database, NewQuestion(Address("T1", "C1", "7.5", "7.0"), user="U1", text=QUESTION)
    )
    assert other is not None
    jobs.answer(quoting, other.id)
    assert since(quoting, first) == [None]
    assert told(queues) == 0


def test_looking_into_an_answer_looks_at_its_sources_too(
    quoting: WorkerParts, store: EvidenceStore, queues: redis.Redis
) -> None:
    turn, _ = answered(quoting)
    edit(store)
    detail_requests.ask(quoting.database, "V1", turn.id, "U2")
    jobs.admit(quoting, "V1")
    assert since(quoting, turn) == [Since.CHANGED]


def test_of_a_private_answer_nothing_is_said_while_it_is_unknown_what_its_reader_may_read(
    quoting: WorkerParts, store: EvidenceStore
) -> None:
    turn = ask(quoting.database)
    jobs.answer(quoting, turn.id)
    edit(store)
    aware = quoting.settings.model_copy(update={"permission_mode": PermissionMode.AWARE})
    private = dataclasses.replace(reload(quoting, turn), private=True)
    confirmation.mark_stale(
        dataclasses.replace(quoting, settings=aware, readers=Readers(aware, store.database)),
        [private],
    )
    assert since(quoting, turn) == [None]
