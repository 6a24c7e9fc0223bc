"""What people see of an answer in an older workspace: real Redis and SQL, a stand-in for Slack.

In a newer one: test_answer_progress.py.
"""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
import redis
from desk import NEWER, NOBODY, Speaker, a_speaker, asked, meanwhile, record, said, settings, write
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from structlog.testing import capture_logs

from bot.delivery.retry_policy import GIVE_UP_S, SLOW_S
from bot.delivery.turn_message import TurnMessage
from bot.slack_api.messages import metadata
from bot.views import answer_blocks
from bot.views.reasons import no_answer
from core.access.disclosure import NOTHING
from core.jobs.leases import lease
from core.jobs.progress_events import Event, EventKind
from core.jobs.queue import TaskName, enqueue
from core.language.sentences import sentences
from core.question import Condition, Field
from core.states import NoAnswer, PostKind
from core.storage.database import Database
from core.storage.tables import TurnRow
from core.turns import backpressure, post_store, turn_delivery, turn_store
from core.turns.backpressure import LATE_S
from core.turns.turn import NewQuestion, Turn
from sandbox.http.server import running as serving
from sandbox.slack.client import Message, Workspace

SAY = sentences("en")


@pytest.fixture
def workspace(workspace: Workspace) -> Workspace:
    workspace.lack(*NEWER)
    return workspace


def delivered(database: Database, turn: Turn) -> bool:
    found = turn_store.load(database, turn.id)
    return found is not None and found.delivered


def reason(database: Database, turn: Turn) -> str:
    found = turn_store.load(database, turn.id)
    return (found and found.reason) or ""


def finish(speaker: Speaker, turn: Turn) -> None:
    """Answer a turn as a worker does, and say so."""
    turn_store.answer(speaker.database, turn.id, record())
    speaker.events.publish(turn.id, Event(EventKind.DONE))


def long_ago(database: Database, turn: Turn, *, asked_s: float, patience_s: float) -> None:
    with database.session() as session:
        row = session.get_one(TurnRow, turn.id)
        row.asked_at, row.patience_from = time.time() - asked_s, time.time() - patience_s


def test_one_message_shows_that_we_are_at_it_how_far_we_are_and_then_the_answer(
    workspace: Workspace, speaker: Speaker, question: Message, turn: Turn
) -> None:
    speaking = meanwhile(lambda: speaker.answers.deliver(turn.id))
    placeholder = workspace.wait_for_reply(question)
    assert placeholder.text == SAY("looking")

    speaker.events.publish(turn.id, Event(EventKind.START))
    speaker.events.publish(turn.id, Event(EventKind.STAGE, "generate"))
    workspace.wait_until(lambda: workspace.message(placeholder).text == SAY("stage-generate"))
    finish(speaker, turn)
    speaking.join()

    (answer,) = said(workspace, question)
    assert answer.ts == placeholder.ts
    assert [block["type"] for block in answer.blocks] == [
        "markdown",
        "section",
        "context_actions",
        "actions",
    ]
    assert answer.text.startswith("Ben is on call [1].")
    assert delivered(speaker.database, turn)


def test_a_question_that_a_button_asked_is_shown_with_its_answer_from_the_placeholder_on(
    workspace: Workspace, speaker: Speaker, question: Message, done: Turn
) -> None:
    new = turn_store.ask(
        speaker.database,
        NewQuestion(
            replace(done.address, ts=f"{float(question.ts) + 1:.6f}"),
            user="U0BEN",
            text="And <next> week?",
            by_button=True,
            private=done.private,
        ),
    )
    assert new is not None
    speaking = meanwhile(lambda: speaker.answers.deliver(new.id))
    placeholder = workspace.wait_for_reply(question)
    assert placeholder.text == f"*Question:* And &lt;next&gt; week?\n{SAY('looking')}"
    finish(speaker, new)
    speaking.join()

    (shown,) = said(workspace, question)
    assert shown.blocks[0]["elements"][0]["text"] == "*<@U0BEN> asks:* And &lt;next&gt; week?"
    assert shown.text.startswith("*Question:* And &lt;next&gt; week?\nBen is on call [1].")


