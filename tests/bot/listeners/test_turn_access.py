"""Ids that come back from Slack: hand-made payloads, signed, with turns that are none of theirs."""

from __future__ import annotations

import ast
import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from desk import do_afterwards, explanation, record, waiting_in
from handmade import (
    ALICE,
    BEN,
    BUTTONS,
    CHANNEL,
    GRETA,
    MODALS,
    OTHER,
    Bot,
    a_turn,
    answer_of,
    press,
    reaction,
    shortcut,
    submission,
)
from sqlalchemy import event
from sqlmodel import update
from told import told
from wiki import page, piece

import bot.listeners
from bot.listeners.explain_shortcut import EXPLAIN_SHORTCUT
from bot.views.answer_blocks import (
    ASK_AGAIN_ACTION,
    FEEDBACK_ACTION,
)
from bot.views.explanation_blocks import DETAILS_ACTION
from bot.views.feedback_forms import DELETE_CALLBACK, REPORT_CALLBACK, WHY_CALLBACK
from bot.views.home import FORGET_ACTION, HIDE_ACTION, RESTORE_ACTION
from core.access.disclosure import EVERYBODY
from core.language.sentences import sentences
from core.pages import CONFLUENCE, PageKey
from core.policy import audit, people
from core.policy.acl import OPEN_ID
from core.policy.people import Standing
from core.states import NoAnswer, PostKind
from core.storage.database import Database
from core.storage.index_tables import EvidenceRow, PageRow
from core.storage.people_tables import PersonRow
from core.storage.tables import (
    TurnRow,
)
from core.turns import erasure, explanations, post_store, turn_access, turn_store
from core.turns.turn import Address, NewQuestion
from core.turns.turn_access import Actor
from sandbox.slack.workspace import events
from sandbox.slack.workspace.values import (
    BOT_USER_ID,
    TEAM_ID,
    Message,
)

SAY = sentences("en")

NOT_THEIRS = (
    "unknown",
    "of another team",
    "private",
    "forgotten",
    "of another channel",
    "of another message",
)


def aim(database: Database, which: str) -> tuple[str, str, str]:
    """A turn that is none of Ben's, and the message (channel, ts) that he says it is under."""
    mine = a_turn(database, "100.0", user=BEN)
    here = (CHANNEL, answer_of(mine))
    if which == "unknown":
        return ("f" * 32, *here)
    if which == "of another team":
        turn = a_turn(database, team="T0ELSEWHERE")
    elif which == "private":
        turn = a_turn(database, channel="D0ALICE", private=True)
    elif which == "of another channel":
        return (a_turn(database, channel=OTHER).id, *here)
    elif which == "of another message":
        return (a_turn(database).id, *here)
    else:
        turn = a_turn(database)
        erasure.forget_turn(database, turn.id, ALICE)
    return (turn.id, turn.address.channel, answer_of(turn))


def title_of(callback: str) -> str:
    titles = {REPORT_CALLBACK: "report", DELETE_CALLBACK: "delete", WHY_CALLBACK: "why"}
    return SAY(f"{titles[callback]}-title")


@pytest.mark.parametrize("which", NOT_THEIRS)
@pytest.mark.parametrize("action", BUTTONS)
def test_a_button_with_an_id_that_is_not_theirs_does_nothing_and_says_always_the_same(
    hand: Bot, action: str, which: str
) -> None:
    turn_id, channel, ts = aim(hand.database, which)
    before = hand.rows()
    hand.interact(press(action, BUTTONS[action].format(turn_id), channel, ts))
    assert hand.whispers() == [SAY("answer-unknown")]
    assert hand.rows() == before
    assert hand.workspace.received("views.open") == []
    assert waiting_in(hand.queues) == []
    assert hand.refusals() == [(BEN, turn_id, "unknown")]


