"""A model that has passed the exam reads its answers again, in the whole product."""

from __future__ import annotations

import json

from bot.views.answer_blocks import EXPLAIN_ACTION
from bot.views.explanation_blocks import DETAILS_ACTION
from sandbox.llm import reading
from sandbox.llm.scripted import FOR_WHOM
from scenarios.conftest import PATIENCE_S, Running, is_final
from worker.generation.second_reader.exam import Grade
from worker.generation.second_reader.grades import Grades

SURE = "✅"
UNSURE = "could one of us take the train then?"
QUESTION = "Is business class ever paid?"
PASSED = Grade(right=100, wrong=100, found=100)


def readings(running: Running) -> int:
    """How many answers the model was asked to read again."""
    assert running.model is not None
    bodies = [json.dumps(each["body"]) for each in running.model.received()]
    return sum(reading.TASK in body for body in bodies)


def test_it_reads_them_once_it_has_passed_and_those_that_stand_there_are_sure(
    asking: Running,
) -> None:
    before = asking.reply(asking.ask(QUESTION))
    assert SURE not in before.plain()
    assert readings(asking) == 0
    settings = asking.stack.settings
    Grades(asking.database, settings).save(settings.llm_model or "", PASSED)
    asking.stack.kill("worker")  # or it would count a minute later
    asking.stack.restart("worker")
    after = asking.reply(asking.ask(QUESTION))
    assert readings(asking) == 1
    assert "Business class is never paid" in after.plain()
    assert SURE in after.plain()
    assert "Travel policy › Trains and flights" in after.plain()


def test_it_is_asked_what_a_message_means_of_which_the_bot_is_not_sure(asking: Running) -> None:
    """The scripted model takes for a question what ends like one; the bot alone is not sure."""
    for name in ("bot", "speaker"):  # or they would know of the exam a minute later
        asking.stack.kill(name)
        asking.stack.restart(name)
    answer = asking.reply(asking.ask(QUESTION))
    said = asking.ask(UNSURE, user="Ben", after=answer)
    after = asking.workspace.wait_for_reply(said, PATIENCE_S, settled=is_final)
    assert after.ts > said.ts
    assert asking.model is not None
    bodies = [json.dumps(each["body"]) for each in asking.model.received()]
    assert sum(FOR_WHOM in body and UNSURE in body for body in bodies) == 1


def test_what_it_has_read_as_whole_pages_is_explained(asking: Running) -> None:
    answer = asking.reply(asking.ask(QUESTION))
    asking.workspace.click("Alice", answer, EXPLAIN_ACTION)
    done = lambda m: m.ts != answer.ts and m.has_button(DETAILS_ACTION)  # noqa: E731
    explained = asking.workspace.wait_for_reply(answer, PATIENCE_S, settled=done)
    assert "This answer comes from" in explained.plain()
    assert "Travel policy" in explained.plain()
