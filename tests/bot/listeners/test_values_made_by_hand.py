"""Values of buttons, menus and forms that we did not write: nothing is done, and nothing fails."""

from __future__ import annotations

import json
from typing import Any

import pytest
from desk import waiting_in
from handmade import (
    BEN,
    BUTTONS,
    CHANNEL,
    MODALS,
    Bot,
    a_turn,
    about,
    answer_of,
    press,
    submission,
)
from sqlmodel import select

from bot.views.answer_blocks import FEEDBACK_ACTION, FOLLOW_UP_ACTION
from bot.views.answer_menu import MORE_ACTION
from bot.views.feedback_forms import REPORT_CALLBACK, TEXT, WHAT
from bot.views.home import EXAMPLE_ACTION, FORGET_ACTION, HIDE_ACTION, RESTORE_ACTION
from bot.views.settings import form
from core.language.sentences import sentences
from core.storage.people_tables import PreferencesRow
from core.storage.tables import ReportRow
from core.turns import turn_access
from sandbox.slack.workspace.values import Json

SAY = sentences("en")
NO_IDS = ("", "x", ":", "null", "[]", "{}", '{"a": 1}', "\x00", "\ud800", "²", "a" * 4_000, "é")
NO_EXAMPLES = (
    *NO_IDS,
    "1",
    '"question"',
    "[" * 4_000,
    '["q", {"pages": [], "audience": ""}]',
    '{"question": "q"}',
    '{"shows": {"pages": [], "audience": ""}}',
    '{"question": "q", "shows": {"pages": [["confluence"]], "audience": ""}}',
    '{"question": "q", "shows": {"pages": "12", "audience": ""}}',
    '{"question": "q", "shows": {"pages": [], "audience": "user:5b"}}',
    '{"question": 5, "shows": {"pages": [], "audience": ""}}',
    '{"question": "\\u0000", "shows": {"pages": [], "audience": ""}}',
    '{"question": "\\ud800", "shows": {"pages": [], "audience": ""}}',
    json.dumps({"question": "q" * 50_000, "shows": {"pages": [], "audience": ""}}),
)
NO_INDEXES = ("", "²", "٣", "-1", "1.0", "0x0", " 0", "1", "9" * 5_000, "\x00", "\ud800")
NO_SETTINGS = (*NO_IDS, '{"owner": 5}', '{"owner": ""}', '{"owner": "\\u0000"}', '{"owner": []}')


def in_home(action: str, value: str) -> Json:
    return press(action, value, "", "") | {"container": {"type": "view", "view_id": "V1"}}


@pytest.mark.parametrize("action", BUTTONS)
def test_a_button_whose_value_is_no_id(hand: Bot, action: str) -> None:
    turn = a_turn(hand.database)
    before = hand.rows()
    for value in NO_IDS:
        for written in (value, BUTTONS[action].format(value)):
            hand.interact(press(action, written, CHANNEL, answer_of(turn)))
    assert hand.whispers() == [SAY("answer-unknown")] * len(NO_IDS) * 2
    assert hand.rows() == before
    assert {why for _, _, why in hand.refusals()} == {"unknown"}
    assert waiting_in(hand.queues) == []


@pytest.mark.parametrize("action", [FEEDBACK_ACTION, MORE_ACTION])
def test_a_vote_or_a_choice_that_there_is_not(hand: Bot, action: str) -> None:
    turn = a_turn(hand.database)
    before = hand.rows()
    for choice in ("sideways", "", "UP", "up ", "²", "\x00", "\ud800"):
        hand.interact(press(action, f"{choice}:{turn.id}", CHANNEL, answer_of(turn)))
    assert hand.whispers() == [SAY("answer-unknown")] * 7
    assert hand.rows() == before
    assert hand.workspace.received("views.open") == []


@pytest.mark.parametrize("index", NO_INDEXES)
def test_a_suggestion_that_there_is_not(hand: Bot, index: str) -> None:
    turn = a_turn(hand.database)
    before = hand.rows()
    hand.interact(press(f"{FOLLOW_UP_ACTION}_0", f"{turn.id}:{index}", CHANNEL, answer_of(turn)))
    assert hand.whispers() == [SAY("answer-unknown")]
    assert hand.rows() == before