@pytest.mark.parametrize("action", BUTTONS)
def test_the_same_button_under_the_answer_itself_is_known(hand: Bot, action: str) -> None:
    turn = a_turn(hand.database)
    hand.interact(press(action, BUTTONS[action].format(turn.id), CHANNEL, answer_of(turn)))
    is_again = action == ASK_AGAIN_ACTION  # of an answer that there is
    assert (SAY("answer-unknown") in hand.whispers()) == is_again
    assert "unknown" not in [why for _, _, why in hand.refusals()]


@pytest.mark.parametrize("which", NOT_THEIRS[:4])
@pytest.mark.parametrize("callback", MODALS)
def test_a_form_with_an_id_that_is_not_theirs_does_nothing_and_says_always_the_same(
    hand: Bot, callback: str, which: str
) -> None:
    turn_id, *_ = aim(hand.database, which)
    before = hand.rows()
    answer = hand.interact(submission(callback, turn_id))
    assert answer["view"]["title"]["text"] == title_of(callback)
    assert answer["view"]["blocks"][0]["text"]["text"] == SAY("answer-unknown")
    assert hand.rows() == before
    assert hand.refusals() == [(BEN, turn_id, "unknown")]


@pytest.mark.parametrize("callback", MODALS)
def test_a_form_counts_only_for_the_person_and_the_turn_that_it_was_opened_for(
    hand: Bot, callback: str
) -> None:
    turn, other = a_turn(hand.database, user=BEN), a_turn(hand.database, "2.0", user=BEN)
    before = hand.rows()
    of_alice = turn_access.modal_pass(hand.database, turn, ALICE)
    _, _, seal = turn_access.modal_pass(hand.database, turn, BEN).partition(".")
    for carried in (turn.id, of_alice, f"{other.id}.{seal}", f"{turn.id}.", ""):
        answer = hand.interact(submission(callback, carried))
        assert answer["view"]["blocks"][0]["text"]["text"] == SAY("answer-unknown")
    assert hand.rows() == before

    hand.interact(press(FEEDBACK_ACTION, f"down:{turn.id}", CHANNEL, answer_of(turn)))
    before = hand.rows()
    answer = hand.interact(submission(callback, turn_access.modal_pass(hand.database, turn, BEN)))
    assert "view" not in answer
    assert hand.rows() != before


@pytest.mark.parametrize("which", ["of another team", "private", "forgotten"])
@pytest.mark.parametrize("name", ["+1", "-1", "question"])
def test_a_reaction_on_an_answer_that_is_not_theirs_is_like_one_on_any_message(
    hand: Bot, name: str, which: str
) -> None:
    _, channel, ts = aim(hand.database, which)
    before = hand.rows()
    hand.event(reaction(name, channel, ts))
    hand.event(reaction(name, CHANNEL, "5.5"))
    assert (hand.whispers(), hand.rows(), waiting_in(hand.queues)) == ([], before, [])


@pytest.mark.parametrize("which", ["none", "of another team", "private", "forgotten"])
def test_the_shortcut_on_an_answer_that_is_not_theirs_says_what_it_says_on_any_message(
    hand: Bot, which: str
) -> None:
    channel, ts = (CHANNEL, "5.5") if which == "none" else aim(hand.database, which)[1:]
    before = hand.rows()
    hand.interact(shortcut(EXPLAIN_SHORTCUT, channel, ts))
    (opened,) = hand.workspace.received("views.open")
    assert SAY("not-an-answer") in json.dumps(opened.arguments["view"], ensure_ascii=False)
    assert hand.rows() == before


@pytest.mark.parametrize("action", [HIDE_ACTION, RESTORE_ACTION, FORGET_ACTION])
@pytest.mark.parametrize("which", ["unknown", "another person's", "of another team"])
def test_in_home_nobody_hides_or_erases_a_conversation_that_is_not_theirs(
    hand: Bot, action: str, which: str
) -> None:
    team = "T0ELSEWHERE" if which == "of another team" else TEAM_ID
    turn = a_turn(hand.database, team=team, user=ALICE if which == "another person's" else BEN)
    with hand.database.reading() as session:
        thread = session.get_one(TurnRow, turn.id).thread_id
    before = hand.rows()
    pressed = press(action, "f" * 32 if which == "unknown" else thread, "", "")
    hand.interact(pressed | {"container": {"type": "view", "view_id": "V1"}})
    assert hand.rows() == before
    assert [why for _, _, why in hand.refusals()] == ["unknown"]


