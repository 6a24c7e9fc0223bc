"""Every button and reaction on an answer whose page was closed: nothing of it is said again."""

from __future__ import annotations

import json
import time
from collections.abc import Callable

import canary
import pytest
from desk import Desk, a_speaker, answer, confirm
from sqlmodel import delete
from told import told

from bot.listeners.explain_shortcut import EXPLAIN_SHORTCUT
from bot.views.answer_blocks import (
    EXPLAIN_ACTION,
    FEEDBACK_ACTION,
    FOLLOW_UP_ACTION,
    UNFILTERED_ACTION,
)
from bot.views.answer_menu import MORE_ACTION, Choice
from bot.views.explanation_blocks import DETAILS_ACTION
from core.access.disclosure import EVERYBODY
from core.states import PostKind, TurnState
from core.storage.access_tables import ConfirmationRow
from core.turns import detail_requests, explanations, post_store, turn_store
from sandbox.slack.client import Message

Deed = Callable[[Desk, Message], None]


def explain(desk: Desk, message: Message) -> None:
    desk.workspace.click("chloe", message, EXPLAIN_ACTION)


def explain_from_the_menu(desk: Desk, message: Message) -> None:
    desk.workspace.shortcut("chloe", message, EXPLAIN_SHORTCUT)


def ask_by_a_reaction(desk: Desk, message: Message) -> None:
    desk.workspace.react("chloe", message, "question")


def look_into_the_explanation(desk: Desk, message: Message) -> None:
    posts = post_store.of_turn(desk.database, desk.turn(message).id)
    (place,) = [post.ts for post in posts if post.kind is PostKind.EXPLANATION]
    thread = desk.workspace.thread(message.channel, message.root_ts)
    (explained,) = [each for each in thread if each.ts == place]
    desk.workspace.click("chloe", explained, DETAILS_ACTION)


def vote_against_it(desk: Desk, message: Message) -> None:
    desk.workspace.click("chloe", message, FEEDBACK_ACTION, f"down:{desk.turn(message).id}")


def vote_by_a_reaction(desk: Desk, message: Message) -> None:
    desk.workspace.react("chloe", message, "-1")


def from_its_menu(choice: Choice) -> Deed:
    def chosen(desk: Desk, message: Message) -> None:
        value = f"{choice.value}:{desk.turn(message).id}"
        desk.workspace.click("chloe", message, MORE_ACTION, value)

    chosen.__name__ = f"choose_{choice.value}"
    return chosen


def follow_it_up(desk: Desk, message: Message) -> None:
    desk.workspace.click("chloe", message, f"{FOLLOW_UP_ACTION}_0")


def ask_without_the_filter(desk: Desk, message: Message) -> None:
    desk.workspace.click("chloe", message, UNFILTERED_ACTION)


def open_home(desk: Desk, message: Message) -> None:
    desk.workspace.open_home("ben")


def reply(desk: Desk, message: Message) -> None:
    desk.workspace.say("ben", "general", "and then?", thread_ts=message.root_ts)


DEEDS: list[Deed] = [
    explain,
    explain_from_the_menu,
    ask_by_a_reaction,
    look_into_the_explanation,
    vote_against_it,
    vote_by_a_reaction,
    *(from_its_menu(choice) for choice in Choice),
    follow_it_up,
    ask_without_the_filter,
    open_home,
    reply,
]


def close(desk: Desk) -> None:
    told(desk.database, EVERYBODY, {canary.PAGE: False}, time.time())


def heard(desk: Desk, after: int) -> list[str]:
    """The calls since then whose arguments hold the word."""
    calls = desk.workspace.received()[after:]
    return [each.method for each in calls if canary.WORD in json.dumps(each.arguments)]


@pytest.mark.parametrize("deed", DEEDS, ids=lambda deed: deed.__name__)
def test_nothing_is_said_of_an_answer_whose_page_is_closed(desk: Desk, deed: Deed) -> None:
    with desk.database.session() as session:
        session.exec(delete(ConfirmationRow))
    confirm(desk.database, canary.PAGE.id, age_s=1.0)
    asked = desk.workspace.say("ben", "general", "who is on call?")
    message = answer(desk, asked, canary.record())
    if deed is look_into_the_explanation:
        turn = desk.turn(message)
        explanations.request(desk.database, turn.id, "U0CHLOE")
        explanations.save(desk.database, canary.explanation(turn.id))
        desk.speaker.explanations.deliver(turn.id)
    assert heard(desk, 0), "the answer is there"
    close(desk)
    before = len(desk.workspace.received())
    deed(desk, message)
    desk.settle()
    speak(desk)
    assert heard(desk, before) == []


def speak(desk: Desk) -> None:
    """What a speaker then does, when a worker has admitted whoever asked."""
    speaker = a_speaker(desk.speaker.settings, desk.database, confirm_wait_s=0.3)
    for task, name in desk.queued("answer") + desk.queued("speak"):
        if task == "worker.admit":
            detail_requests.decide(desk.database, name, may_see=True, audience=EVERYBODY)
            speaker.details.show(name)
        elif task == "bot.deliver":
            turn = turn_store.load(desk.database, name)
            if turn is not None and turn.state is TurnState.WAITING:
                turn_store.answer(desk.database, name, canary.record())
            speaker.answers.deliver(name)
