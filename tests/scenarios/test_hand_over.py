"""Ask a person, with real processes, over both transports: in a channel, in private, undone."""

from __future__ import annotations

import pytest
from sqlmodel import delete

from bot.views.hand_over.request import PAGE_YES_ACTION, RESOLVED_ACTION, SPARE_ME_ACTION
from core.language.sentences import sentences
from core.policy import preferences
from core.storage.access_tables import LinkedAccountRow
from core.storage.hand_over_tables import HandOverPersonRow
from core.storage.people_tables import PreferencesRow
from sandbox.slack.client import Message
from sandbox.slack.workspace.values import TEAM_ID
from scenarios.conftest import PATIENCE_S, Running
from scenarios.handing_over import hand_over, request, whispered

SAY = sentences("en")

QUESTION = "How much may a hotel in Porto cost per night?"
TITLE = "Travel policy"  # whose owner is Katrin Möbius
KATRIN = "user:sandbox:katrin-moebius"
BEN = "U0BEN"


@pytest.fixture
def owned(either_way: Running) -> Running:
    """Ben in Slack has linked the account of the page's owner."""
    with either_way.database.session() as session:
        session.merge(LinkedAccountRow(team=TEAM_ID, user=BEN, account=KATRIN))
        session.exec(delete(HandOverPersonRow))  # nobody was asked too often
        session.exec(delete(PreferencesRow))
    return either_way


def sent_to(running: Running, user: str) -> list[Message]:
    """The requests in somebody's direct messages."""
    shown = running.workspace.messages(running.workspace.open_direct(user))
    return [each for each in shown if each.bot and SAY("hand-over-missing") in each.text]


def test_the_owner_is_asked_in_the_thread_and_told_what_the_page_should_say(
    owned: Running,
) -> None:
    workspace = owned.workspace
    asked = owned.ask(QUESTION)
    hand_over(owned, "Alice", owned.reply(asked))
    shown = request(owned, asked)
    assert f"<@{BEN}>" in shown.text
    assert QUESTION in shown.text
    assert TITLE in shown.text

    hand_over(owned, "Chloe", owned.answers(asked)[0])
    told = SAY("hand-over-sent", person=f"<@{BEN}>")
    workspace.wait_until(
        lambda: any(each.text == told for each in workspace.messages(asked.channel)),
        PATIENCE_S,
        what="that somebody was asked already",
    )
    assert len(owned.answers(asked)) == 2

    workspace.click("Ben", shown, RESOLVED_ACTION)
    yes = whispered(owned, asked.channel, BEN, PAGE_YES_ACTION)
    workspace.wait_until(
        lambda: not workspace.message(shown).has_button(RESOLVED_ACTION),
        PATIENCE_S,
        what="that the request is closed",
    )
    workspace.click("Ben", yes, PAGE_YES_ACTION)
    workspace.wait_until(
        lambda: ":memo:" in workspace.message(shown).text, PATIENCE_S, what="a word on the page"
    )
    assert len(owned.answers(asked)) == 2


def test_a_private_question_is_handed_over_in_the_words_that_its_author_has_seen(
    owned: Running,
) -> None:
    workspace = owned.workspace
    before = sent_to(owned, "Ben")
    asked = workspace.direct("Alice", QUESTION)
    hand_over(owned, "Alice", owned.reply(asked))
    shown = workspace.wait_for_modal("U0ALICE", lambda text: QUESTION in text)
    assert f"@{BEN}" in shown
    assert "110" not in shown
    assert sent_to(owned, "Ben") == before

    (view,) = workspace.views("U0ALICE")
    workspace.submit("Alice", view["id"], {})
    workspace.wait_until(lambda: len(sent_to(owned, "Ben")) > len(before), PATIENCE_S)
    request = sent_to(owned, "Ben")[-1]
    for block in view["blocks"][2:]:
        assert block["text"]["text"] in request.text
    assert len(owned.answers(asked)) == 1

    hand_over(owned, "Alice", owned.answers(asked)[0])
    whispered(owned, asked.channel, "U0ALICE", RESOLVED_ACTION)
    workspace.click("Ben", request, RESOLVED_ACTION)
    workspace.wait_until(
        lambda: not workspace.message(request).has_button(RESOLVED_ACTION), PATIENCE_S
    )
    assert len(sent_to(owned, "Ben")) == len(before) + 1


def test_whoever_does_not_want_to_be_asked_is_not_asked_again(owned: Running) -> None:
    asked = owned.ask(QUESTION)
    hand_over(owned, "Alice", owned.reply(asked))
    owned.workspace.click("Ben", request(owned, asked), SPARE_ME_ACTION)
    owned.workspace.wait_until(
        lambda: preferences.load(owned.database, TEAM_ID, BEN).spared is True, PATIENCE_S
    )
    again = owned.ask(QUESTION, user="Chloe")
    hand_over(owned, "Chloe", owned.reply(again))
    nobody = SAY("hand-over-nobody")
    owned.workspace.wait_until(
        lambda: any(each.text == nobody for each in owned.workspace.messages(again.channel)),
        PATIENCE_S,
        what="that nobody can be asked",
    )
    assert len(owned.answers(again)) == 1


@pytest.mark.parametrize("private", [False, True], ids=["channel", "direct"])
def test_a_deleted_question_takes_its_request_along(owned: Running, private: bool) -> None:
    workspace = owned.workspace
    before = sent_to(owned, "Ben")
    asked = workspace.direct("Alice", QUESTION) if private else owned.ask(QUESTION)
    hand_over(owned, "Alice", owned.reply(asked))
    if private:
        workspace.wait_for_modal("U0ALICE", lambda text: QUESTION in text)
        workspace.submit("Alice", workspace.views("U0ALICE")[-1]["id"], {})
        workspace.wait_until(lambda: len(sent_to(owned, "Ben")) > len(before), PATIENCE_S)
    else:
        request(owned, asked)
    workspace.delete(asked)
    workspace.wait_until(
        lambda: not owned.answers(asked) and sent_to(owned, "Ben") == before, PATIENCE_S
    )