@pytest.mark.parametrize("action", BUTTONS)
def test_a_guest_is_told_so_whatever_the_id(hand: Bot, action: str) -> None:
    turn = a_turn(hand.database)
    before = hand.rows()
    for turn_id in (turn.id, "f" * 32):
        value = BUTTONS[action].format(turn_id)
        hand.interact(press(action, value, CHANNEL, answer_of(turn), user=GRETA))
    first, second = hand.whispers()
    assert first == second == SAY("reason-guest")
    assert hand.rows() == before
    assert hand.refusals() == [(GRETA, turn.id, "guest"), (GRETA, "f" * 32, "guest")]


def test_whose_standing_slack_does_not_tell_is_refused(hand: Bot) -> None:
    people.remember(hand.database, TEAM_ID, BEN, standing=Standing.UNKNOWN)
    hand.workspace.fault("users.info", error="user_not_found", times=9)
    turn = a_turn(hand.database)
    hand.interact(press(FEEDBACK_ACTION, f"up:{turn.id}", CHANNEL, answer_of(turn)))

    def is_told() -> bool:
        do_afterwards(hand.speaker, hand.queues)
        return hand.whispers() != []

    hand.workspace.wait_until(is_told, what="the refusal")
    assert hand.whispers() == [SAY("reason-stranger")]


def test_a_button_of_a_message_that_slack_has_shown_and_not_yet_named_is_known(
    database: Database,
) -> None:
    turn = turn_store.ask(database, NewQuestion(Address("T1", "C1", "1.0", "1.0"), "U1", "Who?"))
    assert turn is not None
    actor = Actor("T1", "U2", "C1", "1.5")
    assert turn_access.turn_for(database, actor, turn.id) is None
    post_store.ensure(database, turn, PostKind.ANSWER)
    assert turn_access.turn_for(database, actor, turn.id) == turn
    other = a_turn(database, "1.", team="T1", channel="C1")
    taken = replace(actor, ts=answer_of(other))
    assert turn_access.turn_for(database, taken, turn.id) is None


def test_a_press_while_the_place_of_the_message_is_saved_is_known(database: Database) -> None:
    turn = a_turn(database, team="T1")
    post = post_store.ensure(database, turn, PostKind.EXPLANATION)
    looked: list[str] = []

    def save_meanwhile(_c: object, _cu: object, statement: str, *_: object) -> None:
        if "FROM post" in statement and not looked:
            looked.append(statement)
            with ThreadPoolExecutor(1) as speaker:  # which Slack has told
                speaker.submit(post_store.save_place, database, post.id, "9.9").result()

    event.listen(database.engine, "after_cursor_execute", save_meanwhile)
    actor = Actor("T1", "U2", CHANNEL, "9.9")
    assert turn_access.turn_for(database, actor, turn.id) is not None
    assert looked


def test_an_ephemeral_message_counts_in_the_thread_of_its_turn_alone(database: Database) -> None:
    turn = a_turn(database, team="T1")
    whisper = Actor("T1", "U2", CHANNEL, "9.9", "1.0", ephemeral=True)
    assert turn_access.turn_for(database, whisper, turn.id) is not None
    for elsewhere in (replace(whisper, channel=OTHER), replace(whisper, thread_ts="2.0")):
        assert turn_access.turn_for(database, elsewhere, turn.id) is None


def test_what_was_refused_is_not_asked_again_by_a_button_that_it_never_had(hand: Bot) -> None:
    where = Address(TEAM_ID, CHANNEL, "1.0", "1.0")
    turn = turn_store.ask(
        hand.database, NewQuestion(where, BEN, "Who?", refused=NoAnswer.ONLY_ADMINS)
    )
    assert turn is not None
    post = post_store.ensure(hand.database, turn, PostKind.ANSWER)
    post_store.save_place(hand.database, post.id, "1.01")
    hand.interact(press(ASK_AGAIN_ACTION, turn.id, CHANNEL, "1.01"))
    assert hand.whispers() == [SAY("answer-unknown")]
    assert not turn_store.is_waiting(hand.database, turn)