def test_the_page_of_the_sandbox_shows_the_filter_and_the_buttons(
    workspace: Workspace, speaker: Speaker, question: Message, turn: Turn
) -> None:
    found = record(suggestions=("And <next> week?",))
    only = Condition(field=Field.SPACE, value="OPS", said="in OPS")
    completed = found.completed.model_copy(update={"conditions": (only,)})
    turn_store.answer(speaker.database, turn.id, found.model_copy(update={"completed": completed}))
    speaker.answers.deliver(turn.id)

    page = httpx.get(
        f"{workspace.url}/?as=ben&channel=general&thread={question.ts}", trust_env=False
    ).text
    assert "Only pages: in OPS" in page
    label = SAY("button-unfiltered")
    assert (
        f'data-action="{answer_blocks.UNFILTERED_ACTION}" data-value="{turn.id}">{label}<' in page
    )
    assert f'data-action="follow_up_0" data-value="{turn.id}:0">And &lt;next&gt; week?<' in page


def test_a_second_delivery_of_the_same_answer_says_nothing(
    workspace: Workspace, speaker: Speaker, done: Turn
) -> None:
    speaker.answers.deliver(done.id)
    calls = len(workspace.received())
    speaker.answers.deliver(done.id)
    assert len(workspace.received()) == calls


def test_a_turn_in_other_hands_is_left_to_them(
    workspace: Workspace, speaker: Speaker, done: Turn
) -> None:
    with lease(speaker.database, f"bot.deliver:{done.id}"):
        speaker.answers.deliver(done.id)
    assert workspace.received() == []
    assert not delivered(speaker.database, done)


def test_a_turn_that_is_not_known_is_no_error(workspace: Workspace, speaker: Speaker) -> None:
    speaker.answers.deliver("no-such-turn")
    assert workspace.received() == []


def test_a_refused_question_is_told_its_reason(
    workspace: Workspace, speaker: Speaker, question: Message
) -> None:
    speaker.answers.deliver(asked(speaker.database, question, refused=NoAnswer.TOO_LONG).id)
    (answer,) = said(workspace, question)
    assert answer.blocks[0]["text"]["text"] == no_answer(SAY, NoAnswer.TOO_LONG)


def test_a_question_that_nobody_answers_gets_a_reason_when_the_patience_ends(
    tmp_path: Path, workspace: Workspace, speaker: Speaker, question: Message, turn: Turn
) -> None:
    hasty = a_speaker(
        settings(tmp_path, workspace.url, speaker.settings.redis_url, answer_patience_s=0.2),
        speaker.database,
    )
    hasty.answers.deliver(turn.id)

    (answer,) = said(workspace, question)
    assert answer.blocks[0]["text"]["text"] == no_answer(SAY, NoAnswer.LATE)
    assert answer.blocks[1]["elements"][0]["action_id"] == answer_blocks.ASK_AGAIN_ACTION
    assert (reason(speaker.database, turn), delivered(speaker.database, turn)) == ("late", True)
    assert not turn_store.answer(speaker.database, turn.id, record()), (
        "an answer that comes later must not be believed"
    )


def test_where_others_wait_for_a_speaker_the_placeholder_says_so_and_the_answer_comes_into_it_later(
    workspace: Workspace, speaker: Speaker, question: Message, turn: Turn, queues: redis.Redis
) -> None:
    enqueue(TaskName.DELIVER, "another turn")
    speaker.answers.deliver(turn.id)  # Given a speaker that has stepped aside
    (placeholder,) = said(workspace, question)
    assert (placeholder.text, delivered(speaker.database, turn)) == (SAY("in-line"), False)

    turn_store.start(speaker.database, turn.id)  # When a worker takes the question up
    backpressure.call_back(speaker.database, turn.id)
    assert queues.llen("speak") == 2
    turn_store.answer(speaker.database, turn.id, record())
    speaker.answers.deliver(turn.id)
    (answer,) = said(workspace, question)  # Then the same message becomes the answer
    assert (answer.ts, delivered(speaker.database, turn)) == (placeholder.ts, True)


