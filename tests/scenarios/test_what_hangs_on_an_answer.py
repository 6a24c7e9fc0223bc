"""An answer lives on: its page changes or vanishes, somebody votes and says why, reports a source, looks behind it, deletes it."""

from __future__ import annotations

from sqlmodel import select

from bot import messages
from bot.blocks import FEEDBACK_ACTION
from bot.complaint import TEXT, WHAT
from bot.menu import MORE_ACTION
from bot.shortcut import EXPLAIN_SHORTCUT
from core import conversations, feedback, reports
from core.conversations import Turn
from core.models import Vote
from core.tables import TurnRow
from sandbox.slack.client import Message
from scenarios.conftest import Running, is_final

BODY = "<p>The Lumo SkyLift 3180 lifts {} tons in calm weather.</p>"
QUESTION = "How many tons does the Lumo SkyLift 3180 lift?"
CHLOE = "U0CHLOE"
CHANGED = messages.SINCE_CHANGED.removeprefix(":warning: ")  # which is shown as a picture


def test_sources_that_change_or_vanish_are_marked_when_their_thread_is_used_again(quoting: Running) -> None:
    page = quoting.site.create("ENG", "Lumo SkyLift 3180", BODY.format(40))["id"]
    quoting.sync()
    asked = quoting.ask(QUESTION)
    first = quoting.reply(asked)
    assert "40 tons" in first.plain()
    assert CHANGED not in first.plain()

    quoting.site.edit(page, BODY.format(35))
    quoting.sync()
    assert "35 tons" in said_next(quoting, first, "And how many tons does the Lumo SkyLift 3180 lift now?")
    changed = settled(quoting, first, CHANGED)
    assert "40 tons" in changed  # the answer itself stays what it was

    quoting.site.trash(page)
    quoting.sync()
    said_next(quoting, first, "Who looks after the bench?")
    gone = settled(quoting, first, messages.SINCE_GONE)
    assert f"[1] {messages.SINCE_GONE}" in gone
    assert "Lumo SkyLift 3180 ·" not in gone


def test_people_vote_report_look_behind_and_delete(quoting: Running) -> None:
    asked = quoting.ask("How many days of leave are there in Porto?", user="Ben")
    answer, turn = quoting.reply(asked), turn_of(quoting, asked)
    workspace = quoting.workspace

    for vote in ("down", "up", "down", "up", "down"):
        workspace.click("Chloe", answer, FEEDBACK_ACTION, f"{vote}:{turn.id}")
    workspace.wait_until(lambda: len(workspace.views(CHLOE)) == 3, 20, "the modals of three votes")
    send(quoting, {WHAT: {WHAT: ["outdated"]}, TEXT: {TEXT: "It is 26 now."}})
    ((cast, _),) = feedback.cast_since(quoting.database, turn.asked_at)
    assert (cast.user, cast.vote, cast.reason) == (CHLOE, Vote.DOWN, "outdated: It is 26 now.")

    workspace.click("Chloe", answer, MORE_ACTION, f"report:{turn.id}")
    workspace.wait_for_modal(CHLOE, lambda text: text.startswith(messages.REPORT_TITLE))
    send(quoting, {WHAT: {WHAT: ["1"]}})
    (report,) = reports.of_turn(quoting.database, turn.id)
    assert report.numbers == (1,)
    assert report.evidence_ids

    workspace.click("Chloe", answer, MORE_ACTION, f"behind:{turn.id}")
    behind = workspace.wait_for_modal(CHLOE, lambda text: messages.BEHIND_THE_SCENES in text)
    assert messages.NOT_EXPLAINED in behind
    workspace.close_modal(workspace.views(CHLOE)[-1]["id"])

    workspace.shortcut("Chloe", answer, EXPLAIN_SHORTCUT)
    workspace.wait_until(lambda: len([m for m in quoting.answers(asked) if is_final(m)]) == 2, 60, "the explanation")

    workspace.click("Ben", answer, MORE_ACTION, f"delete:{turn.id}")
    workspace.wait_for_modal("U0BEN", lambda text: text.startswith(messages.DELETE_TITLE))
    workspace.submit("Ben", workspace.views("U0BEN")[-1]["id"], {})
    workspace.wait_until(lambda: quoting.answers(asked) == [], 30, "our messages to go")
    assert reports.of_turn(quoting.database, turn.id) == ()


def test_suggested_prompts_ask_about_pages_that_everybody_may_read(quoting: Running) -> None:
    channel = quoting.workspace.open_direct("Dev")
    quoting.workspace.wait_until(lambda: channel in quoting.workspace.state()["prompts"], 20, "the prompts")
    prompts = quoting.workspace.state()["prompts"][channel]["prompts"]
    assert 1 <= len(prompts) <= 4
    answer = quoting.reply(quoting.workspace.direct("Dev", prompts[0]["message"]))
    assert "[1]" in answer.plain()


def said_next(quoting: Running, first: Message, question: str) -> str:
    return quoting.reply(quoting.ask(question, after=first)).plain()


def settled(quoting: Running, message: Message, words: str) -> str:
    """The same message, once it says this."""
    quoting.workspace.wait_until(lambda: words in quoting.workspace.message(message).plain(), 30, words)
    return quoting.workspace.message(message).plain()


def send(quoting: Running, values: dict[str, object]) -> None:
    """Chloe sends off the modal that she sees and closes those under it."""
    views = quoting.workspace.views(CHLOE)
    quoting.workspace.submit("Chloe", views[-1]["id"], values)
    for view in views[:-1]:
        quoting.workspace.close_modal(view["id"])


def turn_of(quoting: Running, asked: Message) -> Turn:
    with quoting.database.reading() as session:
        (turn_id,) = session.exec(select(TurnRow.id).where(TurnRow.channel == asked.channel, TurnRow.ts == asked.ts)).all()
    found = conversations.load(quoting.database, turn_id)
    assert found is not None
    return found