@pytest.mark.parametrize("value", NO_EXAMPLES)
def test_an_example_that_we_did_not_write_brings_those_of_today(hand: Bot, value: str) -> None:
    hand.interact(in_home(f"{EXAMPLE_ACTION}_0", value))
    assert hand.rows()["TurnRow"] == []
    assert hand.workspace.received("chat.postMessage") == []
    assert len(hand.workspace.received("views.publish")) == 1


@pytest.mark.parametrize("action", [HIDE_ACTION, RESTORE_ACTION, FORGET_ACTION])
def test_a_conversation_that_is_no_id(hand: Bot, action: str) -> None:
    a_turn(hand.database, user=BEN)
    before = hand.rows()
    for value in NO_IDS:
        hand.interact(in_home(action, value))
    assert hand.rows() == before
    assert len(hand.refusals()) == len(NO_IDS)


@pytest.mark.parametrize("callback", MODALS)
def test_a_form_that_carries_no_pass(hand: Bot, callback: str) -> None:
    turn = a_turn(hand.database)
    before = hand.rows()
    for value in (*NO_IDS, f"{turn.id}.\x00", f"{turn.id}.\ud800", f"{turn.id}.é"):
        answer = hand.interact(submission(callback, value))
        assert answer["view"]["blocks"][0]["text"]["text"] == SAY("answer-unknown")
    assert hand.rows() == before


def test_a_report_of_sources_that_there_are_not_keeps_its_words(hand: Bot) -> None:
    turn = a_turn(hand.database)
    ticked = [{"value": value} for value in (*NO_INDEXES, "7")]
    sent = submission(REPORT_CALLBACK, turn_access.modal_pass(hand.database, turn, BEN))
    sent["view"]["state"] = {
        "values": {
            WHAT: {WHAT: {"selected_options": ticked}},
            TEXT: {TEXT: {"value": "an old\x00 hall \ud800"}},
        }
    }
    hand.interact(sent)
    with hand.database.reading() as session:
        (row,) = session.exec(select(ReportRow)).all()
    assert (row.numbers, row.text) == ([1], "an old hall")


def settings_sent(carried: str, values: Json) -> Json:
    view = {
        "id": "V1",
        "type": "modal",
        "callback_id": form.CALLBACK,
        "private_metadata": carried,
        "state": {"values": values},
    }
    return {"type": "view_submission", **about(BEN), "view": view}


def saved(hand: Bot) -> list[Any]:
    with hand.database.reading() as session:
        return list(session.exec(select(PreferencesRow)).all())


@pytest.mark.parametrize("carried", NO_SETTINGS)
def test_settings_of_nobody(hand: Bot, carried: str) -> None:
    answer = hand.interact(settings_sent(carried, {}))
    assert SAY("settings-for-admins") in json.dumps(answer, ensure_ascii=False)
    assert saved(hand) == []
    assert [(who, why) for who, _, why in hand.refusals()] == [(BEN, "settings-for-admins")]


def selected(value: Any) -> Json:
    return {"type": "static_select", "selected_option": {"value": value}}


def ticked(*values: Any) -> Json:
    options = [{"value": value} for value in values]
    return {"type": "multi_static_select", "selected_options": options}


WRONG_SETTINGS: list[tuple[str, Json]] = [
    *((name, selected(value)) for name in ("model", "mode", "length") for value in NO_IDS[1:]),
    *((name, selected(value)) for name in ("tone", "language") for value in NO_IDS[1:]),
    *(("spaces", ticked(value)) for value in NO_IDS),
    *(("evidence", {"type": "number_input", "value": value}) for value in ("²", "9" * 5_000, "-1")),
    *(("listed", {"type": "multi_users_select", "selected_users": [one]}) for one in NO_IDS),
    ("mode", {"type": "plain_text_input", "value": "\x00"}),
    ("spaces", selected(5)),
    ("spaces", ticked(5, {}, [])),
    ("listed", {"type": "multi_users_select", "selected_users": [5, {}]}),
    ("mode", selected({})),
    ("model", ticked("a")),
]


def test_settings_with_values_that_cannot_be_chosen(hand: Bot) -> None:
    carried = json.dumps({"owner": BEN})
    for name, element in WRONG_SETTINGS:
        answer = hand.interact(settings_sent(carried, {name: {name: element}}))
        assert answer.get("response_action") == "errors", (name, element)
    assert saved(hand) == []
