"""Progress with real processes: streams, Stop, two questions at once, an older workspace."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlmodel import select

from bot.views.answer_blocks import ASK_AGAIN_ACTION
from bot.views.progress import STOP_ANSWER_ACTION
from bot.views.reasons import no_answer
from core.language.sentences import sentences
from core.states import NoAnswer
from core.storage.tables import TurnRow
from sandbox.slack.client import Message
from scenarios.conftest import PATIENCE_S, Running

SAY = sentences("en")

QUESTION = "How much may a hotel in Porto cost per night?"
# Long enough to be stopped, killed and expired in the middle.
WRITTEN = f"A hotel in Porto costs <!channel> up to 110 EUR [1]. {'And the quay is long. ' * 12}"
OLD = (
    "assistant.threads.setStatus",
    "agents.sessions.setStatus",
    "chat.startStream",
    "chat.appendStream",
    "chat.stopStream",
)


@pytest.fixture(autouse=True)
def a_slow_writer(asking: Running) -> Iterator[None]:
    """A model that takes about six seconds for its answer."""
    assert asking.model
    asking.model.reset()
    asking.model.say(WRITTEN)
    asking.model.pace(0.1)
    yield
    asking.model.reset()
    asking.workspace.lack()


def growing(asking: Running, asked: Message) -> Message:
    """The message of the answer while it streams, some words long."""

    def found() -> list[Message]:
        return [
            message
            for message in asking.answers(asked)
            if message.streaming and "EUR" in message.text
        ]

    asking.workspace.wait_until(lambda: bool(found()), what="a stream")
    return found()[0]


def state(asking: Running, asked: Message) -> tuple[str, str]:
    with asking.database.reading() as session:
        turn = session.exec(select(TurnRow).where(TurnRow.ts == asked.ts)).one()
        return turn.state, turn.reason


def is_known(asking: Running, asked: Message) -> bool:
    with asking.database.reading() as session:
        return session.exec(select(TurnRow).where(TurnRow.ts == asked.ts)).first() is not None


def said_to_slack(asking: Running, method: str) -> int:
    return len(asking.workspace.received(method))


@pytest.mark.parametrize("private", [False, True], ids=["channel", "direct"])
def test_an_answer_streams_and_ends_in_the_same_message(asking: Running, private: bool) -> None:
    asked = asking.workspace.direct("Alice", QUESTION) if private else asking.ask(QUESTION)
    shown = growing(asking, asked)
    assert "‹!channel>" in shown.text
    assert "<!channel>" not in shown.text
    answer = asking.reply(asked)
    assert (answer.ts, answer.streaming) == (shown.ts, False)
    assert "Travel policy" in answer.plain()
    assert len(asking.answers(asked)) == 1
    asking.workspace.wait_until(
        lambda: asking.workspace.state()["statuses"] == [], what="the status to be cleared"
    )


def test_a_stream_that_expires_goes_on_in_the_same_message(asking: Running) -> None:
    asked = asking.ask(QUESTION)
    shown = growing(asking, asked)
    assert asking.workspace.expire_streams() == [shown.ts]
    answer = asking.reply(asked)
    assert answer.ts == shown.ts
    assert "Travel policy" in answer.plain()
    assert len(asking.answers(asked)) == 1


def test_slacks_stop_button_ends_the_answer_and_leaves_what_was_written(asking: Running) -> None:
    asked = asking.ask(QUESTION)
    shown = growing(asking, asked)
    asking.workspace.stop("Alice", asked)
    stopped = asking.reply(asked, 10)
    assert stopped.ts == shown.ts
    assert "110 EUR" in stopped.plain()
    assert no_answer(SAY, NoAnswer.STOPPED) in stopped.plain()
    assert state(asking, asked) == ("failed", "stopped")

    assert asking.model
    asking.model.reset()
    asking.workspace.click("Alice", stopped, ASK_AGAIN_ACTION)
    asking.workspace.wait_until(
        lambda: "Travel policy" in asking.workspace.message(stopped).plain(),
        PATIENCE_S,
        "the answer",
    )
    assert len(asking.answers(asked)) == 1


def test_two_questions_at_once_in_one_thread_are_answered_one_after_the_other(
    asking: Running,
) -> None:
    first = asking.ask(QUESTION)
    asking.workspace.wait_until(lambda: is_known(asking, first), what="the bot to join the thread")
    second = asking.ask("And in Denmark?", user="Ben", after=first)
    third = asking.ask("Who leads the Vision team?", user="Chloe")  # another thread
    queued = asking.workspace.wait_for_reply(second)
    assert queued.text == SAY("queued")
    assert state(asking, second) == ("waiting", "")
    asking.reply(third)
    asking.workspace.wait_until(
        lambda: state(asking, first)[0] == "done", PATIENCE_S, "the first answer"
    )
    asking.workspace.wait_until(
        lambda: state(asking, second)[0] == "done", PATIENCE_S, "the second answer"
    )
    with asking.database.reading() as session:
        times = {turn.ts: turn for turn in session.exec(select(TurnRow)).all()}
    assert times[second.ts].finished_at > times[first.ts].finished_at  # type: ignore[operator]
    asking.workspace.wait_until(
        lambda: not asking.workspace.message(queued).has_button(STOP_ANSWER_ACTION),
        what="its message",
    )
    assert len(asking.answers(first)) == 2


def test_a_worker_killed_at_the_first_question_does_not_keep_the_second_one_from_its_answer(
    asking: Running,
) -> None:
    first = asking.ask(QUESTION)
    growing(asking, first)
    second = asking.ask("And in Denmark?", user="Ben", after=first)
    asking.workspace.wait_for_reply(second)
    asking.stack.kill("worker")
    assert asking.model
    asking.model.reset()
    asking.stack.restart("worker")
    asking.workspace.wait_until(
        lambda: state(asking, second)[0] == "done", PATIENCE_S, "the second answer"
    )
    assert state(asking, first)[0] == "done"
    assert len(asking.answers(first)) == 2


def test_a_speaker_killed_in_the_middle_of_a_stream_finishes_the_same_message(
    asking: Running,
) -> None:
    asked = asking.ask(QUESTION)
    shown = growing(asking, asked)
    asking.stack.kill("speaker")
    asking.stack.restart("speaker")
    asking.workspace.wait_until(
        lambda: "Travel policy" in asking.workspace.message(shown).plain(), PATIENCE_S, "the answer"
    )
    assert [(answer.ts, answer.streaming) for answer in asking.answers(asked)] == [
        (shown.ts, False)
    ]


def test_an_older_workspace_has_a_placeholder_with_our_own_stop_button(asking: Running) -> None:
    asking.workspace.lack(*OLD)
    asking.stack.kill("speaker")  # what it knows of the workspace is forgotten
    asking.stack.restart("speaker")
    asked = asking.ask(QUESTION)
    placeholder = asking.workspace.wait_for_reply(asked)
    assert placeholder.has_button(STOP_ANSWER_ACTION)
    asking.workspace.wait_until(
        lambda: "110 EUR" in asking.workspace.message(placeholder).text, what="its words"
    )
    asking.workspace.click("Ben", placeholder, STOP_ANSWER_ACTION)
    asking.workspace.click("Alice", placeholder, STOP_ANSWER_ACTION)
    asking.workspace.wait_until(
        lambda: no_answer(SAY, NoAnswer.STOPPED) in asking.workspace.message(placeholder).plain(),
        what="the end",
    )
    before = said_to_slack(asking, OLD[0])
    assert state(asking, asked) == ("failed", "stopped")
    again = asking.ask(QUESTION)
    assert asking.model
    asking.model.reset()
    asking.reply(again)
    assert said_to_slack(asking, OLD[0]) == before, "asked once, and remembered"
    asking.workspace.lack()
    asking.stack.kill("speaker")
    asking.stack.restart("speaker")