def test_a_question_in_line_is_not_closed_while_others_are_being_answered(
    tmp_path: Path, workspace: Workspace, speaker: Speaker, question: Message, turn: Turn
) -> None:
    hasty = a_speaker(
        settings(tmp_path, workspace.url, speaker.settings.redis_url, answer_patience_s=0.2),
        speaker.database,
    )
    with lease(speaker.database, f"{TaskName.ANSWER}:another"):
        speaking = meanwhile(lambda: hasty.answers.deliver(turn.id))
        time.sleep(2.5)
        assert reason(speaker.database, turn) == ""
        finish(speaker, turn)
        speaking.join()
    assert said(workspace, question)[0].text.startswith("Ben is on call")


def test_a_question_that_waited_for_our_own_programs_has_its_patience_from_then_on(
    workspace: Workspace, speaker: Speaker, question: Message, turn: Turn
) -> None:
    long_ago(speaker.database, turn, asked_s=600, patience_s=600)
    speaking = meanwhile(lambda: speaker.answers.deliver(turn.id))
    workspace.wait_for_reply(question)
    finish(speaker, turn)
    speaking.join()
    assert said(workspace, question)[0].text.startswith("Ben is on call")


def test_a_question_of_hours_ago_is_closed_with_a_reason(
    workspace: Workspace, speaker: Speaker, question: Message, turn: Turn
) -> None:
    long_ago(speaker.database, turn, asked_s=2 * LATE_S, patience_s=2 * LATE_S)
    speaker.answers.deliver(turn.id)
    assert (reason(speaker.database, turn), len(said(workspace, question))) == ("late", 1)


def test_a_question_asked_again_shows_at_once_that_we_are_at_it_again(
    workspace: Workspace, speaker: Speaker, question: Message, turn: Turn
) -> None:
    turn_store.fail(speaker.database, turn.id, NoAnswer.LATE)
    speaker.answers.deliver(turn.id)
    (failed,) = said(workspace, question)
    turn_store.ask_again(speaker.database, turn.id)
    speaking = meanwhile(lambda: speaker.answers.deliver(turn.id))
    workspace.wait_until(lambda: workspace.message(failed).text == SAY("looking"))
    assert not workspace.message(failed).has_button(answer_blocks.ASK_AGAIN_ACTION), (
        "the old reason and its button would hide the placeholder"
    )
    finish(speaker, turn)
    speaking.join()

    (answer,) = said(workspace, question)
    assert answer.text.startswith("Ben is on call")


def test_a_message_whose_reply_got_lost_is_found_again_and_not_posted_twice(
    workspace: Workspace, speaker: Speaker, question: Message, done: Turn
) -> None:
    workspace.fault(
        "chat.postMessage", status=500, after=True
    )  # Given a message that stands there, though nobody told us
    speaker.answers.deliver(done.id)
    speaker.answers.deliver(done.id)  # When somebody tries again

    (answer,) = said(workspace, question)  # Then that very message becomes the answer
    assert answer.text.startswith("Ben is on call")


def test_the_message_of_a_killed_speaker_is_found_in_a_long_thread(
    workspace: Workspace, speaker: Speaker, question: Message, done: Turn
) -> None:
    first = post_store.ensure(speaker.database, done, PostKind.ANSWER)
    for number in range(210):
        workspace.say("ben", "general", f"hm {number}", question.ts)
    speaker.client.chat_postMessage(
        channel=question.channel, thread_ts=question.ts, text="…", metadata=metadata(first.id)
    )
    speaker.answers.deliver(done.id)

    (answer,) = said(workspace, question)
    assert answer.text.startswith("Ben is on call")


def test_a_placeholder_that_told_of_the_queue_becomes_the_answer(
    workspace: Workspace, speaker: Speaker, question: Message, done: Turn
) -> None:
    TurnMessage(speaker.database, speaker.messages, done, PostKind.ANSWER).post(
        SAY("queue-down"), shows=NOTHING
    )
    speaker.answers.deliver(done.id)
    (answer,) = said(workspace, question)
    assert answer.text.startswith("Ben is on call")


