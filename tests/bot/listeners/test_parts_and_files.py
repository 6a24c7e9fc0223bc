"""Direct messages as people write them: in two parts, with files, with nothing but a file."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from desk import Desk, Speaker, record, said, texts
from handmade import ALICE, Bot
from slack_bolt import BoltRequest
from sqlalchemy import event
from sqlmodel import select

from bot.views.answer.heard import LATE_S
from core.language.sentences import sentences
from core.states import NoAnswer, TurnState
from core.storage.tables import TurnRow
from core.turns import turn_store
from core.turns.turn import Address, NewQuestion, Turn
from sandbox.slack.client import Message, Workspace
from sandbox.slack.workspace import events
from sandbox.slack.workspace.values import TEAM_ID

SAY = sentences("en")
PAUSE_S = 4.0


def write(desk: Desk, *texts: str) -> list[Message]:
    """Direct messages of one person, one right after the other."""
    written = []
    for text in texts:
        written.append(desk.workspace.direct("alice", text))
        desk.settle()
    return written


@pytest.mark.parametrize(
    ("first", "second", "both"),
    [
        (
            "I have a question about travel",
            "how much per night in Paris?",
            "I have a question about travel: how much per night in Paris?",
        ),
        ("how much is a hotel per night?", "in Paris", "how much is a hotel per night? in Paris"),
        (
            "ich hab mal eine Frage zum Urlaub",
            "wie viele Tage habe ich?",
            "ich hab mal eine Frage zum Urlaub: wie viele Tage habe ich?",
        ),
    ],
)
def test_a_direct_message_in_two_parts_is_one_question(
    desk: Desk, first: str, second: str, both: str
) -> None:
    begun, ended = write(desk, first, second)
    assert desk.turn(ended).question == both
    assert desk.turn(ended).state == TurnState.WAITING
    assert desk.turn(begun).reason == NoAnswer.JOINED


def test_the_second_part_waits_until_the_first_is_heard(hand: Bot) -> None:
    """Events come in requests of their own: the first one's is slow at its first look at SQL."""
    begun, slow = threading.Event(), threading.Event()

    def read(*_: Any) -> None:
        if threading.current_thread().name == "first" and not begun.is_set():
            begun.set()
            slow.wait(PAUSE_S)

    event.listen(hand.database.engine, "before_cursor_execute", read)
    parts = [
        hand.workspace.direct("alice", text)
        for text in ("how much is a hotel per night?", "in Paris")
    ]
    first, second = (threading.Thread(target=dispatch, args=(hand, part)) for part in parts)
    first.name = "first"
    first.start()
    assert begun.wait(PAUSE_S)
    second.start()
    second.join(PAUSE_S / 4)  # it waits, or has overtaken the first
    slow.set()
    first.join()
    second.join()
    asked = {row["question"]: row["state"] for row in hand.rows()["TurnRow"]}
    assert asked["how much is a hotel per night? in Paris"] == TurnState.WAITING


def test_the_first_part_says_where_it_is_answered(desk: Desk) -> None:
    begun, _ = write(desk, "I have a question about travel", "how much per night in Paris?")
    desk.speaker.answers.deliver(desk.turn(begun).id)
    assert desk.workspace.wait_for_reply(begun).text == SAY("reason-joined")


def test_two_questions_that_stand_for_themselves_are_two(desk: Desk) -> None:
    messages = write(desk, "who is on call?", "how do I request time off?")
    assert [desk.turn(message).state for message in messages] == [TurnState.WAITING] * 2


def test_thanks_and_what_comes_after_the_answer_join_nothing(desk: Desk) -> None:
    announced, *_ = write(desk, "I need help with my expense report", "thanks!")
    assert desk.turn(announced).state == TurnState.WAITING

    turn_store.answer(desk.database, desk.turn(announced).id, record())
    (later,) = write(desk, "how much per night in Paris?")
    assert desk.turn(later).question == "how much per night in Paris?"


def test_what_cannot_stand_alone_goes_on_with_a_question_that_was_just_answered(
    desk: Desk,
) -> None:
    (asked,) = write(desk, "how much is a hotel per night?")
    turn_store.answer(desk.database, desk.turn(asked).id, record())
    (more,) = write(desk, "in Paris")
    assert desk.turn(more).question == "how much is a hotel per night? in Paris"
    assert desk.turn(asked).state == TurnState.DONE


def test_another_person_s_message_joins_nothing(desk: Desk) -> None:
    write(desk, "I have a question about travel")
    other = desk.workspace.direct("ben", "how much per night in Paris?")
    desk.settle()
    assert desk.turn(other).question == "how much per night in Paris?"