def test_an_admin_who_deletes_for_somebody_else_is_written_down(hand: Bot) -> None:
    turn = a_turn(hand.database, user=BEN)
    carried = turn_access.modal_pass(hand.database, turn, ALICE)  # an admin
    hand.interact(submission(DELETE_CALLBACK, carried, user=ALICE))
    (row,) = audit.entries(hand.database)
    assert (row.act, row.actor, row.subject) == ("deleted_for_other", ALICE, turn.id)
    assert row.details == {"asker": BEN}


def test_a_question_of_a_guest_is_refused_and_written_down_once(hand: Bot) -> None:
    asked = hand.workspace.say("greta", "general", "<@U0BOT> who is on call?")
    mention = events.mentioned(
        Message(CHANNEL, asked.ts, GRETA, f"<@{BOT_USER_ID}> who is on call?")
    )
    for _ in range(2):
        hand.event(mention)
    (turn,) = hand.rows()["TurnRow"]
    assert (turn["state"], turn["reason"]) == ("failed", "guest")
    assert hand.refusals() == [(GRETA, turn["id"], "guest")]


def test_home_shows_a_guest_nothing_of_the_pages(hand: Bot) -> None:
    titled = page("1", "Travel policy", space="HR")
    with hand.database.session() as session:
        record_ = titled.model_dump(mode="json")
        session.add(PageRow(id="1", space="HR", title=titled.title, record=record_))
        session.flush()
        found = piece("A hotel costs 110 EUR.", heading_path=("Hotels",))
        row = found.model_dump(mode="json")
        session.add(EvidenceRow(id="1", page_id="1", acl_id=OPEN_ID, record=row, text_hash="1"))
        session.exec(update(PageRow).values(acl_id=OPEN_ID, visible=True))
    told(hand.database, EVERYBODY, {PageKey(CONFLUENCE, "1"): True}, time.time())
    homes = {}
    for user in (BEN, GRETA):
        hand.event({"type": "app_home_opened", "user": user, "tab": "home", "channel": "D1"})
        homes[user] = json.dumps(hand.workspace.home(user))
    assert "Travel policy" in homes[BEN]
    assert "*HR*" in homes[BEN]
    assert "Travel policy" not in homes[GRETA]
    assert "*HR*" not in homes[GRETA]
    assert SAY("leaves-heading") in homes[GRETA]


def test_an_explanation_of_theirs_is_found_by_the_message_that_shows_it(hand: Bot) -> None:
    turn = a_turn(hand.database)
    explanations.request(hand.database, turn.id, ALICE)
    explanations.save(hand.database, explanation(turn.id), None)
    post = post_store.ensure(hand.database, turn, PostKind.EXPLANATION)
    post_store.save_place(hand.database, post.id, "7.7")
    hand.interact(press(DETAILS_ACTION, turn.id, CHANNEL, "7.7"))
    assert len(hand.workspace.received("views.open")) == 1
    assert hand.refusals() == []


def listener_modules() -> Iterator[tuple[str, ast.Module]]:
    for folder in bot.listeners.__path__:
        for file in Path(folder).glob("*.py"):
            yield file.name, ast.parse(file.read_text())


def test_no_listener_loads_a_turn_by_an_id_itself() -> None:
    """Only bot.access.turn_access does, which asks who acts on which message."""
    loading = {"turn_store.load", "post_store.at_place", "post_store.of_turn"}
    found = set[tuple[str, str]]()
    for name, tree in listener_modules():
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and ast.unparse(node) in loading:
                found.add((name, ast.unparse(node)))
            if isinstance(node, ast.ImportFrom) and node.module in (
                "core.turns.turn_store",
                "core.turns.turn_access",
                "core.turns.post_store",
            ):
                found.add((name, node.module))
    assert found == set()


