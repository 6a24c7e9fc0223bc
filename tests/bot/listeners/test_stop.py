"""Stopping an answer: by our own button, which is the asker's, and by Slack's."""

from __future__ import annotations

import time

import pytest
from desk import Desk, record

from bot.delivery.turn_message import TurnMessage
from bot.views.progress import STOP_ANSWER_ACTION, build_progress
from bot.views.reasons import no_answer
from core.access.disclosure import NOTHING
from core.language.sentences import sentences
from core.states import NoAnswer, PostKind
from core.turns import backpressure, turn_store
from core.turns.turn import Turn
from sandbox.slack.client import Message, OrderRefused

SAY = sentences("en")

ALICE, BEN = "U0ALICE", "U0BEN"


@pytest.fixture
def question(desk: Desk) -> Message:
    message = desk.workspace.say("alice", "general", "@groundwire who is on call?")
    desk.settle()
    return message


@pytest.fixture
def placeholder(desk: Desk, question: Message) -> Message:
    turn = desk.turn(question)
    TurnMessage(desk.database, desk.speaker.messages, turn, PostKind.ANSWER).post(
        SAY("looking"), build_progress(SAY, turn.id, SAY("looking")), shows=NOTHING
    )
    return desk.workspace.wait_for_reply(question)


def follow_up(desk: Desk, question: Message) -> Turn:
    desk.workspace.say("ben", "general", "and tomorrow?", question.ts)
    desk.settle()
    return desk.turns(question)[-1]


def state(desk: Desk, question: Message) -> list[tuple[str, str]]:
    return [(turn.state, turn.reason or "") for turn in desk.turns(question)]


def test_whoever_asked_stops_the_answer_and_the_next_question_is_called(
    desk: Desk, question: Message, placeholder: Message
) -> None:
    second = follow_up(desk, question)
    desk.redis.delete("answer")
    desk.workspace.click("alice", placeholder, STOP_ANSWER_ACTION)
    desk.settle()
    assert state(desk, question) == [("failed", "stopped"), ("waiting", "")]
    assert desk.queued("answer") == [("worker.answer", second.id)]


def test_nobody_else_stops_it_by_our_button(
    desk: Desk, question: Message, placeholder: Message
) -> None:
    desk.workspace.click("ben", placeholder, STOP_ANSWER_ACTION)
    desk.settle()
    assert state(desk, question) == [("waiting", "")]
    assert desk.ephemeral_messages(BEN) == [SAY("stop-refused", user=ALICE)]


def test_an_answer_that_is_there_is_not_stopped(
    desk: Desk, question: Message, placeholder: Message
) -> None:
    turn_store.answer(desk.database, desk.turn(question).id, record())
    desk.workspace.click("alice", placeholder, STOP_ANSWER_ACTION)
    desk.settle()
    assert state(desk, question) == [("done", "")]


def test_slacks_button_stops_what_is_worked_on_and_not_who_waits_in_the_thread(
    desk: Desk, question: Message
) -> None:
    second = follow_up(desk, question)
    where = {"channel_id": question.channel, "thread_ts": question.ts}
    desk.speaker.client.agents_sessions_setStatus(**where, status="processing")
    desk.workspace.stop("alice", question)
    desk.settle()
    assert state(desk, question) == [("failed", "stopped"), ("waiting", "")]
    assert not desk.turns(question)[1].queued
    assert second.id == desk.turns(question)[1].id


def test_slack_has_no_button_where_nothing_is_done(desk: Desk, question: Message) -> None:
    with pytest.raises(OrderRefused, match="nothing_to_stop"):
        desk.workspace.stop("alice", question)


def test_a_stopped_answer_is_tried_again_by_its_button(
    desk: Desk, question: Message, placeholder: Message
) -> None:
    desk.workspace.click("alice", placeholder, STOP_ANSWER_ACTION)
    desk.settle()
    desk.speaker.answers.deliver(desk.turn(question).id)
    stopped = desk.workspace.message(placeholder)
    assert no_answer(SAY, NoAnswer.STOPPED) in stopped.plain()
    desk.workspace.click("ben", stopped, "ask_again")
    desk.settle()
    assert state(desk, question) == [("waiting", "")]


def test_a_question_that_was_left_in_line_is_told_at_once_that_it_is_stopped(
    desk: Desk, question: Message, placeholder: Message
) -> None:
    turn = desk.turn(question)
    desk.redis.delete("speak")
    assert backpressure.step_aside(desk.database, turn.id, time.time() + 600)
    desk.workspace.click("alice", placeholder, STOP_ANSWER_ACTION)
    desk.settle()
    assert desk.queued("speak") == [("bot.deliver", turn.id)]