def test_in_a_thread_a_follow_up_keeps_its_place_behind_the_question(desk: Desk) -> None:
    first = desk.workspace.direct("dev", "who is on call?")
    desk.workspace.direct("dev", "and next week?", first.ts)
    desk.settle()
    assert [turn.question for turn in desk.turns(first)] == ["who is on call?", "and next week?"]


FILE = {"subtype": "file_share", "files": [{"id": "F1", "name": "report.pdf"}]}


def hear(hand: Bot, text: str, **more: Any) -> Message:
    """A direct message with what the stand-in leaves out of its event."""
    message = hand.workspace.direct("alice", text or "a file")
    where = {"channel": message.channel, "channel_type": "im", "ts": message.ts}
    said = {"type": "message", "user": ALICE, "text": text, "event_ts": message.ts}
    hand.event(said | where | more)
    return message


def dispatch(hand: Bot, message: Message) -> None:
    """Its event alone, and nothing of what the bot puts off."""
    where = {"channel": message.channel, "channel_type": "im", "ts": message.ts}
    said = {"type": "message", "user": ALICE, "text": message.text, "event_ts": message.ts}
    body = events.callback(said | where)
    assert hand.app.dispatch(BoltRequest(body=body, mode="socket_mode")).status == 200


def turn_of(hand: Bot, message: Message) -> Turn:
    with hand.database.reading() as session:
        turn_id = session.exec(select(TurnRow.id).where(TurnRow.ts == message.ts)).one()
    turn = turn_store.load(hand.database, turn_id)
    assert turn is not None
    return turn


def test_a_message_with_nothing_but_a_file_is_told_that_files_are_not_read(hand: Bot) -> None:
    message = hear(hand, "", **FILE)
    thread = hand.workspace.thread(message.channel, message.ts)
    assert [each.text for each in thread if each.bot] == [SAY("files-only")]


def test_a_question_that_comes_with_a_file_is_asked_and_the_file_remembered(hand: Bot) -> None:
    assert turn_of(hand, hear(hand, "who is on call?", **FILE)).has_files
    assert not turn_of(hand, hear(hand, "how do I request time off?")).has_files


@pytest.mark.parametrize(
    ("late_s", "has_files", "lines"),
    [
        (0.0, False, []),
        (LATE_S - 1, False, []),
        (720.0, False, [SAY("heard-late", minutes=12)]),
        (3 * 3600.0, False, [SAY("heard-very-late", hours=3)]),
        (0.0, True, [SAY("files-not-read")]),
        (720.0, True, [f"{SAY('heard-late', minutes=12)} {SAY('files-not-read')}"]),
    ],
)
def test_an_answer_says_that_its_question_was_heard_late_or_its_files_not_read(
    workspace: Workspace, speaker: Speaker, late_s: float, has_files: bool, lines: list[str]
) -> None:
    question = workspace.say("alice", "general", "who is on call?")
    where = Address(TEAM_ID, question.channel, question.ts, question.ts)
    new = NewQuestion(where, ALICE, question.text, late_s=late_s, has_files=has_files)
    turn = turn_store.ask(speaker.database, new)
    assert turn is not None
    turn_store.answer(speaker.database, turn.id, record())
    speaker.answers.deliver(turn.id)

    (answer,) = said(workspace, question)
    above = answer.blocks[: 1 if lines else 0]
    assert texts(list(above), "context") == lines
    assert answer.blocks[len(lines)]["type"] == "markdown"


CONTEXT = {"entities": [{"type": "slack#/types/channel_id", "value": "C0HR", "team_id": TEAM_ID}]}


def test_what_the_asker_has_open_counts_where_they_are_known_to_be(hand: Bot) -> None:
    stranger = hear(hand, "who is on call?", app_context=CONTEXT)
    assert turn_of(hand, stranger).beside == ""

    where = {"channel": "C0HR", "ts": "1790000000.000100", "event_ts": "1790000000.000100"}
    hand.event({"type": "app_mention", "user": ALICE, "text": "<@U0BOT> who is on call?", **where})
    known = hear(hand, "how do I request time off?", app_context=CONTEXT)
    assert turn_of(hand, known).beside == "C0HR"


def test_a_channel_that_somebody_looks_at_is_acknowledged_and_changes_nothing(hand: Bot) -> None:
    before = hand.rows()
    hand.event({"type": "app_context_changed", "user": ALICE, "context": CONTEXT})
    assert hand.rows() == before
