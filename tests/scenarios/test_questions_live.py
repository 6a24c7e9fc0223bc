"""An answer follows its question, with real processes: edits, deletions, the model or worker back.

What depends on how events come is shown over both transports.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bot.views.answer_blocks import ASK_AGAIN_ACTION
from bot.views.reasons import no_answer
from core.language.sentences import sentences
from core.models import Note
from core.states import NoAnswer
from sandbox.slack.client import Message
from scenarios.conftest import PATIENCE_S, Running, run

SAY = sentences("en")

QUESTION = "How much may a hotel in Porto cost per night?"
EDITED = "@groundwire Who leads the Vision team?"
LATER = SAY(f"note-{Note.LATER}")


def wait_for(running: Running, asked: Message, text: str) -> Message:
    """The bot's only message in the thread, once it says this."""

    def found() -> list[Message]:
        return [each for each in running.answers(asked) if text in each.plain()]

    running.workspace.wait_until(lambda: bool(found()), PATIENCE_S, what=text)
    (answer,) = running.answers(asked)
    return answer


def is_silent(running: Running, asked: Message) -> bool:
    channel = running.workspace.messages(asked.channel)
    return not [each for each in channel if each.bot and each.root_ts == asked.root_ts]


@pytest.mark.parametrize("private", [False, True], ids=["channel", "direct"])
def test_an_edited_question_is_answered_in_the_same_message(
    either_way: Running, private: bool
) -> None:
    workspace = either_way.workspace
    asked = workspace.direct("Alice", QUESTION) if private else either_way.ask(QUESTION)
    first = either_way.reply(asked)
    assert "110 EUR" in first.plain()
    workspace.edit(asked, EDITED)
    answer = wait_for(either_way, asked, "Priya Raman")
    assert answer.ts == first.ts
    assert "110 EUR" not in answer.plain()


def test_a_deleted_question_takes_its_answer_along(either_way: Running) -> None:
    asked = either_way.ask(QUESTION)
    either_way.reply(asked)
    either_way.workspace.delete(asked)
    either_way.workspace.wait_until(lambda: is_silent(either_way, asked), what="its answer to go")


def test_a_question_that_nobody_answered_in_time_is_answered_when_the_worker_is_back(
    impatient: Running,
) -> None:
    impatient.stack.kill("worker")
    asked = impatient.ask(QUESTION)
    late = wait_for(impatient, asked, no_answer(SAY, NoAnswer.LATE))
    assert late.has_button(ASK_AGAIN_ACTION)
    impatient.stack.restart("worker")
    answer = wait_for(impatient, asked, "110 EUR")
    assert answer.ts == late.ts
    assert LATER in answer.plain()
    assert not answer.has_button(ASK_AGAIN_ACTION)


def test_a_worker_killed_while_it_takes_a_question_up_leaves_it_to_the_next_one(
    asking: Running,
) -> None:
    assert asking.model
    model = asking.model
    model.reset()
    model.fault(path_contains="/chat/completions", status=500, times=500)
    asked = asking.ask(QUESTION)
    quoted = asking.reply(asked)
    assert "language model did not answer" in quoted.plain()
    model.reset()
    model.delay(3)  # so that it is killed in the middle
    asking.workspace.wait_until(
        lambda: any("Porto" in str(each) for each in model.received()), what="it to be taken up"
    )
    asking.stack.kill("worker")
    model.delay(0)
    asking.stack.restart("worker")
    answer = wait_for(asking, asked, LATER)
    assert answer.ts == quoted.ts
    assert "language model did not answer" not in answer.plain()
    model.reset()


@pytest.fixture(scope="module")
def impatient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """The product without a model, which gives up soon."""
    patience = {"ANSWER_PATIENCE_S": "12"}
    yield from run(tmp_path_factory.mktemp("impatient"), model=False, settings=patience)
