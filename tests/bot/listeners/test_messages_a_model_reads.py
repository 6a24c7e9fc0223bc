"""Messages of which the bot is not sure: a model is asked what they mean, where it has passed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from desk import Desk, answer, running_bot

from bot.listeners.dialogue import MOST_WAITING
from core.dialogue.likely import Meaning
from core.jobs import afterwards
from core.jobs.queue import TaskName
from core.storage.loop_tables import ExamRow
from sandbox.slack.client import Message
from sandbox.slack.workspace.values import TEAM_ID

MODEL = "large"
UNSURE = "then Ben it is"  # for which the bot alone says nothing


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory, redis_url: str) -> Iterator[Desk]:
    folder: Path = tmp_path_factory.mktemp("read_by_a_model")
    endpoint = {"LLM_BASE_URL": "http://127.0.0.1:9/v1", "LLM_MODEL": MODEL, "GUESTS": "refuse"}
    with running_bot(folder, redis_url, **endpoint) as desk:
        with desk.database.session() as session:
            session.add(ExamRow(id="of-today", model=MODEL, passed=True, figures={}))
        yield desk


@pytest.fixture(autouse=True)
def nothing_waits(running: Desk) -> None:
    """Of what another test has left."""
    running.settle()
    for row_id in set(waiting(running)):
        afterwards.done(running.database, row_id)
    running.redis.delete("answer")


@pytest.fixture
def answered(running: Desk) -> Message:
    return answer(running, running.workspace.say("alice", "general", "who is on call?"))


def said(desk: Desk, root: Message, text: str = UNSURE) -> str:
    """The id of what was put off until a worker has asked the model."""
    message = desk.workspace.say("alice", "general", text, root.root_ts)
    desk.settle()
    waiting = [each for task, each in desk.queued("answer") if task == TaskName.UNDERSTAND]
    desk.redis.delete("answer")
    (row_id,) = (each for each in waiting if each.endswith(message.ts))
    return row_id


def asked_after(desk: Desk, root: Message) -> list[str]:
    return [turn.question for turn in desk.turns(root)[1:]]


def test_what_the_model_takes_for_a_question_is_asked(running: Desk, answered: Message) -> None:
    row_id = said(running, answered)
    assert asked_after(running, answered) == []
    afterwards.add(running.database, row_id, meant=Meaning.ASK)
    running.speaker.afterwards.do(row_id)
    assert asked_after(running, answered) == [UNSURE]
    assert afterwards.load(running.database, row_id) is None


def test_what_it_takes_for_talk_is_left_alone(running: Desk, answered: Message) -> None:
    row_id = said(running, answered, "for the Aarhus site")
    afterwards.add(running.database, row_id, meant=Meaning.TALK)
    running.speaker.afterwards.do(row_id)
    assert asked_after(running, answered) == []


def test_where_no_model_says_anything_the_bot_decides(running: Desk, answered: Message) -> None:
    running.speaker.afterwards.do(said(running, answered, "for the Aarhus site"))
    assert "for the Aarhus site" in asked_after(running, answered)


def test_what_the_bot_is_sure_of_no_model_is_asked(running: Desk, answered: Message) -> None:
    running.workspace.say("alice", "general", "thanks!", answered.root_ts)
    running.workspace.say("alice", "general", "and next week?", answered.root_ts)
    running.settle()
    assert TaskName.UNDERSTAND not in [task for task, _ in running.queued("answer")]
    assert asked_after(running, answered) == ["and next week?"]


def test_an_edited_question_waits_for_no_model(running: Desk, answered: Message) -> None:
    asked = running.workspace.say("alice", "general", "and next week?", answered.root_ts)
    running.settle()
    running.redis.delete("answer")
    running.workspace.edit(asked, "for the Aarhus site")
    running.settle()
    assert TaskName.UNDERSTAND not in [task for task, _ in running.queued("answer")]
    assert "for the Aarhus site" in asked_after(running, answered)


def waiting(desk: Desk) -> list[str]:
    return [each for task, each in desk.queued("answer") if task == TaskName.UNDERSTAND]


def lines_before(desk: Desk, row_id: str) -> list[str]:
    found = afterwards.load(desk.database, row_id)
    assert found is not None
    return [line["text"] for line in found[1]["message"]["before"]]


def test_whoever_is_forgotten_is_forgotten_in_what_waits(running: Desk, answered: Message) -> None:
    """Beside another's message the words alone, and never that message."""
    running.workspace.say("ben", "general", "my pager is dead", answered.root_ts)
    waits = said(running, answered, "for the Aarhus site")
    assert "my pager is dead" in lines_before(running, waits)
    with running.database.session() as session:
        afterwards.forget(session, TEAM_ID, "U0BEN", times=[answered.root_ts])
    assert "my pager is dead" not in lines_before(running, waits)
    with running.database.session() as session:
        afterwards.forget(session, TEAM_ID, "U0ALICE")
    assert afterwards.load(running.database, waits) is None
    running.speaker.afterwards.do(waits)
    assert asked_after(running, answered) == []


@pytest.mark.parametrize("text", ["how long is a shift on call?", "<@U0BEN> look at this"])
def test_of_what_was_edited_while_it_waits_the_last_words_count(
    running: Desk, answered: Message, text: str
) -> None:
    first = running.workspace.say("alice", "general", UNSURE, answered.root_ts)
    running.settle()
    (row_id,) = {each for each in waiting(running) if each.endswith(first.ts)}
    running.redis.delete("answer")
    running.workspace.edit(first, text)
    running.settle()
    afterwards.add(running.database, row_id, meant=Meaning.ASK)  # of the words before
    running.speaker.afterwards.do(row_id)
    assert asked_after(running, answered) == ([] if "@" in text else [text])


def test_of_an_edited_direct_message_no_old_words_are_asked(running: Desk) -> None:
    first = running.workspace.direct("alice", "it's the pager")
    running.settle()
    running.workspace.edit(first, "never mind, found it, thanks!")
    running.settle()
    running.redis.delete("answer")
    row_id = f"meant:{TEAM_ID}:{first.channel}:{first.ts}"
    assert afterwards.load(running.database, row_id) is None
    assert running.turns(first) == []


def test_no_model_is_asked_behind_many_others(running: Desk, answered: Message) -> None:
    for _ in range(MOST_WAITING + 3):
        running.workspace.say("alice", "general", UNSURE, answered.root_ts)
        running.settle()
    assert len(set(waiting(running))) == MOST_WAITING


def test_of_who_may_not_ask_no_message_reaches_a_model(running: Desk) -> None:
    running.workspace.direct("greta", "it's the pager")
    running.settle()
    assert waiting(running) == []


def test_what_was_deleted_while_it_waits_is_not_asked(running: Desk, answered: Message) -> None:
    message = running.workspace.say("alice", "general", UNSURE, answered.root_ts)
    running.settle()
    running.workspace.delete(message)
    running.settle()
    row_id = f"meant:{TEAM_ID}:{message.channel}:{message.ts}"
    assert afterwards.load(running.database, row_id) is None
    running.speaker.afterwards.do(row_id)
    assert asked_after(running, answered) == []


def test_what_announces_a_question_waits_for_no_model(running: Desk) -> None:
    """Its question may come at any moment, and joins it."""
    running.workspace.direct("alice", "I need help with the printer")
    running.settle()
    assert waiting(running) == []
