"""After an answer: stale sources, feedback with reasons, source reports, details, deletion."""

from __future__ import annotations

from sqlmodel import select

from bot.listeners.explain_shortcut import EXPLAIN_SHORTCUT
from bot.views.answer_blocks import FEEDBACK_ACTION
from bot.views.answer_menu import MORE_ACTION
from bot.views.feedback_forms import TEXT, WHAT
from core.language.sentences import sentences
from core.states import Vote
from core.storage.tables import TurnRow
from core.turns import feedback, turn_store
from core.turns.sources import source_reports
from core.turns.turn import Turn
from sandbox.slack.client import Message
from scenarios.conftest import Running, is_final

SAY = sentences("en")

BODY = "<p>The Lumo SkyLift 3180 lifts {} tons in calm weather.</p>"
QUESTION = "How many tons does the Lumo SkyLift 3180 lift?"
CHLOE = "U0CHLOE"
CHANGED = SAY("source-since-changed").removeprefix(":warning: ")  # which is shown as a picture


def test_sources_that_change_are_marked_and_answers_from_pages_that_vanish_are_taken_back(
    either_way: Running,
) -> None:
    page = either_way.site.create("ENG", "Lumo SkyLift 3180", BODY.format(40))["id"]
    either_way.sync()
    asked = either_way.ask(QUESTION)
    first = either_way.reply(asked)
    assert "40 tons" in first.plain()
    assert CHANGED not in first.plain()

    either_way.site.edit(page, BODY.format(35))
    either_way.sync()
    assert "35 tons" in said_next(
        either_way, first, "And how many tons does the Lumo SkyLift 3180 lift now?"
    )
    changed = settled(either_way, first, CHANGED)
    assert "40 tons" in changed  # the answer itself stays what it was

    either_way.site.trash(page)
    either_way.sync()
    gone = settled(either_way, first, SAY("reason-closed"))
    assert "tons" not in gone
    assert "Lumo SkyLift 3180" not in gone


def test_people_vote_report_look_behind_and_delete(either_way: Running) -> None:
    asked = either_way.ask("How many days of leave are there in Porto?", user="Ben")
    answer, turn = either_way.reply(asked), turn_of(either_way, asked)
    workspace = either_way.workspace

    for vote in ("down", "up", "down", "up", "down"):
        workspace.click("Chloe", answer, FEEDBACK_ACTION, f"{vote}:{turn.id}")
    workspace.wait_until(lambda: len(workspace.views(CHLOE)) == 3, what="the modals of three votes")
    send(either_way, {WHAT: {WHAT: ["outdated"]}, TEXT: {TEXT: "It is 26 now."}})
    ((cast, _),) = feedback.cast_since(either_way.database, turn.asked_at)
    assert (cast.user, cast.vote, cast.reason) == (CHLOE, Vote.DOWN, "outdated: It is 26 now.")

    workspace.click("Chloe", answer, MORE_ACTION, f"report:{turn.id}")
    workspace.wait_for_modal(CHLOE, lambda text: text.startswith(SAY("report-title")))
    send(either_way, {WHAT: {WHAT: ["1"]}})
    (report,) = source_reports.of_turn(either_way.database, turn.id)
    assert report.numbers == (1,)
    assert report.evidence_ids

    workspace.click("Chloe", answer, MORE_ACTION, f"behind:{turn.id}")
    behind = workspace.wait_for_modal(CHLOE, lambda text: SAY("trace-title") in text)
    assert SAY("details-not-explained") in behind
    workspace.close_modal(workspace.views(CHLOE)[-1]["id"])

    workspace.shortcut("Chloe", answer, EXPLAIN_SHORTCUT)
    workspace.wait_until(
        lambda: len([m for m in either_way.answers(asked) if is_final(m)]) == 2,
        what="the explanation",
    )

    workspace.click("Ben", answer, MORE_ACTION, f"delete:{turn.id}")
    workspace.wait_for_modal("U0BEN", lambda text: text.startswith(SAY("delete-title")))
    workspace.submit("Ben", workspace.views("U0BEN")[-1]["id"], {})
    workspace.wait_until(lambda: either_way.answers(asked) == [], what="our messages to go")
    assert source_reports.of_turn(either_way.database, turn.id) == ()


def test_suggested_prompts_ask_about_pages_that_everybody_may_read(either_way: Running) -> None:
    channel = either_way.workspace.open_direct("Dev")
    either_way.workspace.wait_until(
        lambda: channel in either_way.workspace.state()["prompts"], what="the prompts"
    )
    prompts = either_way.workspace.state()["prompts"][channel]["prompts"]
    assert 1 <= len(prompts) <= 4
    answer = either_way.reply(either_way.workspace.direct("Dev", prompts[0]["message"]))
    assert "[1]" in answer.plain()


def said_next(either_way: Running, first: Message, question: str) -> str:
    return either_way.reply(either_way.ask(question, after=first)).plain()


def settled(either_way: Running, message: Message, words: str) -> str:
    """The same message, once it says this."""
    either_way.workspace.wait_until(
        lambda: words in either_way.workspace.message(message).plain(), what=words
    )
    return either_way.workspace.message(message).plain()


def send(either_way: Running, values: dict[str, object]) -> None:
    """Chloe sends off the modal that she sees and closes those under it."""
    views = either_way.workspace.views(CHLOE)
    either_way.workspace.submit("Chloe", views[-1]["id"], values)
    for view in views[:-1]:
        either_way.workspace.close_modal(view["id"])


def turn_of(either_way: Running, asked: Message) -> Turn:
    with either_way.database.reading() as session:
        (turn_id,) = session.exec(
            select(TurnRow.id).where(TurnRow.channel == asked.channel, TurnRow.ts == asked.ts)
        ).all()
    found = turn_store.load(either_way.database, turn_id)
    assert found is not None
    return found
