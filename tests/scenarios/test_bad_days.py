"""Whatever dies on the way, a question ends in one answer or in a stated reason."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import redis
from sqlmodel import select

from core.language.sentences import sentences
from core.models import Note
from core.storage.tables import TurnRow
from scenarios.conftest import PATIENCE_S, Running

SAY = sentences("en")

QUESTION = "How much may a hotel in Porto cost per night?"


@pytest.fixture(autouse=True)
def a_good_model(asking: Running) -> Iterator[None]:
    assert asking.model
    asking.start_what_is_dead()
    asking.model.reset()
    yield
    asking.model.reset()


def acknowledged(running: Running, ts: str) -> bool:
    """Whether the bot has stored the question and acknowledged it."""
    with running.database.reading() as session:
        saved = session.exec(select(TurnRow).where(TurnRow.ts == ts)).first() is not None
    return saved and all(
        delivery["acknowledged"] for delivery in running.workspace.state()["deliveries"]
    )


def test_a_worker_killed_in_the_middle_of_an_answer_still_gives_one_answer(asking: Running) -> None:
    assert asking.model
    model = asking.model
    model.fault(delay_s=30, times=1)
    asked = asking.ask(QUESTION)
    asking.workspace.wait_until(lambda: len(model.received()) > 0, what="the model to be asked")
    asking.stack.kill("worker")
    asking.stack.restart("worker")
    answer = asking.reply(asked, PATIENCE_S)
    assert "110 EUR" in answer.plain()
    assert len(asking.answers(asked)) == 1


def test_a_redis_killed_and_emptied_after_the_acknowledgement_loses_no_question(
    asking: Running,
) -> None:
    stack = asking.stack
    for name in ("worker", "speaker"):
        stack.kill(name)  # so that the question waits in Redis, and only there
    asked = asking.ask("Who leads the Vision team?")
    asking.workspace.wait_until(lambda: acknowledged(asking, asked.ts), what="the acknowledgement")
    stack.kill("redis")
    # Redis 6 keeps its log beside the rest, Redis 7 and Valkey in a folder of its own.
    for file in {*stack.folder.rglob("*.aof*"), *stack.folder.glob("*.rdb")}:
        file.unlink()
    stack.restart("redis")
    # Whoever lives has connected again by now, and says where it wants its tasks.
    kept = redis.Redis.from_url(stack.settings.redis_url, decode_responses=True).keys()
    assert [key for key in kept if not str(key).startswith("_kombu.binding.")] == []
    for name in ("worker", "speaker"):
        stack.restart(name)
    assert "Priya Raman" in asking.reply(asked, PATIENCE_S).plain()
    assert len(asking.answers(asked)) == 1


def test_a_redis_that_comes_back_empty_under_running_programs_serves_the_next_question(
    asking: Running,
) -> None:
    asking.stack.kill("redis")
    asking.stack.restart("redis")
    assert (
        "Priya Raman" in asking.reply(asking.ask("Who leads the Vision team?"), PATIENCE_S).plain()
    )


def test_a_speaker_killed_while_it_waits_finishes_the_same_message(asking: Running) -> None:
    assert asking.model
    asking.model.fault(delay_s=4, times=1)
    asked = asking.ask(QUESTION)
    asking.workspace.wait_until(
        lambda: bool(asking.workspace.state()["statuses"]), what="a sign of life"
    )
    asking.stack.kill("speaker")
    asking.stack.restart("speaker")
    assert "110 EUR" in asking.reply(asked, PATIENCE_S).plain()
    assert len(asking.answers(asked)) == 1


def test_a_dead_queue_is_told_and_the_answer_comes_when_it_is_back(asking: Running) -> None:
    asking.stack.kill("redis")
    asked = asking.ask("When may I take a sabbatical?")
    told = asking.workspace.wait_for_reply(asked)
    assert SAY("queue-down") in told.text
    asking.stack.restart("redis")
    answer = asking.reply(asked, PATIENCE_S)
    assert "5 years" in answer.plain()
    assert [message.ts for message in asking.answers(asked)] == [told.ts]


def test_a_dead_model_gives_quoted_evidence_and_says_so(asking: Running) -> None:
    assert asking.model
    asking.model.fault(status=500, times=5)
    answer = asking.reply(asking.ask(QUESTION))
    assert "110 EUR" in answer.plain()
    assert "language model did not answer" in answer.plain()
    asking.model.reset()
    asking.workspace.wait_until(
        lambda: SAY(f"note-{Note.LATER}") in asking.workspace.message(answer).plain(),
        what="the answer of the model, which is back",
    )


def test_a_dead_vector_store_leaves_the_search_by_words(asking: Running) -> None:
    asking.stack.kill("chroma")
    answer = asking.reply(asking.ask(QUESTION))
    asking.stack.restart("chroma")
    assert "110 EUR" in answer.plain()
    assert SAY(f"note-{Note.WORDS_ONLY}") in answer.plain()
    again = asking.reply(asking.ask(QUESTION))
    assert SAY(f"note-{Note.WORDS_ONLY}") not in again.plain()


def test_a_bot_that_lost_its_connection_is_told_what_it_missed(asking: Running) -> None:
    asking.workspace.disconnect()
    assert "110 EUR" in asking.reply(asking.ask(QUESTION)).plain()


def test_an_explanation_while_the_model_is_down_says_why(asking: Running) -> None:
    assert asking.model
    answer = asking.reply(asking.ask(QUESTION))
    asking.model.fault(status=503, times=500)
    asking.workspace.click("Alice", answer, "explain")
    assert "language model that made it does not answer" in asking.reply(answer).plain()