@pytest.mark.parametrize("error", ["invalid_blocks", "msg_blocks_too_long"])
def test_an_answer_whose_blocks_slack_refuses_is_said_in_plain_text(
    workspace: Workspace, speaker: Speaker, question: Message, done: Turn, error: str
) -> None:
    deliver_placeholder_first(speaker, done)
    workspace.fault("chat.update", error=error)
    speaker.answers.deliver(done.id)

    (answer,) = said(workspace, question)
    assert answer.blocks == ()
    assert answer.text.splitlines()[:2] == [
        "Ben is on call [1].",
        "[1] <https://wiki.example/on-call#who|On-call guide › Who is on call>",
    ]
    assert delivered(speaker.database, done)


def refusals(workspace: Workspace) -> list[str]:
    """What Slack did not take, beside what this workspace does not know."""
    return [call.error for call in workspace.received() if not call.ok and call.method not in NEWER]


def deliver_placeholder_first(speaker: Speaker, turn: Turn) -> None:
    """So that the next update is the final one."""
    TurnMessage(speaker.database, speaker.messages, turn, PostKind.ANSWER).post(
        SAY("looking"), shows=NOTHING
    )


@pytest.mark.parametrize(
    "text", ["漢字" * 10_000, "word & <tag> " * 2_000], ids=["chinese", "escaped"]
)
def test_a_huge_answer_is_shown_while_it_is_written_and_when_it_is_done(
    workspace: Workspace, speaker: Speaker, question: Message, turn: Turn, text: str
) -> None:
    deliver_placeholder_first(speaker, turn)
    write(speaker, turn, text)
    turn_store.answer(speaker.database, turn.id, record(text))
    speaker.answers.deliver(turn.id)
    assert refusals(workspace) == []
    shown = said(workspace, question)
    assert sum(len(message.blocks[0]["text"]) for message in shown) >= len(text.strip()) - len(
        shown
    )


def test_a_huge_text_is_shown_as_far_as_slack_takes_it_while_it_is_written(
    workspace: Workspace, speaker: Speaker, question: Message, turn: Turn
) -> None:
    deliver_placeholder_first(speaker, turn)
    write(speaker, turn, "漢字 & " * 10_000)
    speaking = meanwhile(lambda: speaker.answers.deliver(turn.id))
    workspace.wait_until(lambda: "漢字 &amp; 漢字" in said(workspace, question)[0].text)
    finish(speaker, turn)
    speaking.join()
    assert refusals(workspace) == []


@pytest.mark.parametrize("error", ["channel_not_found", "is_archived", "not_in_channel"])
def test_an_answer_for_a_place_that_is_gone_is_given_up(
    workspace: Workspace, speaker: Speaker, done: Turn, error: str
) -> None:
    workspace.fault("chat.postMessage", error=error)
    speaker.answers.deliver(done.id)
    assert delivered(speaker.database, done)


def test_an_answer_whose_message_was_deleted_is_given_up(
    workspace: Workspace, speaker: Speaker, question: Message, done: Turn
) -> None:
    deliver_placeholder_first(speaker, done)
    speaker.client.chat_delete(channel=question.channel, ts=said(workspace, question)[0].ts)
    speaker.answers.deliver(done.id)
    assert said(workspace, question) == []
    assert delivered(speaker.database, done)


def test_an_answer_that_slack_fails_to_take_is_not_given_up(
    workspace: Workspace, speaker: Speaker, question: Message, done: Turn
) -> None:
    deliver_placeholder_first(speaker, done)
    workspace.fault("chat.update", error="fatal_error", times=1)
    speaker.answers.deliver(done.id)
    assert not delivered(speaker.database, done)
    speaker.answers.deliver(done.id)
    assert said(workspace, question)[0].text.startswith("Ben is on call")


def test_a_bot_whose_token_was_revoked_tries_again_after_minutes_and_delivers_once_it_works(
    workspace: Workspace, speaker: Speaker, question: Message, done: Turn
) -> None:
    workspace.fault("chat.postMessage", error="token_revoked")
    before = time.time()
    with capture_logs() as lines:
        speaker.answers.deliver(done.id)
    assert [(line["event"], line["error"]) for line in lines] == [
        ("deliver.slack_refuses_the_bot", "token_revoked")
    ]
    assert before <= next_try(speaker.database, done) - SLOW_S <= time.time()
    speaker.answers.deliver(done.id)
    assert said(workspace, question)[0].text.startswith("Ben is on call")