def test_every_listener_of_a_turn_is_in_the_table_above() -> None:
    """A new button has to be added here: it names a method of its own."""
    registered = set[str]()
    for name, tree in listener_modules():
        if name in ("app_home.py", "linking.py", "settings.py"):
            continue  # theirs carry no id of a turn
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Call):
                continue
            kind, (what, *_) = ast.unparse(node.func.func), node.func.args
            if kind in ("app.action", "app.view"):
                registered.add(ast.unparse(what))
    assert registered == {
        "ASK_AGAIN_ACTION",
        "DELETE_CALLBACK",
        "DETAILS_ACTION",
        "EXPLAIN_ACTION",
        "FEEDBACK_ACTION",
        "MORE_ACTION",
        "REPORT_CALLBACK",
        "STOP_ACTION",
        "STOP_ANSWER_ACTION",
        "UNFILTERED_ACTION",
        "WHY_ACTION",
        "WHY_CALLBACK",
        "re.compile('.*')",
        "re.compile(f'^{FOLLOW_UP_ACTION}_\\\\d+$')",
    }


def test_whom_sql_does_not_know_is_acknowledged_and_answered_only_once_slack_has_said_who_asks(
    hand: Bot,
) -> None:
    people.remember(hand.database, TEAM_ID, BEN, standing=Standing.UNKNOWN)
    hand.workspace.fault("users.info", error="internal_error", times=9)
    asked = hand.workspace.say("ben", "general", "<@U0BOT> who is on call?")
    hand.event(
        events.mentioned(Message(CHANNEL, asked.ts, BEN, f"<@{BOT_USER_ID}> who is on call?"))
    )
    (row,) = hand.rows()["TurnRow"]
    assert (row["state"], row["vetted"]) == ("waiting", False)
    assert not turn_store.answer(hand.database, row["id"], record())  # whatever path it came by
    assert hand.queues.llen("answer") == 0
    people.remember(hand.database, TEAM_ID, BEN, standing=Standing.MEMBER)
    hand.speaker.vetting.vet(row["id"])
    assert hand.queues.llen("answer") == 1
    assert turn_store.answer(hand.database, row["id"], record())


def test_a_guest_whom_sql_does_not_know_is_refused_by_the_speaker(hand: Bot) -> None:
    people.remember(hand.database, TEAM_ID, GRETA, standing=Standing.UNKNOWN)
    asked = hand.workspace.say("greta", "general", "<@U0BOT> who is on call?")
    hand.event(
        events.mentioned(Message(CHANNEL, asked.ts, GRETA, f"<@{BOT_USER_ID}> who is on call?"))
    )
    (row,) = hand.rows()["TurnRow"]
    assert (row["state"], row["reason"]) == ("failed", "guest")
    assert hand.refusals() == [(GRETA, row["id"], "guest")]
    assert hand.queues.llen("answer") == 0


@pytest.mark.parametrize("looks", range(6))
def test_whom_a_speaker_comes_to_know_between_two_looks_is_not_refused(
    hand: Bot, looks: int
) -> None:
    """A speaker asks Slack about the asker of the message before, while this one is read."""
    people.remember(hand.database, TEAM_ID, BEN, standing=Standing.UNKNOWN)
    seen = 0

    def learn(connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        nonlocal seen
        reads = connection.get_execution_options().get("read_only")
        seen += bool(reads and f"FROM {PersonRow.__tablename__}" in statement)
        if reads and seen == looks + 1:
            seen += 1
            people.remember(hand.database, TEAM_ID, BEN, standing=Standing.MEMBER)

    asked = hand.workspace.say("ben", "general", "<@U0BOT> who is on call?")
    event.listen(hand.database.engine, "after_cursor_execute", learn)
    hand.event(
        events.mentioned(Message(CHANNEL, asked.ts, BEN, f"<@{BOT_USER_ID}> who is on call?"))
    )
    (row,) = hand.rows()["TurnRow"]
    assert (row["state"], row["reason"]) == ("waiting", "")
