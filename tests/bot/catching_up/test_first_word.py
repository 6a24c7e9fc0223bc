"""The first word of the bot itself, where no speaker takes a turn."""

from __future__ import annotations

import time

import pytest
from desk import NEWER, Speaker, record, said

from bot.catching_up.first_word import FirstWord
from core.jobs.leases import lease
from core.jobs.queue import TaskName
from core.language.sentences import sentences
from core.storage.database import Database
from core.storage.tables import TurnRow
from core.turns import turn_store
from core.turns.turn import Turn
from core.turns.upkeep.unattended import PATIENCE_S, YOUNG_S
from sandbox.slack.client import Message, Workspace

SAY = sentences("en")


@pytest.fixture
def first_word(speaker: Speaker) -> FirstWord:
    return FirstWord(speaker.database, speaker.messages)


@pytest.fixture
def workspace(workspace: Workspace) -> Workspace:
    workspace.lack(*NEWER)
    return workspace


def enqueued_ago(database: Database, turn: Turn, seconds: float) -> None:
    with database.session() as session:
        row = session.get_one(TurnRow, turn.id)
        row.asked_at = row.delivery_enqueued_at = time.time() - seconds


def words(workspace: Workspace, question: Message) -> list[str]:
    return [message.text for message in said(workspace, question)]


def test_it_is_said_once_when_nobody_takes_the_turn_for_some_seconds(
    workspace: Workspace, first_word: FirstWord, speaker: Speaker, question: Message, turn: Turn
) -> None:
    first_word.say(turn.address.team)
    assert words(workspace, question) == []

    enqueued_ago(speaker.database, turn, PATIENCE_S + 1)
    first_word.say(turn.address.team)
    first_word.say(turn.address.team)
    assert words(workspace, question) == [SAY("first-word")]


def test_the_speaker_that_comes_later_answers_in_the_same_message(
    workspace: Workspace, first_word: FirstWord, speaker: Speaker, question: Message, turn: Turn
) -> None:
    enqueued_ago(speaker.database, turn, PATIENCE_S + 1)
    first_word.say(turn.address.team)
    turn_store.answer(speaker.database, turn.id, record())
    speaker.answers.deliver(turn.id)

    (answer,) = words(workspace, question)
    assert answer.startswith("Ben is on call [1].")


@pytest.mark.parametrize("age_s", [PATIENCE_S - 4, YOUNG_S + 1])
def test_it_comes_neither_too_soon_nor_when_nobody_waits_any_more(
    workspace: Workspace,
    first_word: FirstWord,
    speaker: Speaker,
    question: Message,
    turn: Turn,
    age_s: float,
) -> None:
    enqueued_ago(speaker.database, turn, age_s)
    first_word.say(turn.address.team)
    assert words(workspace, question) == []


def test_a_turn_that_a_speaker_has_is_left_to_it(
    workspace: Workspace, first_word: FirstWord, speaker: Speaker, question: Message, turn: Turn
) -> None:
    enqueued_ago(speaker.database, turn, PATIENCE_S + 1)
    with lease(speaker.database, f"{TaskName.DELIVER}:{turn.id}"):
        first_word.say(turn.address.team)
    assert words(workspace, question) == []


def test_a_slack_that_refuses_is_left_alone_for_a_while(
    workspace: Workspace, first_word: FirstWord, speaker: Speaker, question: Message, turn: Turn
) -> None:
    enqueued_ago(speaker.database, turn, PATIENCE_S + 1)
    workspace.fault("chat.postMessage", error="restricted_action")
    first_word.say(turn.address.team)
    first_word.say(turn.address.team)
    assert len(workspace.received("chat.postMessage")) == 1