@pytest.mark.parametrize(("age", "wait"), [(0, 0), (60, 30), (3600, SLOW_S)])
def test_the_longer_a_delivery_fails_the_longer_it_waits(
    workspace: Workspace, speaker: Speaker, done: Turn, age: float, wait: float
) -> None:
    before = time.time()
    asked_ago(speaker.database, done, age)
    workspace.fault("chat.postMessage", error="fatal_error")
    speaker.answers.deliver(done.id)
    after = time.time()
    older = after - before  # the question has aged, and waits for half of that more
    assert before <= next_try(speaker.database, done) - wait <= after + older


def test_what_slack_has_refused_for_a_day_is_given_up(
    workspace: Workspace, speaker: Speaker, done: Turn
) -> None:
    asked_ago(speaker.database, done, GIVE_UP_S + 1)
    workspace.fault("chat.postMessage", error="fatal_error")
    speaker.answers.deliver(done.id)
    assert delivered(speaker.database, done)


def test_a_re_delivery_of_an_old_answer_is_tried_less_and_less_often_and_not_for_ever(
    workspace: Workspace, speaker: Speaker, done: Turn
) -> None:
    asked_ago(speaker.database, done, 30 * GIVE_UP_S)
    speaker.answers.deliver(done.id)
    saved = turn_store.load(speaker.database, done.id)
    assert saved and turn_delivery.redeliver(speaker.database, saved, record("Mia is on call [1]."))

    workspace.fault("chat.update", error="fatal_error", times=10)
    speaker.answers.deliver(done.id)
    assert not delivered(speaker.database, done)  # it is old, its change is not
    changed_ago(speaker.database, done, 200)
    before = time.time()
    speaker.answers.deliver(done.id)
    assert next_try(speaker.database, done) >= before + 100
    changed_ago(speaker.database, done, GIVE_UP_S + 1)
    speaker.answers.deliver(done.id)
    assert delivered(speaker.database, done)


def changed_ago(database: Database, turn: Turn, seconds: float) -> None:
    with database.session() as session:
        session.get_one(TurnRow, turn.id).changed_at = time.time() - seconds


def asked_ago(database: Database, turn: Turn, seconds: float) -> None:
    with database.session() as session:
        session.get_one(TurnRow, turn.id).asked_at = time.time() - seconds


def next_try(database: Database, turn: Turn) -> float:
    with database.reading() as session:
        return session.get_one(TurnRow, turn.id).delivery_enqueued_at


def test_a_rate_limit_is_waited_for(workspace: Workspace, speaker: Speaker, done: Turn) -> None:
    workspace.fault("chat.postMessage", retry_after=1)
    speaker.answers.deliver(done.id)
    refused, accepted = workspace.received("chat.postMessage")
    assert (refused.status, accepted.ok) == (429, True)
    assert accepted.time - refused.time >= 1


def test_the_page_of_a_proxy_in_the_place_of_slack_is_a_failure_like_any_other(
    tmp_path: Path, speaker: Speaker, done: Turn
) -> None:
    async def page(_: Request) -> Response:
        return HTMLResponse("<h1>We are back soon</h1>")

    with serving(Starlette(routes=[Route("/{any:path}", page, methods=["GET", "POST"])])) as url:
        lost = a_speaker(settings(tmp_path, url, NOBODY), speaker.database)
        lost.answers.deliver(done.id)
    assert not delivered(speaker.database, done)


def test_without_redis_an_answer_is_delivered_all_the_same(
    tmp_path: Path, workspace: Workspace, database: Database, question: Message, turn: Turn
) -> None:
    blind = a_speaker(settings(tmp_path, workspace.url, NOBODY), database)
    speaking = meanwhile(lambda: blind.answers.deliver(turn.id))
    workspace.wait_for_reply(question)
    turn_store.answer(database, turn.id, record())
    speaking.join()
    assert said(workspace, question)[0].text.startswith("Ben is on call")
