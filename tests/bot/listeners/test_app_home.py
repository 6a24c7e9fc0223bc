"""App Home: for one person, with public facts and that person's own; the bot in Socket Mode."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest
from desk import Desk, confirm, record
from sqlmodel import delete
from told import told
from wiki import page, piece

from bot.views.home import (
    EXAMPLE_ACTION,
    FORGET_ACTION,
    HIDDEN_ACTION,
    HIDE_ACTION,
    RESTORE_ACTION,
    SETTINGS_ACTION,
)
from core.access.disclosure import EVERYBODY, of_pages
from core.language.sentences import sentences
from core.pages import CONFLUENCE, PageKey
from core.policy.acl import OPEN_ID
from core.storage.access_tables import ConfirmationRow
from core.storage.index_tables import EvidenceRow, PageRow, SpaceRow, SyncRow
from core.storage.tables import PostRow, ThreadRow, TurnRow
from core.turns import turn_store
from core.turns.turn import Turn
from sandbox.slack.client import Message
from sandbox.slack.workspace.values import TEAM_ID

SAY = sentences("en")

ALICE, BEN = "U0ALICE", "U0BEN"


@pytest.fixture(scope="module", autouse=True)
def indexed(one_bot: Desk) -> None:
    fill(one_bot)


@pytest.fixture
def desk(desk: Desk) -> Desk:
    with desk.database.session() as session:
        for table in (PostRow, TurnRow, ThreadRow, ConfirmationRow):
            session.exec(delete(table))
    confirm(desk.database, "1", "3")
    return desk


def fill(desk: Desk) -> None:
    put(desk, "1", "HR", "Travel policy", "Hotels")
    put(desk, "2", "HR", "Salary bands", "Level two", acl="few")
    put(desk, "3", "OPS", "On-call guide", "Handing over")
    put(desk, "4", "BOARD", "Merger", "Price", acl="few")
    with desk.database.session() as session:
        session.add(PageRow(id="5", space="OPS", record={}, visible=False, error="timeout"))
        session.add(SpaceRow(key="HR", name="People"))
        session.add(SpaceRow(key="BOARD", name="The board"))
        session.add(SyncRow(space="HR", started_at=1.0, finished_at=1_772_000_000.0, complete=True))
        session.add(SyncRow(space="OPS", started_at=2.0, error="SourceUnreachable"))


def put(desk: Desk, key: str, space: str, title: str, heading: str, acl: str = OPEN_ID) -> None:
    evidence = piece(f"{title} says much.", key, heading_path=(heading,)).model_dump(mode="json")
    with desk.database.session() as session:
        session.add(
            PageRow(
                id=key,
                space=space,
                title=title,
                record=page(key, title).model_dump(mode="json"),
                acl_id=acl,
            )
        )
        session.flush()
        session.add(EvidenceRow(id=key, page_id=key, acl_id=acl, record=evidence, text_hash=key))


def home(desk: Desk, who: str = "alice", user: str = ALICE) -> dict[str, Any]:
    desk.workspace.open_home(who)
    desk.settle()
    view = desk.workspace.home(user)
    assert view is not None
    return view


def shown(view: dict[str, Any]) -> str:
    return "\n".join(block["text"]["text"] for block in view["blocks"] if "text" in block) + str(
        view["blocks"][-1]
    )


def ask(desk: Desk, who: str, question: str) -> tuple[Message, Turn]:
    message = desk.workspace.say(who, "general", f"@groundwire {question}")
    desk.settle()
    turn_store.answer(desk.database, desk.turn(message).id, record())
    return message, desk.turn(message)


def press(desk: Desk, view: dict[str, Any], action: str, value: str | None = None) -> str:
    """The Home tab after a button was pressed in it."""
    desk.workspace.press("alice", view["id"], action, value)
    desk.settle()
    after = desk.workspace.home(ALICE)
    assert after is not None
    return shown(after)


def test_it_says_what_is_indexed_and_names_nothing_that_not_everybody_may_read(desk: Desk) -> None:
    text = str(home(desk))
    assert "*HR* People" in text
    assert "2 pages, 1 of them for some people only" in text
    assert "<!date^1772000000^{date_short_pretty} {time}|Feb 25, 2026, 06:13 UTC>" in text
    assert SAY("home-never-synced") in text
    assert "1 page could not be read" in text
    assert "something went wrong in my last reading" in text
    assert "4 pages in 4 pieces" in text
    assert "1 space of which only some people may read something" in text
    assert [
        secret
        for secret in ("Salary", "Level two", "BOARD", "The board", "Merger", "Price")
        if secret in text
    ] == []


def test_its_examples_fit_the_pages_and_are_asked_in_private_by_a_press(desk: Desk) -> None:
    view = home(desk)
    examples = [
        each
        for block in view["blocks"]
        for each in block.get("elements", ())
        if block["type"] == "actions" and each["action_id"].startswith(EXAMPLE_ACTION)
    ]
    expected = [
        SAY("example", title="Travel policy", heading="Hotels"),
        SAY("example", title="On-call guide", heading="Handing over"),
    ]
    assert [each["text"]["text"] for each in examples] == expected
    press(desk, view, examples[0]["action_id"], examples[0]["value"])
    (root,) = desk.workspace.messages("D0ALICE")
    turn = desk.turn(root)
    assert turn.question == expected[0]
    assert turn.question_shows == of_pages([PageKey(CONFLUENCE, "1")])


def test_what_is_not_confirmed_is_named_when_a_worker_has_asked(desk: Desk) -> None:
    with desk.database.session() as session:
        session.exec(delete(ConfirmationRow))
    text = str(home(desk))
    names = ("HR", "OPS", "Travel policy", "Hotels", "4 pages")  # as words: ids are random
    assert [name for name in names if re.search(rf"\b{name}\b", text)] == []
    assert SAY("home-unconfirmed") in text
    assert SAY("home-no-index") not in text
    confirm(desk.database, "1")
    desk.speaker.home.publish(TEAM_ID, ALICE, hidden=False)
    text = str(desk.workspace.home(ALICE))
    assert "*HR* People" in text
    assert "Travel policy" in text
    assert "OPS" not in text


def test_a_space_is_named_by_a_page_that_was_not_found_closed(desk: Desk) -> None:
    closed = {PageKey(CONFLUENCE, "3"): False}
    told(desk.database, EVERYBODY, closed, time.time())
    text = str(home(desk))
    assert "OPS" not in text
    assert "On-call guide" not in text
    assert "*HR* People" in text


def test_a_question_of_a_button_is_listed_while_its_page_is_confirmed(desk: Desk) -> None:
    view = home(desk)
    press(desk, view, f"{EXAMPLE_ACTION}_0")
    assert "*What does “Travel policy” say" in shown(home(desk))
    told(desk.database, EVERYBODY, {PageKey(CONFLUENCE, "1"): False}, time.time())
    text = str(home(desk))
    assert SAY("home-no-question") in text
    assert "Travel policy" not in text


def test_it_lists_ones_own_conversations_and_nobody_elses(desk: Desk) -> None:
    message, _ = ask(desk, "alice", "who is on call?")
    ask(desk, "ben", "who earns what?")
    text = shown(home(desk))
    assert "*who is on call?*" in text
    assert f"|{SAY('home-open-thread')}>" in text
    assert f"<https://sandbox.slack.com/archives/C0GENERAL/p{message.ts.replace('.', '')}" in text
    assert "who earns what?" not in text


def test_a_conversation_is_hidden_and_shown_again(desk: Desk) -> None:
    _, turn = ask(desk, "alice", "who is on call?")
    assert "who is on call?" not in press(desk, home(desk), HIDE_ACTION)
    hidden = press(desk, home(desk), HIDDEN_ACTION)
    assert "*who is on call?*" in hidden
    view = desk.workspace.home(ALICE)
    assert view is not None
    assert SAY("home-nothing-hidden") in press(desk, view, RESTORE_ACTION)
    assert "*who is on call?*" in shown(home(desk))
    assert turn_store.load(desk.database, turn.id) == turn


def test_a_conversation_is_forgotten_when_that_was_meant(desk: Desk) -> None:
    _, turn = ask(desk, "alice", "who is on call?")
    view = home(desk)
    (button,) = [
        e
        for block in view["blocks"]
        for e in block.get("elements", ())
        if e.get("action_id") == FORGET_ACTION
    ]
    assert button["confirm"]["title"]["text"] == SAY("forget-title")
    assert "who is on call?" not in press(desk, view, FORGET_ACTION)
    forgotten = turn_store.load(desk.database, turn.id)
    assert forgotten is not None
    assert (forgotten.is_forgotten, forgotten.question, forgotten.record) == (True, "", None)


def test_somebody_elses_conversation_is_not_forgotten_with_a_button_of_ones_own(desk: Desk) -> None:
    ask(desk, "alice", "who is on call?")
    _, theirs = ask(desk, "ben", "who earns what?")
    view = home(desk)
    for block in view["blocks"]:
        for element in block.get("elements", ()):
            assert element.get("value") != theirs.id
    assert desk.workspace.home(BEN) is None


def test_settings_are_opened_from_it(desk: Desk) -> None:
    press(desk, home(desk), SETTINGS_ACTION)
    (view,) = desk.workspace.views(ALICE)
    assert SAY("settings-of-person") in str(view)


def test_the_other_tab_is_no_failure(desk: Desk) -> None:
    desk.workspace.open_direct("alice")
    desk.settle()
    assert desk.workspace.received("views.publish") == []
