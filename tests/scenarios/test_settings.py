"""The settings modal with the whole product: what is searched, from the next question on."""

from __future__ import annotations

from typing import Any

from core.language.sentences import sentences
from scenarios.conftest import Running

SAY = sentences("en")

QUESTION = "What does a hotel in Porto cost?"
ALICE, BEN = "U0ALICE", "U0BEN"


def settings(product: Running, who: str, channel: str, user: str) -> dict[str, Any]:
    """The modal as it stands when Slack has said who this is."""
    product.workspace.command(who, channel, "/groundwire settings")
    product.workspace.wait_until(
        lambda: SAY("settings-checking") not in str(product.workspace.views(user))
    )
    view: dict[str, Any] = product.workspace.views(user)[-1]
    return view


def spaces(product: Running, channel: str) -> tuple[str, set[str]]:
    """What is answered there, and the spaces of its sources."""
    answer = product.reply(product.ask(QUESTION, channel=channel))
    links = str(answer.blocks)
    found = {space for space in ("ENG", "HR", "OPS", "WERK") if f"/spaces/{space}/" in links}
    return answer.plain(), found


def test_admins_choose_what_is_searched_in_their_channel_and_nobody_else_does(
    either_way: Running,
) -> None:
    before, found = spaces(either_way, "hr")
    assert "110 EUR" in before
    assert "HR" in found

    refused = settings(either_way, "ben", "hr", BEN)
    assert "submit" not in refused
    either_way.workspace.submit("ben", refused["id"], {"spaces": ["OPS"]})
    assert "110 EUR" in spaces(either_way, "hr")[0]

    view = settings(either_way, "alice", "hr", ALICE)
    saved = either_way.workspace.submit(
        "alice", view["id"], {"spaces": ["OPS", "ENG"], "length": "short"}
    )
    assert SAY("settings-saved") in str(saved)
    after, found = spaces(either_way, "hr")
    assert "110 EUR" not in after
    assert found <= {"OPS", "ENG"}
    assert SAY("searched-only", spaces="ENG and OPS") in after

    elsewhere, _ = spaces(either_way, "general")
    assert "110 EUR" in elsewhere
    view = settings(either_way, "alice", "hr", ALICE)
    either_way.workspace.submit("alice", view["id"], {"spaces": [], "length": "default"})
    assert "110 EUR" in spaces(either_way, "hr")[0]


def names_all_spaces(home: dict[str, Any] | None) -> bool:
    return all(f"*{space}*" in str(home) for space in ("ENG", "HR", "OPS", "WERK"))


def test_home_shows_what_is_indexed_and_what_was_asked(either_way: Running) -> None:
    asked = either_way.ask("Who is on call this week?", user="dev", channel="engineering")
    either_way.reply(asked)
    either_way.workspace.open_home("dev")
    # Spaces come when a worker has confirmed that everybody may still read them.
    either_way.workspace.wait_until(lambda: names_all_spaces(either_way.workspace.home("U0DEV")))
    shown = str(either_way.workspace.home("U0DEV"))
    assert "Who is on call this week?" in shown
    assert "Salary bands" not in shown


def test_a_private_question_behind_the_command_is_answered_in_direct_messages(
    either_way: Running,
) -> None:
    either_way.workspace.command("dev", "general", f"/groundwire {QUESTION}")
    either_way.workspace.wait_until(
        lambda: bool(either_way.workspace.messages("D0DEV")), what="the question in direct messages"
    )
    root = either_way.workspace.messages("D0DEV")[0]
    assert "110 EUR" in either_way.reply(root).plain()
    assert QUESTION not in {message.text for message in either_way.workspace.messages("general")}
