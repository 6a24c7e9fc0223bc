"""A message that the bot is not sure of: a worker asks the model and hands it back."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import asdict

import pytest
import redis
from reading_models import knowing
from test_jobs import parts

from core.dialogue.likely import Meaning
from core.dialogue.message import Message, Place
from core.evidence import EvidenceStore
from core.jobs import afterwards
from core.jobs.afterwards import PutOff, put_off
from core.jobs.queue import TaskName
from core.policy import spending
from core.settings import Settings
from core.turns.turn import Address
from sandbox.http.server import running
from sandbox.llm.scoring import build
from sandbox.llm.scripted import Messages, last_user_text
from worker import understanding
from worker.bootstrap import WorkerParts
from worker.extractive.extractor import Extractor
from worker.generation.chat_model import ChatModel
from worker.generation.generator import Generator
from worker.generation.second_reader.model_reader import ModelReader

WHERE = Address("T1", "C1", "2.5", "1.0")
ROW = "meant:T1:C1:2.5"


def says_what(messages: Messages) -> str:
    return "silence" if "Task: who is this message for" in last_user_text(messages) else "?"


def tasks_in(queues: redis.Redis, name: str) -> list[str]:
    return [json.loads(raw)["headers"]["task"] for raw in queues.lrange(name, 0, -1)]


@pytest.fixture
def made(store: EvidenceStore, extractor: Extractor) -> WorkerParts:
    return parts(store, extractor, None)


def put_off_a_message(made: WorkerParts) -> None:
    message = Message("then Ben it is", "U1", Place.THREAD)
    said = {"where": asdict(WHERE), "user": "U1", "text": "then Ben it is", "bot": "U0"}
    put_off(
        made.database,
        PutOff.MEANT,
        team="T1",
        once="T1:C1:2.5",
        first=TaskName.UNDERSTAND,
        said=said,
        message=asdict(message),
        pages=[],
    )


def understood(made: WorkerParts, *, trusted: bool = True) -> dict[str, object] | None:
    with running(build(knowing((), says_what), as_vllm=False)) as url:
        chat = ChatModel(Settings(llm_base_url=f"{url}/v1"), "any")
        generator = Generator(chat, made.pipeline.generator._extractor)
        reader = ModelReader(6000, lambda _model: trusted)
        pipeline = dataclasses.replace(made.pipeline, generator=generator, second_reader=reader)
        understanding.understand(dataclasses.replace(made, pipeline=pipeline), ROW)
    found = afterwards.load(made.database, ROW)
    return found[1] if found else None


def test_what_the_model_says_goes_back_to_a_speaker(made: WorkerParts, queues: redis.Redis) -> None:
    put_off_a_message(made)
    given = understood(made)
    assert given is not None
    assert given["meant"] == Meaning.TALK
    assert tasks_in(queues, "answer") == [TaskName.UNDERSTAND]
    assert tasks_in(queues, "speak") == [TaskName.AFTERWARDS]


def test_a_model_that_is_not_trusted_is_not_asked_and_a_speaker_decides(
    made: WorkerParts, queues: redis.Redis
) -> None:
    put_off_a_message(made)
    given = understood(made, trusted=False)
    assert given is not None
    assert "meant" not in given
    assert tasks_in(queues, "speak") == [TaskName.AFTERWARDS]


def test_what_was_decided_meanwhile_is_left_alone(made: WorkerParts, queues: redis.Redis) -> None:
    assert understood(made) is None
    assert tasks_in(queues, "speak") == []


def test_what_it_takes_counts_for_whoever_has_written_it_and_ends_with_the_budget(
    made: WorkerParts, queues: redis.Redis
) -> None:
    put_off_a_message(made)
    understood(made)
    paid = spending.spent(made.database, "T1", "U1").tokens
    assert paid > 0
    afterwards.done(made.database, ROW)
    put_off_a_message(made)
    within = made.settings.model_copy(update={"limit_person_tokens_per_day": paid})
    given = understood(dataclasses.replace(made, settings=within))
    assert given is not None
    assert "meant" not in given
    assert spending.spent(made.database, "T1", "U1").tokens == paid
    assert tasks_in(queues, "speak")[0] == TaskName.AFTERWARDS
