"""The loop back: a question fails, its page's owner is told, the page is edited, it is cured."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from sqlmodel import select

from bot.views.answer_blocks import FEEDBACK_ACTION
from bot.views.hand_over.request import PAGE_YES_ACTION, RESOLVED_ACTION
from bot.views.unasked.digest import FIXED_ACTION, STOP_ACTION
from core.language.sentences import sentences
from core.policy import preferences
from core.states import Vote
from core.storage.access_tables import LinkedAccountRow
from core.storage.hand_over_tables import HandOverRow
from core.storage.loop_tables import FixRow
from core.storage.tables import TurnRow
from sandbox.demo.digest import due_now
from sandbox.slack.client import Message
from sandbox.slack.workspace.values import TEAM_ID
from scenarios.conftest import PATIENCE_S, Running, run
from scenarios.handing_over import hand_over, request, wait, whispered

SAY = sentences("en")
BEN, OWNER = "U0BEN", "user:sandbox:katrin-moebius"
OPERATORS = "C0HR"
TITLE = "Travel policy"  # whose owner is Katrin Möbius
DISLIKED = "How much may a hotel in Porto cost per night?"
UNANSWERED = "What is the passcode of the sauna in Porto?"
IN_PRIVATE = "What is the passcode of the sauna in Aarhus?"
AMONG_FEW = "What is the passcode of the sauna in Gdynia?"
HELPED = "From January a hotel in Porto may cost 130 EUR per night."


@pytest.fixture(scope="module")
def wiki(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    in_days = f"{datetime.now(UTC) + timedelta(days=3):%a %H:%M}".lower()
    settings = {"DIGEST_CHANNELS": OPERATORS, "DIGEST_OWNERS": "true", "DIGEST_AT": in_days}
    yield from run(tmp_path_factory.mktemp("loop"), model=True, settings=settings)


def vote_down(running: Running, asked: Message) -> None:
    answer = running.reply(asked)
    with running.database.reading() as session:
        turn_id = session.exec(select(TurnRow.id).where(TurnRow.ts == asked.ts)).one()
    running.workspace.click("Alice", answer, FEEDBACK_ACTION, f"{Vote.DOWN}:{turn_id}")


def help_with(running: Running, asked: Message) -> None:
    """Its owner is asked, writes what is so, and says that the page should say it."""
    workspace = running.workspace
    hand_over(running, "Alice", running.reply(asked))
    shown = request(running, asked)
    workspace.say("Ben", asked.channel, HELPED, thread_ts=asked.ts)
    workspace.click_until_heard("Ben", shown, RESOLVED_ACTION)
    yes = whispered(running, asked.channel, BEN, PAGE_YES_ACTION)
    workspace.click_until_heard("Ben", yes, PAGE_YES_ACTION)
    workspace.wait_until(lambda: is_kept(running), PATIENCE_S, what="what Ben has said")


def is_kept(running: Running) -> bool:
    with running.database.reading() as session:
        return HELPED in session.exec(select(HandOverRow.said)).all()


def digests(running: Running, channel: str) -> list[Message]:
    headings = (SAY("digest-heading"), SAY("digest-heading-owner"))
    shown = running.workspace.messages(channel)
    return [each for each in shown if each.bot and each.text.startswith(headings)]


def told_in_thread(running: Running, digest: Message) -> list[Message]:
    thread = running.workspace.thread(digest.channel, digest.ts)
    return [each for each in thread if each.bot and each.ts != digest.ts]


def fixes(running: Running) -> int:
    """How many gaps somebody has called fixed."""
    with running.database.reading() as session:
        return len(session.exec(select(FixRow.id)).all())


def values_of(message: Message, action: str) -> list[str]:
    elements = [each for block in message.blocks for each in block.get("elements", ())]
    return [each["value"] for each in elements if each.get("action_id") == action]


def told_of(message: Message) -> str:
    return "\n".join(
        block["text"]["text"] for block in message.blocks if block["type"] == "section"
    )


def test_a_gap_reaches_operators_and_the_owner_and_is_cured(wiki: Running) -> None:
    workspace = wiki.workspace
    with wiki.database.session() as session:
        session.merge(LinkedAccountRow(team=TEAM_ID, user=BEN, account=OWNER))
    workspace.make_private("engineering")
    wiki.reply(wiki.ask(AMONG_FEW, channel="engineering"))
    wiki.reply(workspace.direct("Alice", IN_PRIVATE))
    wiki.reply(wiki.ask(UNANSWERED))
    vote_down(wiki, disliked := wiki.ask(DISLIKED))
    help_with(wiki, disliked)
    wiki.stack.settle(DIGEST_AT=due_now())
    wiki.stack.kill("worker")
    wiki.stack.restart("worker")

    of_operators = wait(wiki, lambda: digests(wiki, OPERATORS), "the digest of operators")
    told = told_of(of_operators)
    assert UNANSWERED in told
    assert DISLIKED in told
    assert IN_PRIVATE not in told
    assert AMONG_FEW not in told
    direct = workspace.open_direct("Ben")
    of_owner = wait(wiki, lambda: digests(wiki, direct), "the digest of the owner")
    assert DISLIKED in told_of(of_owner)
    assert TITLE in told_of(of_owner)
    assert SAY("digest-draft", sentence=HELPED) in told_of(of_owner)

    page = wiki.site.create("HR", "Sauna", "<p>The passcode of the sauna in Porto is 4711.</p>")
    assert page["id"]
    values = values_of(of_operators, FIXED_ACTION)
    for value in values:
        workspace.click("Chloe", of_operators, FIXED_ACTION, value)
    # The first press waits until Slack has said who she is: a sync may begin before it counts.
    workspace.wait_until(lambda: fixes(wiki) == len(values), PATIENCE_S, what="marks as fixed")
    wiki.sync()
    workspace.wait_until(
        lambda: len(told_in_thread(wiki, of_operators)) == len(values),
        PATIENCE_S,
        what="what became of the gaps",
    )
    outcomes = {each.text for each in told_in_thread(wiki, of_operators)}
    cured = SAY("digest-cured", count=1)
    assert any(cured in each and UNANSWERED in each for each in outcomes)
    assert all(cured not in each or UNANSWERED in each for each in outcomes)
    now = workspace.message(of_operators)
    assert "Sauna" in str(now.blocks)
    assert not now.has_button(FIXED_ACTION)

    workspace.click("Ben", of_owner, STOP_ACTION, values_of(of_owner, STOP_ACTION)[0])
    workspace.wait_until(
        lambda: preferences.load(wiki.database, TEAM_ID, BEN).no_digest is True, PATIENCE_S
    )
    assert len(digests(wiki, OPERATORS)) == len(digests(wiki, direct)) == 1


def test_the_bot_says_once_what_it_is_where_it_is_invited(wiki: Running) -> None:
    workspace = wiki.workspace

    def welcomes() -> list[Message]:
        shown = workspace.messages("C0GENERAL")
        return [each for each in shown if each.text == SAY("welcome-hello")]

    workspace.invite("Chloe", "general", invited="Dev")
    workspace.invite("Alice", "general")
    welcome = wait(wiki, welcomes, "the welcome")
    assert SAY("how-to-ask") in told_of(welcome)
    workspace.invite("Ben", "general")
    wiki.reply(wiki.ask(DISLIKED))
    assert len(welcomes()) == 1
