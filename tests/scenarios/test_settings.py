"""Settings change what is searched, for whom, and from the next question on: a modal in Slack, and the whole product behind it."""

from __future__ import annotations

from typing import Any

from bot import messages
from scenarios.conftest import Running

QUESTION = "What does a hotel in Porto cost?"
ALICE, BEN = "U0ALICE", "U0BEN"


def settings(product: Running, who: str, channel: str, user: str) -> dict[str, Any]:
    """The modal as it stands when Slack has said who this is."""
    product.workspace.command(who, channel, "/groundwire settings")
    product.workspace.wait_until(lambda: messages.SETTINGS_CHECKING not in str(product.workspace.views(user)))
    view: dict[str, Any] = product.workspace.views(user)[-1]
    return view


def spaces(product: Running, channel: str) -> tuple[str, set[str]]:
    """What is answered there, and the spaces of its sources."""
    text = product.reply(product.ask(QUESTION, channel=channel)).plain()
    return text, {space for space in ("ENG", "HR", "OPS", "WERK") if f"· {space} ·" in text}


def test_admins_choose_what_is_searched_in_their_channel_and_nobody_else_does(quoting: Running) -> None:
    before, found = spaces(quoting, "hr")
    assert "110 EUR" in before
    assert "HR" in found

    refused = settings(quoting, "ben", "hr", BEN)
    assert "submit" not in refused
    quoting.workspace.submit("ben", refused["id"], {"spaces": ["OPS"]})
    assert "110 EUR" in spaces(quoting, "hr")[0]

    view = settings(quoting, "alice", "hr", ALICE)
    saved = quoting.workspace.submit("alice", view["id"], {"spaces": ["OPS", "ENG"], "length": "short"})
    assert messages.SETTINGS_SAVED in str(saved)
    after, found = spaces(quoting, "hr")
    assert "110 EUR" not in after
    assert found <= {"OPS", "ENG"}
    assert messages.only_searched(["ENG", "OPS"]) in after

    elsewhere, _ = spaces(quoting, "general")
    assert "110 EUR" in elsewhere
    view = settings(quoting, "alice", "hr", ALICE)
    quoting.workspace.submit("alice", view["id"], {"spaces": [], "length": "default"})
    assert "110 EUR" in spaces(quoting, "hr")[0]


def test_home_shows_what_is_indexed_and_what_was_asked(quoting: Running) -> None:
    asked = quoting.ask("Who is on call this week?", user="dev", channel="engineering")
    quoting.reply(asked)
    quoting.workspace.open_home("dev")
    quoting.workspace.wait_until(lambda: quoting.workspace.home("U0DEV") is not None)
    shown = str(quoting.workspace.home("U0DEV"))
    assert "Who is on call this week?" in shown
    assert all(f"*{space}*" in shown for space in ("ENG", "HR", "OPS", "WERK"))
    assert "Salary bands" not in shown


def test_a_private_question_behind_the_command_is_answered_in_direct_messages(quoting: Running) -> None:
    quoting.workspace.command("dev", "general", f"/groundwire {QUESTION}")
    root = quoting.workspace.messages("D0DEV")[0]
    assert "110 EUR" in quoting.reply(root).plain()
    assert QUESTION not in {message.text for message in quoting.workspace.messages("general")}
