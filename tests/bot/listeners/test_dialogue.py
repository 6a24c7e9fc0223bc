"""What is no question, in the real bot: what people say, then what Slack and SQL have of it."""

from __future__ import annotations

from typing import Any

import pytest
from desk import Desk, answer

from core.dialogue.decision import Attention
from core.language.sentences import sentences
from core.policy import preferences
from core.policy.preferences import Preferences
from sandbox.slack.client import Message
from sandbox.slack.workspace.values import TEAM_ID

SAY, SAY_DE = sentences("en"), sentences("de")
BOT = "U0BOT"


@pytest.fixture
def answered(desk: Desk) -> Message:
    return answer(desk, desk.workspace.say("alice", "general", "who is on call?"))


def said_by_the_bot(desk: Desk, message: Message) -> list[str]:
    """After the answer."""
    thread = desk.workspace.thread(message.channel, message.root_ts)
    return [each.text for each in thread if each.bot and each.ts > message.ts]


def asked_after(desk: Desk, message: Message) -> list[str]:
    """The questions of a thread but its first."""
    return [turn.question for turn in desk.turns(message)[1:]]


def test_thanks_get_a_reaction_and_make_no_turn(desk: Desk, answered: Message) -> None:
    thanks = desk.workspace.say("alice", "general", "thanks a lot!", answered.root_ts)
    desk.settle()

    assert desk.workspace.message(thanks).reactions == {"heart": (BOT,)}
    assert asked_after(desk, answered) == []
    assert said_by_the_bot(desk, thanks) == []


def test_thanks_to_a_person_who_spoke_last_are_left_alone(desk: Desk, answered: Message) -> None:
    desk.workspace.say("ben", "general", "I can take the pager tonight", answered.root_ts)
    thanks = desk.workspace.say("alice", "general", "thanks a lot!", answered.root_ts)
    desk.settle()

    assert desk.workspace.message(thanks).reactions == {}
    assert said_by_the_bot(desk, thanks) == []


def test_where_slack_takes_no_reaction_a_sentence_thanks_back(
    desk: Desk, answered: Message
) -> None:
    desk.workspace.fault("reactions.add", error="missing_scope")
    thanks = desk.workspace.say("alice", "general", "danke, das hat geholfen", answered.root_ts)
    desk.settle()
    assert said_by_the_bot(desk, thanks) == [SAY_DE("you-are-welcome")]


def test_a_greeting_that_slack_delivers_again_is_returned_once(desk: Desk) -> None:
    hello = desk.workspace.direct("alice", "hello")
    desk.settle()
    for delivery in list(desk.deliveries()):
        desk.workspace.redeliver(delivery["payload"]["event_id"])
    desk.workspace.wait_until(lambda: all(d["attempts"] == 2 for d in desk.deliveries()))
    desk.settle()

    assert said_by_the_bot(desk, hello) == [SAY("hello")]
    assert desk.turns(hello) == []


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("@groundwire", "ask-me"),
        ("@groundwire hi there", "hello"),
        ("@groundwire what can you do?", "about-me"),
    ],
)
def test_a_mention_that_asks_nothing_of_the_pages_gets_one_sentence(
    desk: Desk, text: str, sentence: str
) -> None:
    message = desk.workspace.say("alice", "general", text)
    desk.settle()

    assert said_by_the_bot(desk, message) == [SAY(sentence)]
    assert (desk.turns(message), desk.queued("speak")) == ([], [])


def test_people_talk_in_our_thread_and_nothing_of_it_is_kept(desk: Desk, answered: Message) -> None:
    for text in ("ok", "lol", "@ben can you look?", "I will ask Carla tomorrow", ":+1:"):
        desk.workspace.say("alice", "general", text, answered.root_ts)
    desk.settle()

    assert asked_after(desk, answered) == []
    assert said_by_the_bot(desk, answered) == []


def test_a_question_behind_thanks_is_asked_without_them(desk: Desk, answered: Message) -> None:
    desk.workspace.say("alice", "general", "thanks! and next week?", answered.root_ts)
    desk.settle()
    assert asked_after(desk, answered) == ["and next week?"]


@pytest.mark.parametrize("text", ["@groundwire can you answer this?", "@groundwire"])
def test_what_stands_above_is_asked_when_somebody_asks_for_its_answer(
    desk: Desk, text: str
) -> None:
    first = desk.workspace.say("alice", "general", "does anyone know who is on call?")
    desk.workspace.say("ben", "general", "no idea", first.ts)
    desk.workspace.say("ben", "general", text, first.ts)
    desk.settle()
    assert desk.turn(first).question == "does anyone know who is on call?"


def test_slack_is_asked_what_was_said_only_where_it_matters(desk: Desk, answered: Message) -> None:
    before = len(desk.workspace.received("conversations.replies"))
    desk.workspace.say("alice", "general", "how long does a shift on call last?", answered.root_ts)
    desk.workspace.say("alice", "general", "I will take it then", answered.root_ts)
    desk.settle()
    assert len(desk.workspace.received("conversations.replies")) == before

    desk.workspace.say("alice", "general", "why?", answered.root_ts)
    desk.settle()
    assert len(desk.workspace.received("conversations.replies")) == before + 1


def test_a_thread_that_slack_does_not_show_is_decided_by_what_is_known(
    desk: Desk, answered: Message
) -> None:
    desk.workspace.fault("conversations.replies", error="missing_scope")
    desk.workspace.say("alice", "general", "why?", answered.root_ts)
    desk.settle()
    assert asked_after(desk, answered) == ["why?"]


@pytest.mark.parametrize(
    ("attention", "asked"),
    [
        (Attention.MENTION, []),
        (Attention.SURE, ["and next week?"]),
        (Attention.ANY, ["and next week?", "she is never at her desk"]),
    ],
)
def test_a_channel_chooses_which_replies_in_a_thread_are_answered(
    desk: Desk, answered: Message, attention: Attention, asked: list[Any]
) -> None:
    chosen = Preferences(mention=attention)
    preferences.save(desk.database, TEAM_ID, answered.channel, chosen)
    desk.workspace.say("alice", "general", "and next week?", answered.root_ts)
    desk.workspace.say("alice", "general", "she is never at her desk", answered.root_ts)
    desk.settle()
    assert asked_after(desk, answered) == asked
