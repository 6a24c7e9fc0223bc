"""Everything that somebody was not allowed stands in the audit log, whoever is told of it."""

from __future__ import annotations

import pytest
from desk import Speaker
from handmade import (
    ALICE,
    BEN,
    CHANNEL,
    Bot,
    a_turn,
    answer_of,
    press,
    reaction,
    shortcut,
    submission,
)

from bot.listeners.explain_shortcut import EXPLAIN_SHORTCUT
from bot.views.answer_menu import MORE_ACTION
from bot.views.explanation_blocks import STOP_ACTION
from bot.views.feedback_forms import DELETE_CALLBACK
from bot.views.progress import STOP_ANSWER_ACTION
from core.language.sentences import sentences
from core.states import PostKind, TurnState
from core.storage.database import Database
from core.turns import detail_requests, explanations, post_store, turn_access, turn_store
from core.turns.turn import Address, NewQuestion, Turn
from sandbox.slack.workspace.values import TEAM_ID

SAY = sentences("en")
DIRECT = "D0ALICE"


def waiting(database: Database) -> Turn:
    """A question of Alice's whose placeholder stands at 1.01."""
    where = Address(TEAM_ID, CHANNEL, "1.0", "1.0")
    turn = turn_store.ask(database, NewQuestion(where, ALICE, "Who?"))
    assert turn is not None
    post = post_store.ensure(database, turn, PostKind.ANSWER)
    post_store.save_place(database, post.id, "1.01")
    return turn


def test_to_stop_somebody_elses_answer(hand: Bot) -> None:
    turn = waiting(hand.database)
    hand.interact(press(STOP_ANSWER_ACTION, turn.id, CHANNEL, "1.01"))
    assert turn_store.is_waiting(hand.database, turn)
    assert hand.whispers() == [SAY("stop-refused", user=ALICE)]
    assert hand.refusals() == [(BEN, turn.id, "stop-refused")]


def test_to_stop_somebody_elses_explanation(hand: Bot) -> None:
    turn = a_turn(hand.database)
    explanations.request(hand.database, turn.id, ALICE)
    hand.interact(press(STOP_ACTION, turn.id, CHANNEL, answer_of(turn)))
    assert hand.whispers() == [SAY("explain-stop-refused", user=ALICE)]
    assert hand.refusals() == [(BEN, turn.id, "explain-stop-refused")]


def test_to_delete_somebody_elses_answer_by_the_menu_and_by_the_form(hand: Bot) -> None:
    turn = a_turn(hand.database)
    hand.interact(press(MORE_ACTION, f"delete:{turn.id}", CHANNEL, answer_of(turn)))
    refused = (BEN, turn.id, "delete-refused")
    assert hand.refusals() == [refused]
    carried = turn_access.modal_pass(hand.database, turn, BEN)
    hand.interact(submission(DELETE_CALLBACK, carried))
    assert hand.refusals() == [refused, refused]
    saved = turn_store.load(hand.database, turn.id)
    assert saved is not None
    assert saved.state == TurnState.DONE


def test_to_look_into_an_answer_whose_pages_somebody_may_not_read(
    hand: Bot, speaker: Speaker
) -> None:
    turn = a_turn(hand.database)
    detail_requests.ask(hand.database, "V1", turn.id, BEN)
    detail_requests.decide(hand.database, "V1", may_see=False, audience="")
    speaker.details.show("V1")
    assert hand.refusals() == [(BEN, turn.id, "details-closed")]


@pytest.mark.parametrize("kind", ["vote", "vote taken back", "emoji", "shortcut"])
def test_to_act_on_a_private_answer_by_the_place_of_its_message(hand: Bot, kind: str) -> None:
    turn = a_turn(hand.database, channel=DIRECT, private=True)
    before = hand.rows()
    for channel, ts in ((DIRECT, answer_of(turn)), (CHANNEL, "5.5")):
        if kind == "shortcut":
            hand.interact(shortcut(EXPLAIN_SHORTCUT, channel, ts))
        else:
            event = reaction("question" if kind == "emoji" else "+1", channel, ts)
            event["type"] = "reaction_removed" if kind == "vote taken back" else event["type"]
            hand.event(event)
    assert (hand.whispers(), hand.rows()) == ([], before)
    assert hand.refusals() == [(BEN, turn.id, "unknown")]
