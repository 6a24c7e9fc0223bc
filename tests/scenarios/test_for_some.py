"""Restricted pages: readers are answered in private; nobody else, and no log, learns of them."""

from __future__ import annotations

import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from bot.views.answer_blocks import EXPLAIN_ACTION
from bot.views.explanation_blocks import DETAILS_ACTION
from core.language.sentences import sentences
from sandbox.slack.client import Message
from scenarios.conftest import PATIENCE_S, Running, is_final, run

SAY = sentences("en")

SALARIES = "3008"  # "Salary bands 2026" of the sample, for Ines, Katrin and the group people-team
QUESTION = "From how much to how much does L2 pay?"
SECRETS = (
    "41,000",
    "50,000",
    "66,000",
    "84,000",
    "Salary bands",
    "Do not forward",
    "quokka",
    "bonus-pool",
)
FILE = b"The fund for special rewards is called quokka, and it is empty."
VALID_S = 4.0  # of a confirmation
INES, KATRIN = "sandbox:ines-carvalho", "sandbox:katrin-moebius"


@pytest.fixture(scope="module")
def aware(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """The product in the permission-aware mode.

    Alice in Slack is Ines in Confluence; Ben has an account without special rights.
    """
    folder = tmp_path_factory.mktemp("aware")
    accounts = folder / "accounts.yaml"
    others = (
        f"greta@example.com: {INES}\nerik@example.com: {INES}\n"  # even if somebody wrote that down
    )
    accounts.write_text(
        f"alice@example.com: {INES}\nben@example.com: sandbox:rui-tavares\n{others}"
    )
    attachments = str(find_spec("markitdown") is not None).lower()
    settings = {
        "CONFLUENCE_ATTACHMENTS": attachments,
        "CONFLUENCE_COMMENTS": "true",
        "PERMISSION_MODE": "aware",
        "CONFLUENCE_EVERYBODY": "confluence-users",
        "ACCOUNTS_FILE": str(accounts),
        "CONFIRM_VALID_S": str(VALID_S),
        "GUESTS": "public",
        "EXTERNALS": "public",
    }
    yield from run(
        folder,
        model=False,
        settings=settings,
        prepare=lambda site: site.attach(SALARIES, "bonus-pool.txt", FILE),
    )


def private(aware: Running, who: str, question: str = QUESTION) -> tuple[Message, str]:
    asked = aware.workspace.direct(who, question)
    return asked, aware.reply(asked, PATIENCE_S).plain()


def leaks(text: str) -> list[str]:
    return [secret for secret in SECRETS if secret.lower() in text.lower()]


def test_who_may_read_a_page_is_answered_from_it_in_private(aware: Running) -> None:
    _, answer = private(aware, "Alice")
    assert "Salary bands" in leaks(answer)
    assert {"50,000", "66,000"} <= set(leaks(answer))


def test_nobody_else_is_not_even_by_a_title(aware: Running) -> None:
    _, answer = private(aware, "Ben")
    assert leaks(answer) == []


@pytest.mark.skipif(find_spec("markitdown") is None, reason="needs the extra `documents`")
def test_a_file_is_for_those_who_may_read_its_page(aware: Running) -> None:
    question = "What is the fund for special rewards called?"
    assert "quokka" in leaks(private(aware, "Alice", question)[1])
    assert leaks(private(aware, "Ben", question)[1]) == []
    assert leaks(aware.reply(aware.ask(question, user="Alice", channel="hr")).plain()) == []


def test_somebody_without_an_account_is_shown_what_everybody_may_read(aware: Running) -> None:
    _, answer = private(aware, "Chloe")
    assert leaks(answer) == []
    _, answer = private(aware, "Chloe", "What does a hotel in Porto cost?")
    assert "110 EUR" in answer


@pytest.mark.parametrize("who", ["Greta", "Erik"])
def test_guests_and_people_of_other_organizations_are_shown_what_everybody_may_read_also_in_private(
    aware: Running, who: str
) -> None:
    assert leaks(private(aware, who)[1]) == []
    assert "110 EUR" in private(aware, who, "What does a hotel in Porto cost?")[1]


def test_in_a_channel_that_is_shared_with_others_nobody_is_shown_it(aware: Running) -> None:
    assert (
        leaks(aware.reply(aware.ask(QUESTION, user="Alice", channel="fjord-cranes")).plain()) == []
    )


def test_in_a_channel_nobody_is_shown_it_whoever_asks(aware: Running) -> None:
    assert leaks(aware.reply(aware.ask(QUESTION, user="Alice", channel="hr")).plain()) == []


def test_a_permission_just_revoked_silences_answers_and_follow_ups_and_takes_back_what_stands(
    aware: Running,
) -> None:
    asked, answer = private(aware, "Alice")
    assert leaks(answer)
    aware.site.restrict(SALARIES, users=[KATRIN])  # and no sync since
    time.sleep(VALID_S)

    _, again = private(aware, "Alice")
    assert leaks(again) == []
    follow_up = aware.workspace.say(
        "Alice", asked.channel, "And who is in charge of them?", thread_ts=asked.root_ts
    )
    assert leaks(aware.reply(follow_up).plain()) == []
    first = aware.workspace.wait_for_reply(
        asked, PATIENCE_S, settled=lambda message: SAY("reason-closed") in message.plain()
    )
    assert leaks(first.plain()) == []
    assert leaks(str(aware.workspace.thread(asked.channel, asked.root_ts))) == []
    aware.site.restrict(SALARIES, users=[INES, KATRIN], groups=["people-team"])


def test_the_details_of_a_private_answer_are_for_whoever_asked_as_long_as_the_page_is(
    aware: Running,
) -> None:
    asked, _ = private(aware, "Alice")
    answer = aware.answers(asked)[0]
    aware.workspace.click("Alice", answer, EXPLAIN_ACTION)
    explanation = aware.workspace.wait_for_reply(answer, PATIENCE_S, settled=is_final)
    assert leaks(details(aware, "Alice", explanation))
    aware.workspace.click("Ben", explanation, DETAILS_ACTION)
    assert aware.workspace.views("U0BEN") == [], "a modal is not even opened"
    aware.site.restrict(SALARIES, users=[KATRIN])  # and no sync since
    time.sleep(VALID_S)
    assert leaks(details(aware, "Alice", explanation)) == []
    aware.site.restrict(SALARIES, users=[INES, KATRIN], groups=["people-team"])


def details(aware: Running, user: str, explanation: Message) -> str:
    """What this person is shown, even of a message that Slack would not let them see."""
    aware.workspace.click(user, explanation, DETAILS_ACTION)
    who = f"U0{user.upper()}"
    text = aware.workspace.wait_for_modal(
        who, lambda text: bool(text) and SAY("details-loading") not in text
    )
    aware.workspace.close_modal(aware.workspace.views(who)[-1]["id"])
    return text


def test_no_log_holds_a_word_of_it(aware: Running) -> None:
    private(aware, "Alice")
    logs: list[Path] = list((aware.stack.folder / "logs").rglob("*"))
    assert {
        file.name: leaks(file.read_text(errors="replace"))
        for file in logs
        if file.is_file() and "slack" not in file.name
    } == {file.name: [] for file in logs if file.is_file() and "slack" not in file.name}
