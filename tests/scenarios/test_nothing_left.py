"""Forget, as its user does it, with real processes: no file of an installation has a word left."""

from __future__ import annotations

import json
import time

from sqlmodel import select

from bot.views.answer_blocks import EXPLAIN_ACTION, FEEDBACK_ACTION
from bot.views.answer_menu import MORE_ACTION, Choice
from bot.views.feedback_forms import TEXT, WHAT
from bot.views.home import FORGET_ACTION
from core.states import TurnState
from core.storage.tables import TurnRow
from sandbox.slack.client import Message
from scenarios.conftest import PATIENCE_S, Running, is_final

DEV = "U0DEV"
ASKED, STREAMED, VOTED = "Quokkaheimer", "Wombatsson", "Numbatova"
WORDS = (ASKED, STREAMED, VOTED)
QUESTION = f"How much may a hotel in Porto cost per night? My boss {ASKED} wants to know."
SAID = f"A hotel in Porto may cost up to 110 EUR per night [1]. So says the {STREAMED}. "


def test_a_conversation_that_is_forgotten_leaves_no_word_in_any_file(asking: Running) -> None:
    assert asking.model
    asking.model.pace(0.02)  # slow enough to be streamed
    asking.model.say(SAID * 8)
    asked = asking.ask(QUESTION, user="Dev")
    answer = asking.reply(asked)
    asking.model.reset()
    follow_up = asking.ask("And in Bergen?", user="Dev", after=asked)
    asking.workspace.wait_for_reply(follow_up, PATIENCE_S, settled=is_final)
    vote(asking, answer)
    hand_over(asking, answer)
    asking.workspace.click("Dev", answer, EXPLAIN_ACTION)
    until_quiet(asking)
    assert set(WORDS) <= set().union(*words_in_files(asking).values())

    forget_in_home(asking)
    asking.workspace.wait_until(lambda: gone(asking), PATIENCE_S, "everything taken back in Slack")
    assert asking.database.leave_no_trace(wait_s=10)
    assert words_in_files(asking) == {}


def vote(running: Running, answer: Message) -> None:
    (turn_id,) = (turn.id for turn in turns(running) if turn.ts == answer.root_ts)
    running.workspace.click("Dev", answer, FEEDBACK_ACTION, f"down:{turn_id}")
    running.workspace.wait_until(lambda: bool(running.workspace.views(DEV)), what="the modal")
    (view,) = running.workspace.views(DEV)
    values = {WHAT: {WHAT: ["outdated"]}, TEXT: {TEXT: f"The {VOTED} says so."}}
    running.workspace.submit("Dev", view["id"], values)


def hand_over(running: Running, answer: Message) -> None:
    elements = [each for block in answer.blocks for each in block.get("elements", ())]
    options = [option for each in elements for option in each.get("options", ())]
    (chosen,) = (
        each["value"] for each in options if each["value"].startswith(f"{Choice.HAND_OVER}:")
    )
    running.workspace.click("Dev", answer, MORE_ACTION, chosen)


def until_quiet(running: Running) -> None:
    """Until nothing more is shown or changed for a while."""
    shown, since = "", time.monotonic()
    while time.monotonic() < since + 5:
        now = str(running.workspace.messages("general"))
        if now != shown:
            shown, since = now, time.monotonic()
        time.sleep(0.5)


def forget_in_home(running: Running) -> None:
    running.workspace.open_home("Dev")
    running.workspace.wait_until(lambda: FORGET_ACTION in json.dumps(running.workspace.home(DEV)))
    view = running.workspace.home(DEV)
    assert view
    elements = [each for block in view["blocks"] for each in block.get("elements", ())]
    (button,) = (each for each in elements if each.get("action_id") == FORGET_ACTION)
    running.workspace.press("Dev", view["id"], FORGET_ACTION, button["value"])


def gone(running: Running) -> bool:
    return all(
        turn.state == TurnState.FORGOTTEN and turn.delivered_at is not None
        for turn in turns(running)
    )


def turns(running: Running) -> list[TurnRow]:
    with running.database.reading() as session:
        return [row for row in session.exec(select(TurnRow)).all() if row.user == DEV]


def words_in_files(running: Running) -> dict[str, set[str]]:
    """The words that stand in each file of the product's: data, queue, vectors, logs."""
    found = {
        file.name: {word for word in WORDS if word.encode() in file.read_bytes()}
        for file in running.stack.folder.rglob("*")
        if file.is_file() and not file.name.startswith(("slack", "llm", "confluence"))
    }
    return {name: words for name, words in found.items() if words}
